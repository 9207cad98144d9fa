import type { ChannelCommand, ChannelEvent } from "../devtools/devtools-channel.ts";
import { type Attachment, Attachments } from "./attachments.ts";
import { answerAfter, BrowserCommands, type RelayHooks } from "./browser-commands.ts";
import { BrowserScope } from "./browser-scope.ts";
import { Downloads } from "./downloads.ts";
import {
  type Command,
  type Fields,
  invalidParams,
  isFields,
  parseMessage,
  readCommand,
  refusal,
  textOf,
  unknownSession,
} from "../devtools/message.ts";
import { OwnTargets } from "./own-targets.ts";
import { isForBrowser, mayChangePage, whyRefused } from "./page-rules.ts";
import { PendingScreenshots } from "./pending-screenshots.ts";
import { isTooLarge, tooLarge } from "./picture-size.ts";
import { TargetCommands } from "./target-commands.ts";
import { Tracing } from "./tracing.ts";
import { type Reply, Upstream } from "./upstream.ts";

/** How often at most the service is told that a client acts, in milliseconds. */
const actionEveryMs = 50;

/** CDP error for a command that can't be serialized again: JSON is read at any depth, but not written. */
const unspeakable = invalidParams("Invalid params: nested too deeply, or values that this command does not accept.");

/** Where the messages of a view go. */
export interface ViewOutput {
  /** To the client: a message as JSON. */
  readonly toClient: (message: string | Buffer) => void;
  /** To the browser. */
  readonly toBrowser: (command: ChannelCommand) => void;
}

/**
 * Reads every message of both sides; knows no sockets.
 */
export class SessionView {
  readonly #output: ViewOutput;
  readonly #hooks: RelayHooks;
  readonly #upstream: Upstream;
  readonly #targets: OwnTargets;
  readonly #attachments: Attachments;
  readonly #scopes = new Map<string | undefined, BrowserScope>([[undefined, new BrowserScope(undefined)]]);
  readonly #screenshots: PendingScreenshots;
  readonly #browserCommands: BrowserCommands;
  readonly #targetCommands: TargetCommands;
  readonly #downloads: Downloads;
  readonly #tracing: Tracing;
  #lastActionMs = -Infinity;
  /** The session by which the client has set a locale: with it that ends. */
  #localeFrom: string | undefined;

  constructor(contextId: string, output: ViewOutput, hooks: RelayHooks) {
    this.#output = output;
    this.#hooks = hooks;
    this.#upstream = new Upstream(output.toBrowser);
    this.#screenshots = new PendingScreenshots(hooks.onScreenshot);
    this.#targets = new OwnTargets(contextId);
    this.#attachments = new Attachments(this.#upstream);
    this.#browserCommands = new BrowserCommands(contextId, this.#targets, this.#upstream, hooks);
    this.#targetCommands = new TargetCommands(
      this.#targets,
      this.#attachments,
      this.#upstream,
      this.#scopes,
      (...event) => this.#tell(...event),
    );
    const tellOn = (id: string | undefined, method: string, params: Fields): void => {
      if (this.#scopes.has(id) || this.#attachments.get(id ?? "")) this.#tell({ sessionId: id }, method, params);
    };
    this.#downloads = new Downloads(tellOn);
    this.#tracing = new Tracing(this.#upstream, tellOn);
  }

  /** Takes a message of the client. Whatever it says, it is answered, and nothing is thrown. */
  fromClient(text: string): void {
    const command = readCommand(text);
    if ("failure" in command) {
      this.#output.toClient(JSON.stringify({ id: command.id, error: command.failure }));
      return;
    }
    try {
      this.#carryOut(command);
    } catch {
      this.#answer(command, { failure: unspeakable });
    }
  }

  /**
   * Takes an answer of the browser.
   *
   * @throws {Error} When it can't be told on: who waits for it would wait for ever.
   */
  answered(id: number, bytes: Buffer): void {
    if (this.#upstream.settle(id, bytes)) return;
    this.#screenshots.onAnswer(id, () => textOf(parseMessage(bytes.toString())?.["sessionId"]));
    this.#output.toClient(bytes);
  }

  /**
   * Takes an event of the browser.
   *
   * @throws {Error} When it can't be told on.
   */
  happened(event: ChannelEvent): void {
    const { method, sessionId } = event;
    if (sessionId === undefined) this.#browserEvent(method, event.params ?? {});
    else if (this.#attachments.get(sessionId)) this.#pageEvent(event, sessionId);
  }

  #carryOut(command: Command): void {
    if (isTooLarge(command.params)) return this.#answer(command, { failure: tooLarge });
    if (mayChangePage(command.method)) this.#act();
    else this.#hooks.onUse();
    const scope = this.#scopes.get(command.sessionId);
    if (scope) this.#toBrowser(command, scope);
    else this.#toPage(command, command.sessionId ?? "");
  }

  #toBrowser(command: Command, scope: BrowserScope): void {
    const answer = (reply: Reply): void => this.#answer(command, reply);
    const { method, params } = command;
    if (this.#targetCommands.run(method, params, scope, answer)) return;
    if (method.endsWith(".setDownloadBehavior")) return answer(this.#askForDownloads(command));
    this.#browserCommands.run(method, params, undefined, (reply) => {
      const created = method === "Target.createTarget" ? textOf(reply.result?.["targetId"]) : undefined;
      // Who is attached to new targets is so before it reads that they were created.
      if (created === undefined) answer(reply);
      else this.#attachments.whenSettled(created, () => answer(reply));
    });
  }

