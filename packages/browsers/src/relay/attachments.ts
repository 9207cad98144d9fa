import type { BrowserScope } from "./browser-scope.ts";
import { type Fields, asText } from "../devtools/message.ts";
import { belongsToPages, readTargetInfo, type TargetInfo } from "./target-info.ts";
import type { Reply, Upstream } from "./upstream.ts";

/** A session that attaches the client to a target. */
export interface Attachment {
  /** Id of the target. */
  readonly targetId: string;
  /** Parent: a browser session of the client, or the id of the parent session. */
  readonly parent: BrowserScope | string;
}

/** Limit of sessions per connection: each costs the browser memory. */
const maxSessions = 2_000;

interface Attempt {
  readonly scope: BrowserScope;
  readonly automatic: boolean;
  /** True once its event was received; its response follows. */
  attached: boolean;
}

/** All sessions of one client, pending ones included. */
export class Attachments {
  readonly #upstream: Upstream;
  readonly #sessions = new Map<string, Attachment>();
  readonly #pending = new Map<string, Attempt[]>();
  /** Number of pending attempts without a session yet. */
  #pendingSessions = 0;
  readonly #settleCallbacks = new Map<string, (() => void)[]>();

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /** Returns the session with an id; undefined if the client does not have it. */
  get(sessionId: string): Attachment | undefined {
    return this.#sessions.get(sessionId);
  }

  /** True when the limit of sessions is reached. */
  get isFull(): boolean {
    return this.#sessions.size + this.#pendingSessions >= maxSessions;
  }

  /** Attaches to a target. Its event is sent before the response. */
  attach(scope: BrowserScope, targetId: string, automatic: boolean, due: (reply: Reply) => void): void {
    const attempt: Attempt = { scope, automatic, attached: false };
    this.#pendingSessions += 1;
    const attempts = this.#pending.get(targetId) ?? [];
    this.#pending.set(targetId, [...attempts, attempt]);
    if (automatic) scope.attached.set(targetId, undefined);
    this.#upstream.request("Target.attachToTarget", { targetId, flatten: true }, undefined, (reply) => {
      if (!attempt.attached) this.#pendingSessions -= 1;
      if (reply.failure && automatic) scope.attached.delete(targetId);
      this.#settle(targetId, attempt);
      due(reply);
    });
  }

  /** Calls back when no attempt to attach to a target is pending: at once, or later. */
  whenSettled(targetId: string, due: () => void): void {
    if (!this.#pending.has(targetId)) due();
    else this.#settleCallbacks.set(targetId, [...(this.#settleCallbacks.get(targetId) ?? []), due]);
  }

  /** Handles `Target.attachedToTarget` of the browser; returns the scope that it is for, or undefined. */
  attachedByBrowser({ sessionId, targetInfo }: Fields): BrowserScope | undefined {
    const info = readTargetInfo(targetInfo);
    const id = asText(sessionId);
    const attempt = info && this.#pending.get(info.targetId)?.find((one) => !one.attached);
    if (!info || id === undefined || !attempt) return undefined;
    attempt.attached = true;
    this.#pendingSessions -= 1;
    if (attempt.scope.ended) {
      this.#upstream.request("Target.detachFromTarget", { sessionId: id });
      return undefined;
    }
    if (attempt.automatic) attempt.scope.attached.set(info.targetId, id);
    this.#sessions.set(id, { targetId: info.targetId, parent: attempt.scope });
    return attempt.scope;
  }

  /** Handles `Target.attachedToTarget` of a child (frame or worker) of a session; returns whether the client may have it. */
  attachBelow(parent: string, { sessionId, targetInfo }: Fields): boolean {
    const info: TargetInfo | undefined = readTargetInfo(targetInfo);
    const id = asText(sessionId);
    if (!info || id === undefined || !this.#sessions.has(parent)) return false;
    if (!belongsToPages(info)) {
      this.#upstream.request("Runtime.runIfWaitingForDebugger", {}, id);
      this.#upstream.request("Target.detachFromTarget", { sessionId: id }, parent);
      return false;
    }
    this.#sessions.set(id, { targetId: info.targetId, parent });
    return true;
  }

  /** Handles the end of a session; returns the session. */
  detached(sessionId: string): Attachment | undefined {
    const session = this.#sessions.get(sessionId);
    if (!session) return undefined;
    this.#sessions.delete(sessionId);
    if (typeof session.parent !== "string" && session.parent.attached.get(session.targetId) === sessionId) {
      session.parent.attached.delete(session.targetId);
    }
    for (const [id, { parent }] of this.#sessions) if (parent === sessionId) this.detached(id);
    return session;
  }

  /** Detaches every session that a browser session of the client attached. */
  detachAll(scope: BrowserScope, which: "all" | "automatic"): void {
    for (const [id, session] of this.#sessions) {
      if (session.parent !== scope) continue;
      if (which === "automatic" && scope.attached.get(session.targetId) !== id) continue;
      this.#upstream.request("Target.detachFromTarget", { sessionId: id });
    }
  }

  #settle(targetId: string, attempt: Attempt): void {
    const left = (this.#pending.get(targetId) ?? []).filter((other) => other !== attempt);
    if (left.length > 0) {
      this.#pending.set(targetId, left);
      return;
    }
    this.#pending.delete(targetId);
    const due = this.#settleCallbacks.get(targetId) ?? [];
    this.#settleCallbacks.delete(targetId);
    for (const run of due) run();
  }
}
