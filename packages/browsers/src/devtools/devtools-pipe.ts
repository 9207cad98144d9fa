import type { Readable, Writable } from "node:stream";
import type { ConnectOverCDPTransport } from "playwright-core";
import {
  type CommandError,
  type Fields,
  isFields,
  makeConnectionLost,
  parseMessage,
  refusal,
  asText,
  unknownSession,
} from "./message.ts";
import { AttachedSessions } from "./attached-sessions.ts";
import { commandIds } from "./command-ids.ts";
import type { ChannelCommand, ChannelEvent, ChannelListener, DevtoolsChannel } from "./devtools-channel.ts";
import { FailedRequests, type RenameError } from "./failed-requests.ts";
import { readEnvelope, MessageReader, withId, type DevtoolsMessage } from "./message-reader.ts";
import { RateLimiter, defaultRateLimits, type RateLimits, type LimitedBrowser } from "./rate-limiter.ts";

/** Longest message of the browser, in bytes. */
const maxMessageBytes = 128 * 2 ** 20;
const { after: firstId, before: lastId } = commandIds.channels;
/** Most pending commands of one channel: the browser keeps those for a hanging page in memory. */
const maxUnanswered = 10_000;

const tooLong = refusal(`Response larger than ${maxMessageBytes} bytes; request less at a time.`);
const tooMany = refusal(`${maxUnanswered} commands are pending; wait for their responses before sending more.`);

/** Events that only a client can cause: no page can make the browser send them. */
const requestedEvents: ReadonlySet<string> = new Set([
  "HeapProfiler.addHeapSnapshotChunk",
  "HeapProfiler.reportHeapSnapshotProgress",
  "Page.screencastFrame",
  "Tracing.bufferUsage",
  "Tracing.dataCollected",
]);
/** Events that are delivered even for a session over its rate limit: they report its end. */
const endEvents: ReadonlySet<string> = new Set([
  "Inspector.detached",
  "Inspector.targetCrashed",
  "Target.detachedFromTarget",
  "Target.targetCrashed",
  "Target.targetDestroyed",
]);

/** Owner of a channel. */
interface ChannelOwner {
  readonly contextId: string;
  readonly listener: ChannelListener;
  /** Its session with the browser itself. */
  readonly session: string;
  /** Number of pending commands. */
  unanswered: number;
}

/** A command without a response yet. */
interface PendingCommand {
  /** Session that it was sent on; undefined for the connection itself. */
  readonly sessionId: string | undefined;
  /** Called with the response; with undefined if it exceeds the limit. */
  readonly onResponse: (bytes: Buffer | undefined) => void;
  /** Called if there will be no response. */
  readonly onDropped: () => void;
}

/**
 * The only connection to a browser: its DevTools pipe, which no other process can open. Multiplexes the messages of the driver
 * and of any number of channels, each with its own sessions. Limits the rate of events that the pages of each context cause:
 * those of a context over the limit are dropped unread, so that others do not wait behind them.
 */
export class DevtoolsPipe {
  /** Transport for the driver. */
  readonly driver: ConnectOverCDPTransport;
  readonly #commands: Writable;
  readonly #sessions = new AttachedSessions<ChannelOwner>();
  readonly #owners = new Set<ChannelOwner>();
  readonly #meter: RateLimiter;
  readonly #pending = new Map<number, PendingCommand>();
  readonly #failed: FailedRequests;
  readonly #drainCallbacks = new Set<() => void>();
  #lastId: number = firstId;
  #discovering: Promise<unknown> | undefined;
  #isClosed = false;

