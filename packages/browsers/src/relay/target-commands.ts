import { randomBytes, randomUUID } from "node:crypto";
import type { Attachment, Attachments } from "./attachments.ts";
import { BrowserScope } from "./browser-scope.ts";
import { type Fields, invalidParams, refusal, textOf } from "../devtools/message.ts";
import type { OwnTargets } from "./own-targets.ts";
import { isIndependent, isWanted, readFilter, type TargetInfo } from "./target-info.ts";
import type { Reply, Upstream } from "./upstream.ts";

/** Sessions of "the browser" that one connection may have at once. */
const mostScopes = 64;

const noSuchTarget = invalidParams("No target with given id found");
const noSuchSession = invalidParams("No session with given id");
const needsFlat = invalidParams("Only flat sessions are supported; send flatten: true.");
const tooMany = refusal("Session limit of this connection reached; detach from sessions that are not needed.");

/**
 * Finding targets and attaching to them, for one context.
 *
 * Chromium can attach a client to targets as they appear only in all contexts at once, and would hold up the pages of others.
 * So the relay looks out for new targets itself and attaches to those of its context.
 */
export class TargetCommands {
  readonly #targets: OwnTargets;
  readonly #attachments: Attachments;
  readonly #upstream: Upstream;
  readonly #scopes: Map<string | undefined, BrowserScope>;
  readonly #tell: (scope: BrowserScope, method: string, params: Fields) => void;
  /** How "the browser" looks to the client: one that it alone has. */
  readonly #browser = {
    targetId: randomUUID(),
    type: "browser",
    title: "",
    url: "",
    attached: true,
    canAccessOpener: false,
  };

  constructor(
    targets: OwnTargets,
    attachments: Attachments,
    upstream: Upstream,
    scopes: Map<string | undefined, BrowserScope>,
    tell: (scope: BrowserScope, method: string, params: Fields) => void,
  ) {
    this.#targets = targets;
    this.#attachments = attachments;
    this.#upstream = upstream;
    this.#scopes = scopes;
    this.#tell = tell;
  }

  /** Does a command to the browser, when it is one of these; returns whether it was. */
  run(method: string, params: Fields, scope: BrowserScope, answer: (reply: Reply) => void): boolean {
    switch (method) {
      case "Target.getTargets":
        this.#renewed(() => answer({ result: { targetInfos: this.#wanted(params["filter"]) } }));
        return true;
      case "Target.getTargetInfo":
        this.#describe(params["targetId"], this.#browser, answer);
        return true;
      case "Target.setDiscoverTargets":
        this.#discover(params, scope, answer);
        return true;
      case "Target.setAutoAttach":
        this.#attachToAll(params, scope, answer);
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

  /** Does a command to a page. There, Chromium would carry out all of the domain for the whole browser: only what is below of a page is left. */
  runOnPage(
    method: string,
    params: Fields,
    sessionId: string,
    session: Attachment,
    answer: (reply: Reply) => void,
  ): void {
    const { autoAttach, waitForDebuggerOnStart, flatten, filter } = params;
    const child = textOf(params["sessionId"]) ?? "";
    switch (method) {
      case "Target.setAutoAttach":
        if (autoAttach === true && flatten !== true) return answer({ failure: needsFlat });
        return this.#upstream.ask(method, { autoAttach, waitForDebuggerOnStart, flatten, filter }, sessionId, answer);
      case "Target.detachFromTarget":
        if (this.#attachments.get(child)?.parent !== sessionId) return answer({ failure: noSuchSession });
        return this.#upstream.ask(method, { sessionId: child }, sessionId, answer);
      case "Target.getTargetInfo":
        return this.#describe(params["targetId"] ?? session.targetId, undefined, answer);
      default:
        answer({ failure: refusal(`${method} is a browser command; send it without a sessionId.`) });
    }
  }

  /** Takes what the browser tells of a target. */
  take(method: string, params: Fields): void {
    const info = this.#targets.note(method, params);
    if (!info) return;
    for (const scope of this.#scopes.values()) {
      if (scope.discovers && isWanted(scope.discovers, info.type)) this.#tell(scope, method, params);
      if (method === "Target.targetCreated" && this.#isToAttach(scope, info)) {
        this.#attachments.attach(scope, info.targetId, true, () => {});
      }
    }
  }

  #wanted(filter: unknown): TargetInfo[] {
    const wanted = readFilter(filter);
    return [this.#browser, ...this.#targets.all()].filter(({ type }) => isWanted(wanted, type));
  }

  #describe(targetId: unknown, without: TargetInfo | undefined, answer: (reply: Reply) => void): void {
    this.#renewed(() => {
      const isBrowser = targetId === undefined || targetId === this.#browser.targetId;
      const info = isBrowser ? without : this.#targets.get(targetId);
      answer(info ? { result: { targetInfo: info } } : { failure: noSuchTarget });
    });
  }

  /** Calls back when titles and addresses are those of now. */
  #renewed(due: () => void): void {
    this.#upstream.ask("Target.getTargets", { filter: [{}] }, undefined, ({ result }) => {
      this.#targets.renew(result?.["targetInfos"]);
      due();
    });
  }

  #discover({ discover, filter }: Fields, scope: BrowserScope, answer: (reply: Reply) => void): void {
    scope.discovers = discover === true ? readFilter(filter) : undefined;
    if (scope.discovers) {
      for (const targetInfo of this.#wanted(filter)) this.#tell(scope, "Target.targetCreated", { targetInfo });
    }
    answer({ result: {} });
  }

  #attachToAll({ autoAttach, flatten, filter }: Fields, scope: BrowserScope, answer: (reply: Reply) => void): void {
    if (autoAttach !== true) {
      scope.attaches = undefined;
      this.#attachments.detachAll(scope, "automatic");
      answer({ result: {} });
      return;
    }
    if (flatten !== true) return answer({ failure: needsFlat });
    scope.attaches = readFilter(filter);
    const targets = this.#targets.all();
    let left = 1;
    const settled = (): void => {
      left -= 1;
      if (left === 0) answer({ result: {} });
    };
    for (const info of targets) {
      if (!this.#isToAttach(scope, info)) continue;
      left += 1;
      this.#attachments.attach(scope, info.targetId, true, () => {});
      this.#attachments.whenSettled(info.targetId, settled);
    }
    settled();
  }

  #isToAttach(scope: BrowserScope, info: TargetInfo): boolean {
    if (!scope.attaches || !isIndependent(info) || !isWanted(scope.attaches, info.type)) return false;
    return !scope.attached.has(info.targetId) && !this.#attachments.isFull;
  }

  #attach({ targetId, flatten }: Fields, scope: BrowserScope, answer: (reply: Reply) => void): void {
    const info = targetId === this.#browser.targetId ? this.#browser : this.#targets.get(targetId);
    if (!info) return answer({ failure: noSuchTarget });
    if (flatten !== true) return answer({ failure: needsFlat });
    if (info === this.#browser) return this.#addScope(scope, answer);
    if (this.#attachments.isFull) return answer({ failure: tooMany });
    this.#attachments.attach(scope, info.targetId, false, answer);
  }

  #addScope(parent: BrowserScope, answer: (reply: Reply) => void): void {
    if (this.#scopes.size >= mostScopes) return answer({ failure: tooMany });
    const sessionId = randomBytes(16).toString("hex").toUpperCase();
    this.#scopes.set(sessionId, new BrowserScope(sessionId));
    const event = { sessionId, targetInfo: this.#browser, waitingForDebugger: false };
    this.#tell(parent, "Target.attachedToTarget", event);
    answer({ result: { sessionId } });
  }

  #detach(params: Fields, scope: BrowserScope, answer: (reply: Reply) => void): void {
    const sessionId = textOf(params["sessionId"]) ?? "";
    const ended = this.#scopes.get(sessionId);
    if (ended) {
      ended.ended = true;
      this.#attachments.detachAll(ended, "all");
      this.#scopes.delete(sessionId);
      this.#tell(scope, "Target.detachedFromTarget", { sessionId, targetId: this.#browser.targetId });
      answer({ result: {} });
    } else if (this.#attachments.get(sessionId)?.parent instanceof BrowserScope) {
      this.#upstream.ask("Target.detachFromTarget", { sessionId }, undefined, answer);
    } else answer({ failure: noSuchSession });
  }
}
