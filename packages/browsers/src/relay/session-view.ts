import type { ChannelCommand, ChannelEvent } from "../devtools/devtools-channel.ts";
import { type Attachment, Attachments } from "./attachments.ts";
import { respondAfter, BrowserCommands, type RelayHooks } from "./browser-commands.ts";
import { findAct } from "./policy/acting-commands.ts";
import { BrowserScope } from "./browser-scope.ts";
import { Downloads } from "./downloads.ts";
import {
  type Command,
  type Fields,
  invalidParams,
  isFields,
  parseMessage,
  readPositiveNumber,
  readCommand,
  refusal,
  asText,
  unknownSession,
} from "../devtools/message.ts";
import { ContextTargets } from "./context-targets.ts";
import { HeldPages } from "./held-pages.ts";
import { isBrowserCommand, mayChangePage, refusePageCommand } from "./policy/page-command-policy.ts";
import { PendingScreenshots } from "./pending-screenshots.ts";
import { withUploads } from "./policy/uploads.ts";
import { isTooLarge, tooLarge } from "./policy/size-limit.ts";
import { TargetCommands } from "./target-commands.ts";
import { Tracing } from "./tracing.ts";
import { type Reply, Upstream } from "./upstream.ts";

/** Least interval between two `onAction` calls, in milliseconds. */
const actionEveryMs = 50;

/** CDP error for a command that can't be serialized: JSON can be parsed at any depth, but not written. */
const notSerializable = invalidParams(
  "Invalid params: nested too deeply, or values that this command does not accept.",
);

/** Longest body of a request in events, in bytes: as text with escapes and in base64 it is eight times as long. */
const maxBodyBytes = 6 * 2 ** 20;

/** Output of a {@link RelayedSession}. */
export interface ViewOutput {
  /** Sends a message as JSON to the client. */
  readonly toClient: (message: string | Buffer) => void;
  /** Sends a command to the browser. */
  readonly toBrowser: (command: ChannelCommand) => void;
}

/**
 * Handles every message of both sides. Does not use sockets.
 */
export class RelayedSession {
  readonly #output: ViewOutput;
  readonly #hooks: RelayHooks;
  readonly #upstream: Upstream;
  readonly #targets: ContextTargets;
  readonly #attachments: Attachments;
  readonly #scopes = new Map<string | undefined, BrowserScope>([[undefined, new BrowserScope(undefined)]]);
  readonly #screenshots: PendingScreenshots;
  readonly #browserCommands: BrowserCommands;
  readonly #targetCommands: TargetCommands;
  readonly #held = new HeldPages();
  readonly #downloads: Downloads;
  readonly #tracing: Tracing;
  #lastActionMs = -Infinity;
  /** The CDP session on which the client has set a locale, which is reset when it ends. */
  #localeSession: string | undefined;

  constructor(contextId: string, output: ViewOutput, hooks: RelayHooks) {
    this.#output = output;
    this.#hooks = hooks;
    this.#upstream = new Upstream(output.toBrowser);
    this.#screenshots = new PendingScreenshots(hooks.onScreenshot);
    this.#targets = new ContextTargets(contextId);
    this.#attachments = new Attachments(this.#upstream);
    this.#browserCommands = new BrowserCommands(contextId, this.#targets, this.#upstream, hooks);
    this.#targetCommands = new TargetCommands(
      this.#targets,
      this.#attachments,
      this.#upstream,
      this.#scopes,
      this.#held,
      (...event) => this.#sendEvent(...event),
    );
    const sendEventOn = (id: string | undefined, method: string, params: Fields): void => {
      if (this.#scopes.has(id) || this.#attachments.get(id ?? "")) this.#sendEvent({ sessionId: id }, method, params);
    };
    this.#downloads = new Downloads(hooks.downloads, sendEventOn);
    this.#tracing = new Tracing(this.#upstream, sendEventOn);
  }

