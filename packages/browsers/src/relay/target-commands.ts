import { randomBytes, randomUUID } from "node:crypto";
import type { Attachment, Attachments } from "./attachments.ts";
import { BrowserScope } from "./browser-scope.ts";
import { type Fields, invalidParams, refusal, asText, unknownTarget } from "../devtools/message.ts";
import type { ContextTargets } from "./context-targets.ts";
import type { HeldPages } from "./held-pages.ts";
import { isKnownCommand } from "./policy/known-commands.ts";
import { refusedCommand } from "./policy/refusals.ts";
import { isIndependent, isWanted, readFilter, type TargetInfo } from "./target-info.ts";
import type { Reply, Upstream } from "./upstream.ts";

/** Limit of browser-level sessions per connection. */
const maxScopes = 64;

const noSuchSession = invalidParams("No session with given id");
const needsFlat = invalidParams("Only flat sessions are supported; send flatten: true.");
const tooMany = refusal("Session limit of this connection reached; detach from sessions that are not needed.");

/**
 * Discovers targets and attaches to them, for one browser context.
 *
 * Chromium can auto-attach only in all contexts at once, and would pause the pages of others.
 * So the relay discovers new targets itself and attaches to those of its context.
 */
export class TargetCommands {
  readonly #targets: ContextTargets;
  readonly #attachments: Attachments;
  readonly #upstream: Upstream;
  readonly #scopes: Map<string | undefined, BrowserScope>;
  readonly #held: HeldPages;
  readonly #sendEvent: (scope: BrowserScope, method: string, params: Fields) => void;
  /** Target info of the browser, as the client sees it. */
  readonly #browser = {
    targetId: randomUUID(),
    type: "browser",
    title: "",
    url: "",
    attached: true,
    canAccessOpener: false,
  };

  constructor(
    targets: ContextTargets,
    attachments: Attachments,
    upstream: Upstream,
    scopes: Map<string | undefined, BrowserScope>,
    held: HeldPages,
    sendEvent: (scope: BrowserScope, method: string, params: Fields) => void,
  ) {
    this.#targets = targets;
    this.#attachments = attachments;
    this.#upstream = upstream;
    this.#scopes = scopes;
    this.#held = held;
    this.#sendEvent = sendEvent;
  }

  /** Executes a command to the browser if it is one of these; returns whether it was. */
  run(method: string, params: Fields, scope: BrowserScope, answer: (reply: Reply) => void): boolean {
    switch (method) {
      case "Target.getTargets":
        this.#updateTargets(() => answer({ result: { targetInfos: this.#findTargets(params["filter"]) } }));
        return true;
      case "Target.getTargetInfo":
        this.#sendTargetInfo(params["targetId"], this.#browser, answer);
        return true;
      case "Target.setDiscoverTargets":
        this.#discover(params, scope, answer);
        return true;
      case "Target.setAutoAttach":
        this.#setAutoAttach(params, scope, answer);
        return true;
      case "Target.attachToTarget":
        this.#attach(params, scope, answer);
        return true;
      case "Target.attachToBrowserTarget":
        this.#addScope(scope, answer);
        return true;
      case "Target.detachFromTarget":
        this.#detach(params, scope, answer);
        return true;
      default:
        return false;
    }
  }

  /**
   * Executes a command to a page. Chromium would execute this domain for the whole browser: only commands about child targets are
   * allowed.
   */
  runOnPage(
    method: string,
    params: Fields,
    sessionId: string,
    session: Attachment,
    answer: (reply: Reply) => void,
  ): void {
    const { autoAttach, waitForDebuggerOnStart, flatten, filter } = params;
    const child = asText(params["sessionId"]) ?? "";
    switch (method) {
      case "Target.setAutoAttach":
        if (autoAttach === true && flatten !== true) return answer({ failure: needsFlat });
        return this.#upstream.request(
          method,
          { autoAttach, waitForDebuggerOnStart, flatten, filter },
          sessionId,
          answer,
        );
      case "Target.detachFromTarget":
        if (this.#attachments.get(child)?.parent !== sessionId) return answer({ failure: noSuchSession });
        return this.#upstream.request(method, { sessionId: child }, sessionId, answer);
      case "Target.getTargetInfo":
        return this.#sendTargetInfo(params["targetId"] ?? session.targetId, undefined, answer);
      default:
        answer({
          failure: isKnownCommand(method)
            ? refusal(`${method} is a browser command; send it without a sessionId.`)
            : refusedCommand(method),
        });
    }
  }

  /** Handles an event about a target. */
  onEvent(method: string, params: Fields): void {
    const info = this.#targets.onEvent(method, params);
    if (!info) return;
    for (const scope of this.#scopes.values()) {
      if (scope.discoverFilter && isWanted(scope.discoverFilter, info.type)) this.#sendEvent(scope, method, params);
      if (method === "Target.targetCreated" && this.#shouldAttach(scope, info)) {
        if (scope.waitsForDebugger && info.type === "page") this.#held.hold(info.targetId);
        this.#attachments.attach(scope, info.targetId, true, ({ failure }) => {
          if (failure) this.#held.release(info.targetId);
        });
      }
    }
  }

  #findTargets(filter: unknown): TargetInfo[] {
    const matchesFilter = readFilter(filter);
    return [this.#browser, ...this.#targets.all()].filter(({ type }) => isWanted(matchesFilter, type));
  }

  #sendTargetInfo(targetId: unknown, without: TargetInfo | undefined, answer: (reply: Reply) => void): void {
    this.#updateTargets(() => {
      const isBrowser = targetId === undefined || targetId === this.#browser.targetId;
      const info = isBrowser ? without : this.#targets.get(targetId);
      answer(info ? { result: { targetInfo: info } } : { failure: unknownTarget });
    });
  }

  /** Updates titles and URLs of targets, then calls back. */
  #updateTargets(due: () => void): void {
    this.#upstream.request("Target.getTargets", { filter: [{}] }, undefined, ({ result }) => {
      this.#targets.update(result?.["targetInfos"]);
      due();
    });
  }

  #discover({ discover, filter }: Fields, scope: BrowserScope, answer: (reply: Reply) => void): void {
    scope.discoverFilter = discover === true ? readFilter(filter) : undefined;
    if (scope.discoverFilter) {
      for (const targetInfo of this.#findTargets(filter))
        this.#sendEvent(scope, "Target.targetCreated", { targetInfo });
    }
    answer({ result: {} });
  }

  #setAutoAttach(params: Fields, scope: BrowserScope, answer: (reply: Reply) => void): void {
    const { autoAttach, flatten, filter } = params;
    if (autoAttach !== true) {
      scope.autoAttachFilter = undefined;
      this.#attachments.detachAll(scope, "automatic");
      answer({ result: {} });
      return;
    }
    if (flatten !== true) return answer({ failure: needsFlat });
    scope.autoAttachFilter = readFilter(filter);
    scope.waitsForDebugger = params["waitForDebuggerOnStart"] === true;
    const targets = this.#targets.all();
    let left = 1;
    const settled = (): void => {
      left -= 1;
      if (left === 0) answer({ result: {} });
    };
    for (const info of targets) {
      if (!this.#shouldAttach(scope, info)) continue;
      left += 1;
      this.#attachments.attach(scope, info.targetId, true, () => {});
      this.#attachments.whenSettled(info.targetId, settled);
    }
    settled();
  }

  #shouldAttach(scope: BrowserScope, info: TargetInfo): boolean {
    if (!scope.autoAttachFilter || !isIndependent(info) || !isWanted(scope.autoAttachFilter, info.type)) return false;
    return !scope.attached.has(info.targetId) && !this.#attachments.isFull;
  }

  #attach({ targetId, flatten }: Fields, scope: BrowserScope, answer: (reply: Reply) => void): void {
    const info = targetId === this.#browser.targetId ? this.#browser : this.#targets.get(targetId);
    if (!info) return answer({ failure: unknownTarget });
    if (flatten !== true) return answer({ failure: needsFlat });
    if (info === this.#browser) return this.#addScope(scope, answer);
    if (this.#attachments.isFull) return answer({ failure: tooMany });
    this.#attachments.attach(scope, info.targetId, false, answer);
  }

  #addScope(parent: BrowserScope, answer: (reply: Reply) => void): void {
    if (this.#scopes.size >= maxScopes) return answer({ failure: tooMany });
    const sessionId = randomBytes(16).toString("hex").toUpperCase();
    this.#scopes.set(sessionId, new BrowserScope(sessionId));
    const event = { sessionId, targetInfo: this.#browser, waitingForDebugger: false };
    this.#sendEvent(parent, "Target.attachedToTarget", event);
    answer({ result: { sessionId } });
  }

  #detach(params: Fields, scope: BrowserScope, answer: (reply: Reply) => void): void {
    const sessionId = asText(params["sessionId"]) ?? "";
    const ended = this.#scopes.get(sessionId);
    if (ended) {
      ended.ended = true;
      this.#attachments.detachAll(ended, "all");
      this.#scopes.delete(sessionId);
      this.#sendEvent(scope, "Target.detachedFromTarget", { sessionId, targetId: this.#browser.targetId });
      answer({ result: {} });
    } else if (this.#attachments.get(sessionId)?.parent instanceof BrowserScope) {
      this.#upstream.request("Target.detachFromTarget", { sessionId }, undefined, answer);
    } else answer({ failure: noSuchSession });
  }
}
