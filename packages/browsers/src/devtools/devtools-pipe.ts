import type { Readable, Writable } from "node:stream";
import type { ConnectOverCDPTransport } from "playwright-core";
import { type Failure, type Fields, isFields, parseMessage, refusal, textOf, unknownSession } from "./message.ts";
import { commandIds } from "./command-ids.ts";
import type { ChannelCommand, ChannelEvent, ChannelListener, DevtoolsChannel } from "./devtools-channel.ts";
import { envelopeOf, FrameReader, withId, type DevtoolsFrame } from "./devtools-frame.ts";
import { FloodMeter, usualFloodLimits, type FloodLimits, type MeteredBrowser } from "./flood-meter.ts";

/** Longest message of the browser, in bytes: what pages may hold. */
const longestMessage = 128 * 2 ** 20;
const { after: firstId, before: lastId } = commandIds.channels;
/** Most commands of one channel that have no answer yet: what waits for a page that hangs the browser keeps. */
const mostUnanswered = 10_000;

const tooLong = refusal(`Response larger than ${longestMessage} bytes; request less at a time.`);
const tooMany = refusal(`${mostUnanswered} commands are pending; wait for their responses before sending more.`);

/** Events sent only to a client that asked for them: no page can make the browser send them. */
const asked: ReadonlySet<string> = new Set([
  "HeapProfiler.addHeapSnapshotChunk",
  "HeapProfiler.reportHeapSnapshotProgress",
  "Page.screencastFrame",
  "Tracing.bufferUsage",
  "Tracing.dataCollected",
]);
/** Events that are delivered even for a session that is being ended: without them nobody knows that it has. */
const endings: ReadonlySet<string> = new Set([
  "Inspector.detached",
  "Inspector.targetCrashed",
  "Target.detachedFromTarget",
  "Target.targetCrashed",
  "Target.targetDestroyed",
]);

/** Somebody who has a channel. */
interface Owner {
  readonly contextId: string;
  readonly listener: ChannelListener;
  /** Its session with the browser itself. */
  readonly session: string;
  /** How many commands have no answer yet. */
  unanswered: number;
}

/** A session of the DevTools protocol. */
interface Attached {
  /** Whose it is; undefined: the driver's. */
  readonly owner: Owner | undefined;
  /** Browser context of what it is attached to; undefined: the browser itself. */
  readonly contextId: string | undefined;
  /** Session that it was attached by; undefined: the connection itself. */
  readonly parent: string | undefined;
}

/** A command whose answer is due. */
interface Due {
  /** Which session it was sent on; undefined: the connection itself. */
  readonly sessionId: string | undefined;
  /** Told of the answer; of undefined, when that is longer than may be. */
  readonly answer: (bytes: Buffer | undefined) => void;
  /** Told that there will be none. */
  readonly drop: () => void;
}

/**
 * The one connection to a browser: its DevTools pipe, which no other process can open. Carries the messages of this service's driver
 * and of any number of channels, each of which has sessions of its own. Meters what the pages of each context send on their own:
 * what comes of one that floods the connection is dropped unread, so that nothing of others waits behind it.
 */
export class DevtoolsPipe {
  /** The driver's end. */
  readonly driver: ConnectOverCDPTransport;
  readonly #commands: Writable;
  readonly #sessions = new Map<string, Attached>();
  readonly #owners = new Set<Owner>();
  readonly #meter: FloodMeter;
  /** By the id of a target: its context, and the newest that is known of it. */
  readonly #targets = new Map<string, { readonly contextId: string; readonly targetInfo: Fields }>();
  readonly #due = new Map<number, Due>();
  readonly #unread = new Set<() => void>();
  #lastId: number = firstId;
  #discovering: Promise<unknown> | undefined;
  #isClosed = false;