  /**
   * @param commands - Stream that the browser reads.
   * @param messages - Stream that the browser writes.
   * @param pause - Pauses the pages of the browser.
   * @param renameError - Renames the errors of failed requests. Default: as the browser gives them.
   */
  constructor(
    commands: Writable,
    messages: Readable,
    pause: LimitedBrowser["pause"],
    limits: RateLimits = defaultRateLimits,
    renameError: RenameError = (_url, reported) => reported,
  ) {
    this.#commands = commands;
    this.#failed = new FailedRequests(renameError);
    this.#meter = new RateLimiter(limits, { answers: () => this.ready(), pause });
    this.driver = { send: (message) => this.#write(JSON.stringify(withoutBodies(message))), close: () => this.close() };
    const reader = new MessageReader(maxMessageBytes, (message) => this.#onMessage(message));
    messages.on("data", (chunk: Buffer) => reader.push(chunk));
    messages.once("close", () => this.close());
    commands.on("drain", () => this.#onDrain());
  }

  /**
   * Resolves when the browser responds.
   *
   * @throws {Error} If the connection is lost before.
   */
  async ready(): Promise<void> {
    await this.#request("Browser.getVersion", {});
  }

  /** Closes the connection; a browser that was started with it exits. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#commands.destroy();
    this.#onDrain();
    for (const { onDropped } of this.#pending.values()) onDropped();
    for (const { listener } of this.#owners) listener.onLost();
    this.driver.onclose?.();
  }

  /**
   * Opens a channel for one browser context.
   *
   * @throws {Error} If the connection to the browser is lost.
   */
  async open(contextId: string, listener: ChannelListener): Promise<DevtoolsChannel> {
    this.#discovering ??= this.#request("Target.setDiscoverTargets", { discover: true, filter: [{}] });
    await this.#discovering;
    const session = asText((await this.#request("Target.attachToBrowserTarget", {}))["sessionId"]);
    if (session === undefined) throw new Error("the browser did not create a session");
    const owner: ChannelOwner = { contextId, listener, session, unanswered: 0 };
    this.#owners.add(owner);
    this.#sessions.add(session, owner);
    for (const { targetInfo } of this.#sessions.listTargets(contextId)) {
      const params = { targetInfo };
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
      whenDrained: (callback) => {
        if (this.#commands.writableNeedDrain && !this.#isClosed) this.#drainCallbacks.add(callback);
        else callback();
      },
      close: () => {
        if (!this.#owners.delete(owner)) return;
        this.#removeSession(session);
        this.#request("Target.detachFromTarget", { sessionId: session }).catch(() => undefined);
      },
    };
  }

  /** Collects the promises of all channels that delay the load of a new page. */
  collectHolds(targetId: string): readonly Promise<void>[] {
    return [...this.#owners].flatMap(({ listener }) => listener.heldUntil?.(targetId) ?? []);
  }

  /**
   * Limits the rate of the messages from the pages of a context.
   *
   * @param flooded - Called once, when they exceed the limit; their events are dropped from then on.
   * @returns A function that stops it, to be called when the context is closed.
   */
  meter(contextId: string, flooded: () => void): () => void {
    return this.#meter.watch(contextId, flooded);
  }

  #onMessage(read: DevtoolsMessage): void {
    const { id, method, sessionId } = readEnvelope(read);
    const message = this.#failed.read(read, method);
    if (id !== undefined) this.#onResponse(message, id, sessionId);
    else if (method !== undefined) this.#onEvent(message, method, sessionId);
  }

  #onResponse({ bytes, length }: DevtoolsMessage, id: number, sessionId: string | undefined): void {
    const isComplete = bytes.length === length;
    const command = this.#pending.get(id);
    this.#pending.delete(id);
    if (command) command.onResponse(isComplete ? bytes : undefined);
    else if (id > firstId) return; // its sender has disconnected
    else this.#sendToDriver(isComplete ? bytes : encode({ id, error: tooLong, sessionId }));
  }

  #onEvent({ bytes, length }: DevtoolsMessage, method: string, sessionId: string | undefined): void {
    const session = sessionId === undefined ? undefined : this.#sessions.get(sessionId);
    if (sessionId !== undefined && !session) return;
    const isComplete = bytes.length === length;
    const params = isComplete && method.startsWith("Target.") ? findParams(bytes) : undefined;
    const info = params && isFields(params["targetInfo"]) ? params["targetInfo"] : undefined;
    // Before it is tracked: a session that ended is unknown afterwards.
    const contextId = session?.contextId ?? this.#sessions.findContext(params, info);
    if (params && method === "Target.attachedToTarget") this.#sessions.attach(params, info, sessionId);
    if (method === "Target.detachedFromTarget") this.#removeSession(asText(params?.["sessionId"]));
    // The driver is attached to each page once; only pages that others have opened name those.
    const isPopup = method === "Target.attachedToTarget" && !session?.owner && info?.["openerId"] !== undefined;
    if (isPopup && contextId !== undefined) this.#meter.countPopup(contextId);
    const isMetered = contextId !== undefined && !requestedEvents.has(method);
    if (isMetered && this.#meter.count(contextId, method, length) && !endEvents.has(method)) return;
    if (!isComplete) return;
    if (params && sessionId === undefined && method.startsWith("Target.target")) {
      if (contextId !== undefined) this.#publishTargetEvent({ method, params, sessionId, bytes }, info, contextId);
    } else if (session?.owner) {
      const { owner } = session;
      owner.listener.onEvent({ method, params, bytes, sessionId: sessionId === owner.session ? undefined : sessionId });
    } else this.#sendToDriver(bytes);
  }

  /** Delivers each message in its own turn of the event loop, as the driver's promises expect. */
  #sendToDriver(bytes: Buffer): void {
    setImmediate(() => {
      try {
        // oxlint-disable-next-line typescript/no-unsafe-argument -- the driver validates messages of the browser
        this.driver.onmessage?.(JSON.parse(bytes.toString()));
      } catch {
        // The driver can't continue after an error.
        this.close();
      }
    });
  }

  #publishTargetEvent(event: ChannelEvent, info: Fields | undefined, contextId: string): void {
    this.#sessions.updateTarget(event.method, event.params, info, contextId);
    for (const owner of this.#owners) if (owner.contextId === contextId) owner.listener.onEvent(event);
  }

  /** Removes a session with its child sessions, and drops their pending commands. */
  #removeSession(sessionId: string | undefined): void {
    if (sessionId === undefined) return;
    const removed = this.#sessions.remove(sessionId);
    for (const [id, command] of this.#pending) {
      if (command.sessionId === undefined || !removed.has(command.sessionId)) continue;
      this.#pending.delete(id);
      command.onDropped();
    }
  }

  /** Sends a command of this class to the browser. */
  async #request(method: string, params: Fields): Promise<Fields> {
    if (this.#isClosed) throw makeConnectionLost();
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
    const id = this.#addPending({
      sessionId: undefined,
      onResponse: resolve,
      onDropped: () => reject(makeConnectionLost()),
    });
    this.#write(JSON.stringify({ id, method, params }));
    const { result } = parseMessage((await promise)?.toString() ?? "") ?? {};
    if (isFields(result)) return result;
    throw new Error(`the browser rejected ${method}`);
  }

  #send(owner: ChannelOwner, { id, method, params, sessionId }: ChannelCommand): void {
    const refuse = (error: CommandError): void => owner.listener.onResponse(id, encode({ id, error, sessionId }));
    const to = sessionId ?? owner.session;
    if (this.#isClosed || this.#sessions.get(to)?.owner !== owner) return refuse(unknownSession);
    if (owner.unanswered >= maxUnanswered) return refuse(tooMany);
    // Serialized first: if that throws, no command is pending.
    const text = JSON.stringify({ method, params, sessionId: to });
    owner.unanswered += 1;
    const onDropped = (): void => void (owner.unanswered -= 1);
    const onResponse = (bytes: Buffer | undefined): void => {
      onDropped();
      if (bytes) owner.listener.onResponse(id, withId(bytes, id));
      else refuse(tooLong);
    };
    this.#write(`{"id":${this.#addPending({ sessionId: to, onResponse, onDropped })},${text.slice(1)}`);
  }

  #addPending(command: PendingCommand): number {
    this.#lastId = this.#lastId < lastId ? this.#lastId + 1 : firstId + 1;
    this.#pending.set(this.#lastId, command);
    return this.#lastId;
  }

  #write(text: string): void {
    if (this.#isClosed) return;
    this.#commands.write(`${text}\0`);
  }

  #onDrain(): void {
    const callbacks = [...this.#drainCallbacks];
    this.#drainCallbacks.clear();
    for (const callback of callbacks) callback();
  }
}

/** Removes bodies of requests, which the driver does not read. */
const withoutBodies = (message: object): object =>
  isFields(message) && message["method"] === "Network.enable"
    ? { ...message, params: { ...(isFields(message["params"]) ? message["params"] : {}), maxPostDataSize: 1 } }
    : message;
const encode = (message: object): Buffer => Buffer.from(JSON.stringify(message));
const findParams = (bytes: Buffer): Fields | undefined => {
  const params = parseMessage(bytes.toString())?.["params"];
  return isFields(params) ? params : undefined;
};