  /** Handles a message of the client. Always responds, never throws. */
  onClientMessage(text: string): void {
    const command = readCommand(text);
    if ("failure" in command) {
      this.#output.toClient(JSON.stringify({ id: command.id, error: command.failure }));
      return;
    }
    const act = findAct(command.method);
    const { onAct } = this.#hooks;
    if (act === undefined || !onAct) return this.#tryExecute(command);
    const refused = onAct({ act, size: text.length, run: () => this.#tryExecute(command) });
    if (refused !== undefined) this.#respond(command, { failure: refusal(refused) });
  }

  #tryExecute(command: Command): void {
    try {
      this.#execute(command);
    } catch {
      this.#respond(command, { failure: notSerializable });
    }
  }

  /**
   * Handles a response of the browser.
   *
   * @throws {Error} If it can't be forwarded: the client would wait forever.
   */
  onResponse(id: number, bytes: Buffer): void {
    if (this.#upstream.onResponse(id, bytes)) return;
    this.#screenshots.onResponse(id, () => asText(parseMessage(bytes.toString())?.["sessionId"]));
    this.#output.toClient(bytes);
  }

  /**
   * Handles an event of the browser.
   *
   * @throws {Error} If it can't be forwarded.
   */
  onEvent(event: ChannelEvent): void {
    const { method, sessionId } = event;
    if (sessionId === undefined) this.#browserEvent(method, event.params ?? {});
    else if (this.#attachments.get(sessionId)) this.#pageEvent(event, sessionId);
  }

  /** Returns a promise that delays the load of a new page until the client continues it. */
  heldUntil(targetId: string): Promise<void> | undefined {
    return this.#held.whenReleased(targetId);
  }

  /** Ends the view: no page waits for its client any more. */
  end(): void {
    this.#downloads.end();
    this.#held.releaseAll();
  }

  #execute(command: Command): void {
    if (isTooLarge(command.params)) return this.#respond(command, { failure: tooLarge });
    if (mayChangePage(command.method)) {
      this.#hooks.onChange?.(command.method, command.params);
      this.#reportAction();
    } else this.#hooks.onUse();
    const scope = this.#scopes.get(command.sessionId);
    if (scope) this.#runBrowserCommand(command, scope);
    else this.#runPageCommand(command, command.sessionId ?? "");
  }

  #runBrowserCommand(command: Command, scope: BrowserScope): void {
    const answer = (reply: Reply): void => this.#respond(command, reply);
    const { method, params } = command;
    if (this.#targetCommands.run(method, params, scope, answer)) return;
    if (isDownloadCommand(method)) return answer(this.#runDownloadCommand(command));
    this.#browserCommands.run(method, params, undefined, (reply) => {
      const created = method === "Target.createTarget" ? asText(reply.result?.["targetId"]) : undefined;
      // Auto-attach events precede the response to Target.createTarget.
      if (created === undefined) answer(reply);
      else this.#attachments.whenSettled(created, () => answer(reply));
    });
  }

  #runPageCommand(command: Command, sessionId: string): void {
    const { id, method, params } = command;
    const session = this.#attachments.get(sessionId);
    if (!session) {
      this.#output.toClient(JSON.stringify({ id, error: unknownSession }));
      return;
    }
    if (method.startsWith("Target.")) {
      this.#targetCommands.runOnPage(method, params, sessionId, session, (reply) => this.#respond(command, reply));
    } else if (isDownloadCommand(method)) {
      this.#respond(command, this.#runDownloadCommand(command));
    } else if (isBrowserCommand(method)) {
      this.#browserCommands.run(method, params, session.targetId, (reply) => this.#respond(command, reply));
    } else {
      const target = this.#targets.get(session.targetId);
      if (this.#tracing.run(method, params, sessionId, target, (reply) => this.#respond(command, reply))) return;
      const failure = refusePageCommand(method, params);
      if (failure !== undefined) return this.#respond(command, { failure });
      const withFiles = withUploads(method, params, this.#hooks.uploadAt);
      if ("failure" in withFiles) return this.#respond(command, withFiles);
      this.#screenshots.onCommand(id, sessionId, method, params);
      this.#downloads.onCommand(method, sessionId);
      // The page itself is resumed by the driver, once all clients have let it.
      if (method === "Runtime.runIfWaitingForDebugger") this.#held.release(session.targetId);
      if (method === "Emulation.setLocaleOverride") return this.#setLocale(command, sessionId);
      if (method !== "Page.bringToFront")
        return this.#upstream.forward(id, method, withBoundedBodies(method, withFiles.params), sessionId);
      const active = this.#hooks.onActivate(session.targetId);
      const due = respondAfter(active, (reply) => this.#respond(command, reply));
      this.#upstream.request(method, params, sessionId, due);
    }
  }

  #browserEvent(method: string, params: Fields): void {
    if (method === "Target.attachedToTarget") {
      const scope = this.#attachments.attachedByBrowser(params);
      if (scope) this.#sendEvent(scope, method, params);
    } else if (method === "Target.detachedFromTarget") {
      const parent = this.#detached(params)?.parent;
      if (parent instanceof BrowserScope) this.#sendEvent(parent, method, params);
      this.#hooks.onDetach();
    } else if (method.startsWith("Target.target")) {
      this.#targetCommands.onEvent(method, params);
    }
  }

  #pageEvent({ method, bytes, params = {} }: ChannelEvent, sessionId: string): void {
    if (method === "Target.attachedToTarget" && !this.#attachments.attachBelow(sessionId, params)) return;
    if (method === "Target.detachedFromTarget") this.#detached(params);
    if (method.startsWith("Tracing.")) return this.#tracing.onEvent(method, readParams(bytes), sessionId, bytes.length);
    if (method.startsWith("Page.download") && !this.#downloads.onEvent(method, readParams(bytes), sessionId)) return;
    this.#output.toClient(bytes);
  }

  #detached({ sessionId }: Fields): Attachment | undefined {
    const id = asText(sessionId) ?? "";
    this.#tracing.onDetached(id);
    this.#downloads.onDetached(id);
    this.#held.release(this.#attachments.get(id)?.targetId ?? "");
    if (this.#localeSession === id) void this.#hooks.setLocale(undefined);
    return this.#attachments.detached(id);
  }

  /** Sets the locale through the service: Chromium has one locale for all sessions with a page. */
  #setLocale(command: Command, sessionId: string): void {
    const locale = asText(command.params["locale"]) || undefined;
    this.#localeSession = locale === undefined ? undefined : sessionId;
    this.#hooks
      .setLocale(locale)
      .then((reason) => this.#respond(command, reason === undefined ? { result: {} } : { failure: refusal(reason) }))
      .catch(() => undefined);
  }

  #runDownloadCommand({ method, params, sessionId }: Command): Reply {
    const isCancel = method === "Browser.cancelDownload";
    const failure = isCancel
      ? this.#downloads.cancel(params["guid"])
      : this.#downloads.setBehavior(method, params, sessionId);
    return failure === undefined ? { result: {} } : { failure };
  }

  #sendEvent({ sessionId }: Pick<BrowserScope, "sessionId">, method: string, params: Fields): void {
    this.#output.toClient(JSON.stringify({ method, params, sessionId }));
  }

  #respond({ id, sessionId }: Command, { result, failure }: Reply): void {
    this.#output.toClient(JSON.stringify(failure ? { id, error: failure, sessionId } : { id, result, sessionId }));
  }

  #reportAction(): void {
    const now = performance.now();
    if (now - this.#lastActionMs < actionEveryMs) return;
    this.#lastActionMs = now;
    this.#hooks.onAction();
  }
}

/** Returns whether a command is about downloads, which the session keeps. */
const isDownloadCommand = (method: string): boolean =>
  /^(?:(?:Browser|Page)\.setDownloadBehavior|Browser\.cancelDownload)$/.test(method);

/** Bounds the bodies of requests in events: a longer one is left out, as one of a Blob is, instead of filling the buffer of the client. */
function withBoundedBodies(method: string, params: Fields): Fields {
  if (method !== "Network.enable") return params;
  return {
    ...params,
    maxPostDataSize: Math.min(readPositiveNumber(params["maxPostDataSize"]) ?? Infinity, maxBodyBytes),
  };
}

/** Parses the parameters of an event. */
function readParams(bytes: Buffer): Fields {
  const params = parseMessage(bytes.toString())?.["params"];
  return isFields(params) ? params : {};
}