  /**
   * @param commands - What the browser reads.
   * @param messages - What the browser writes.
   * @param pause - Stops the pages of the browser.
   */
  constructor(
    commands: Writable,
    messages: Readable,
    pause: MeteredBrowser["pause"],
    limits: FloodLimits = usualFloodLimits,
  ) {
    this.#commands = commands;
    this.#meter = new FloodMeter(limits, { answers: () => this.ready(), pause });
    this.driver = { send: (message) => this.#write(JSON.stringify(message)), close: () => this.close() };
    const reader = new FrameReader(longestMessage, (frame) => this.#read(frame));
    messages.on("data", (chunk: Buffer) => reader.take(chunk));
    messages.once("close", () => this.close());
    commands.on("drain", () => this.#allRead());
  }

  /**
   * Resolves when the browser answers.
   *
   * @throws {Error} When it is lost before.
   */
  async ready(): Promise<void> {
    await this.#ask("Browser.getVersion", {});
  }

  /** Ends the connection; a browser that was started with it ends with it. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#commands.destroy();
    this.#allRead();
    for (const { drop } of this.#due.values()) drop();
    for (const { listener } of this.#owners) listener.onLost();
    this.driver.onclose?.();
  }

  /**
   * Opens a channel to the browser, for one context of it.
   *
   * @throws {Error} When the browser is lost.
   */
  async open(contextId: string, listener: ChannelListener): Promise<DevtoolsChannel> {
    this.#discovering ??= this.#ask("Target.setDiscoverTargets", { discover: true, filter: [{}] });
    await this.#discovering;
    const session = textOf((await this.#ask("Target.attachToBrowserTarget", {}))["sessionId"]);
    if (session === undefined) throw new Error("The browser did not create a session.");
    const owner: Owner = { contextId, listener, session, unanswered: 0 };
    this.#owners.add(owner);
    this.#sessions.set(session, { owner, contextId: undefined, parent: undefined });
    for (const target of this.#targets.values()) {
      if (target.contextId !== contextId) continue;
      const params = { targetInfo: target.targetInfo };
      const method = "Target.targetCreated";
      listener.onEvent({
        method,
        params,
        sessionId: undefined,
        bytes: Buffer.from(JSON.stringify({ method, params })),
      });
    }
    return {
      send: (command) => this.#send(owner, command),
      whenRead: (due) => {
        if (this.#commands.writableNeedDrain && !this.#isClosed) this.#unread.add(due);
        else due();
      },
      close: () => {
        if (!this.#owners.delete(owner)) return;
        this.#forget(session);
        this.#ask("Target.detachFromTarget", { sessionId: session }).catch(() => undefined);
      },
    };
  }

  /**
   * Meters what the pages of a context send.
   *
   * @param flooded - Called once, when they send more than they may: nothing more of them is told then.
   * @returns A function that ends it, when the context is gone.
   */
  meter(contextId: string, flooded: () => void): () => void {
    return this.#meter.watch(contextId, flooded);
  }

  #read(frame: DevtoolsFrame): void {
    const { id, method, sessionId } = envelopeOf(frame);
    if (id !== undefined) this.#takeAnswer(frame, id, sessionId);
    else if (method !== undefined) this.#takeEvent(frame, method, sessionId);
  }

  #takeAnswer({ bytes, length }: DevtoolsFrame, id: number, sessionId: string | undefined): void {
    const isWhole = bytes.length === length;
    const due = this.#due.get(id);
    this.#due.delete(id);
    if (due) due.answer(isWhole ? bytes : undefined);
    else if (id > firstId) return; // whoever asked has gone
    else this.#tellDriver(isWhole ? bytes : written({ id, error: tooLong, sessionId }));
  }

  #takeEvent({ bytes, length }: DevtoolsFrame, method: string, sessionId: string | undefined): void {
    const session = sessionId === undefined ? undefined : this.#sessions.get(sessionId);
    if (sessionId !== undefined && !session) return;
    const isWhole = bytes.length === length;
    const params = isWhole && method.startsWith("Target.") ? paramsOf(bytes) : undefined;
    const info = params && isFields(params["targetInfo"]) ? params["targetInfo"] : undefined;
    // Before it is noted: what has ended is not known any more afterwards.
    const contextId = session?.contextId ?? this.#contextOf(params, info);
    if (params) this.#noteSession(method, params, info, sessionId);
    const isMetered = contextId !== undefined && !asked.has(method);
    if (isMetered && this.#meter.count(contextId, method, length) && !endings.has(method)) return;
    if (!isWhole) return;
    if (params && sessionId === undefined && method.startsWith("Target.target")) {
      if (contextId !== undefined) this.#tellOfTarget({ method, params, sessionId, bytes }, info, contextId);
    } else if (session?.owner) {
      const { owner } = session;
      owner.listener.onEvent({ method, params, bytes, sessionId: sessionId === owner.session ? undefined : sessionId });
    } else this.#tellDriver(bytes);
  }

  /** Each message is a turn of its own, as answers wake those who wait for them. */
  #tellDriver(bytes: Buffer): void {
    setImmediate(() => {
      try {
        // oxlint-disable-next-line typescript/no-unsafe-argument -- what the browser says is for the driver to judge
        this.driver.onmessage?.(JSON.parse(bytes.toString()));
      } catch {
        // A browser that talks like this is lost.
        this.close();
      }
    });
  }

  #tellOfTarget(event: ChannelEvent, info: Fields | undefined, contextId: string): void {
    const targetId = textOf(info?.["targetId"]) ?? textOf(event.params?.["targetId"]) ?? "";
    if (info) this.#targets.set(targetId, { contextId, targetInfo: info });
    if (event.method === "Target.targetDestroyed") this.#targets.delete(targetId);
    for (const owner of this.#owners) if (owner.contextId === contextId) owner.listener.onEvent(event);
  }

  #noteSession(method: string, params: Fields, info: Fields | undefined, parent: string | undefined): void {
    const child = textOf(params["sessionId"]);
    if (child === undefined) return;
    if (method === "Target.detachedFromTarget") this.#forget(child);
    if (method !== "Target.attachedToTarget") return;
    const above = parent === undefined ? undefined : this.#sessions.get(parent);
    const contextId = textOf(info?.["browserContextId"]) ?? above?.contextId;
    this.#sessions.set(child, { owner: above?.owner, contextId, parent });
  }

  /** A session has ended, and those below of it with it. */
  #forget(sessionId: string): void {
    const gone = new Set([sessionId]);
    // Children are younger than their parents.
    for (const [id, { parent }] of this.#sessions) if (parent !== undefined && gone.has(parent)) gone.add(id);
    for (const id of gone) this.#sessions.delete(id);
    for (const [id, due] of this.#due) {
      if (due.sessionId === undefined || !gone.has(due.sessionId)) continue;
      this.#due.delete(id);
      due.drop();
    }
  }

  /** The context that an event of the browser itself is about. */
  #contextOf(params: Fields | undefined, info: Fields | undefined): string | undefined {
    const named = textOf(info?.["browserContextId"]);
    if (named !== undefined) return named;
    const session = this.#sessions.get(textOf(params?.["sessionId"]) ?? "");
    return session?.contextId ?? this.#targets.get(textOf(params?.["targetId"]) ?? "")?.contextId;
  }

  /** Asks the browser something of its own. */
  async #ask(method: string, params: Fields): Promise<Fields> {
    if (this.#isClosed) throw lost();
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
    const id = this.#expect({ sessionId: undefined, answer: resolve, drop: () => reject(lost()) });
    this.#write(JSON.stringify({ id, method, params }));
    const { result } = parseMessage((await promise)?.toString() ?? "") ?? {};
    if (isFields(result)) return result;
    throw new Error(`The browser rejected ${method}.`);
  }

  #send(owner: Owner, { id, method, params, sessionId }: ChannelCommand): void {
    const refuse = (error: Failure): void => owner.listener.onAnswer(id, written({ id, error, sessionId }));
    const to = sessionId ?? owner.session;
    if (this.#isClosed || this.#sessions.get(to)?.owner !== owner) return refuse(unknownSession);
    if (owner.unanswered >= mostUnanswered) return refuse(tooMany);
    // Written first: what can't be written throws, and then nothing waits for an answer.
    const text = JSON.stringify({ method, params, sessionId: to });
    owner.unanswered += 1;
    const drop = (): void => void (owner.unanswered -= 1);
    const answer = (bytes: Buffer | undefined): void => {
      drop();
      if (bytes) owner.listener.onAnswer(id, withId(bytes, id));
      else refuse(tooLong);
    };
    this.#write(`{"id":${this.#expect({ sessionId: to, answer, drop })},${text.slice(1)}`);
  }

  #expect(due: Due): number {
    this.#lastId = this.#lastId < lastId ? this.#lastId + 1 : firstId + 1;
    this.#due.set(this.#lastId, due);
    return this.#lastId;
  }

  #write(text: string): void {
    if (this.#isClosed) return;
    this.#commands.write(`${text}\0`);
  }

  #allRead(): void {
    const due = [...this.#unread];
    this.#unread.clear();
    for (const call of due) call();
  }
}

const lost = (): Error => new Error("The connection to the browser was lost.");
const written = (message: object): Buffer => Buffer.from(JSON.stringify(message));
const paramsOf = (bytes: Buffer): Fields | undefined => {
  const params = parseMessage(bytes.toString())?.["params"];
  return isFields(params) ? params : undefined;
};