  #toPage(command: Command, sessionId: string): void {
    const { id, method, params } = command;
    const session = this.#attachments.get(sessionId);
    if (!session) {
      this.#output.toClient(JSON.stringify({ id, error: unknownSession }));
      return;
    }
    if (method.startsWith("Target.")) {
      this.#targetCommands.runOnPage(method, params, sessionId, session, (reply) => this.#answer(command, reply));
    } else if (method.endsWith(".setDownloadBehavior")) {
      this.#answer(command, this.#askForDownloads(command));
    } else if (isForBrowser(method)) {
      this.#browserCommands.run(method, params, session.targetId, (reply) => this.#answer(command, reply));
    } else {
      const target = this.#targets.get(session.targetId);
      if (this.#tracing.run(method, params, sessionId, target, (reply) => this.#answer(command, reply))) return;
      const reason = whyRefused(method, params);
      if (reason !== undefined) return this.#answer(command, { failure: refusal(reason) });
      this.#screenshots.onCommand(id, sessionId, method, params);
      this.#downloads.note(method, sessionId);
      if (method === "Emulation.setLocaleOverride") return this.#setLocale(command, sessionId);
      if (method !== "Page.bringToFront") return this.#upstream.pass(id, method, params, sessionId);
      const active = this.#hooks.onActivate(session.targetId);
      const due = answerAfter(active, (reply) => this.#answer(command, reply));
      this.#upstream.ask(method, params, sessionId, due);
    }
  }

  #browserEvent(method: string, params: Fields): void {
    if (method === "Target.attachedToTarget") {
      const scope = this.#attachments.attachedByBrowser(params);
      if (scope) this.#tell(scope, method, params);
    } else if (method === "Target.detachedFromTarget") {
      const parent = this.#detached(params)?.parent;
      if (parent instanceof BrowserScope) this.#tell(parent, method, params);
      this.#hooks.onDetach();
    } else if (method.startsWith("Target.target")) {
      this.#targetCommands.take(method, params);
    }
  }

  #pageEvent({ method, bytes, params = {} }: ChannelEvent, sessionId: string): void {
    if (method === "Target.attachedToTarget" && !this.#attachments.attachedBelow(sessionId, params)) return;
    if (method === "Target.detachedFromTarget") this.#detached(params);
    if (method.startsWith("Tracing.")) return this.#tracing.take(method, paramsOf(bytes), sessionId, bytes.length);
    if (method.startsWith("Page.download")) this.#downloads.take(method, paramsOf(bytes), sessionId);
    this.#output.toClient(bytes);
  }

  #detached({ sessionId }: Fields): Attachment | undefined {
    const id = textOf(sessionId) ?? "";
    this.#tracing.forget(id);
    this.#downloads.forget(id);
    if (this.#localeFrom === id) void this.#hooks.setLocale(undefined);
    return this.#attachments.detached(id);
  }

  /** Chromium has one locale for all sessions with a page, and the service has set it. */
  #setLocale(command: Command, sessionId: string): void {
    const locale = textOf(command.params["locale"]) || undefined;
    this.#localeFrom = locale === undefined ? undefined : sessionId;
    this.#hooks
      .setLocale(locale)
      .then((reason) => this.#answer(command, reason === undefined ? { result: {} } : { failure: refusal(reason) }))
      .catch(() => undefined);
  }

  #askForDownloads({ method, params, sessionId }: Command): Reply {
    const reason = this.#downloads.ask(method, params, sessionId);
    return reason === undefined ? { result: {} } : { failure: refusal(reason) };
  }

  #tell({ sessionId }: Pick<BrowserScope, "sessionId">, method: string, params: Fields): void {
    this.#output.toClient(JSON.stringify({ method, params, sessionId }));
  }

  #answer({ id, sessionId }: Command, { result, failure }: Reply): void {
    this.#output.toClient(JSON.stringify(failure ? { id, error: failure, sessionId } : { id, result, sessionId }));
  }

  #act(): void {
    const now = performance.now();
    if (now - this.#lastActionMs < actionEveryMs) return;
    this.#lastActionMs = now;
    this.#hooks.onAction();
  }
}

/** The parameters of an event that nobody has looked into yet. */
function paramsOf(bytes: Buffer): Fields {
  const params = parseMessage(bytes.toString())?.["params"];
  return isFields(params) ? params : {};
}
