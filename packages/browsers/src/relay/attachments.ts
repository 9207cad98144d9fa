import type { BrowserScope } from "./browser-scope.ts";
import { type Fields, textOf } from "../devtools/message.ts";
import { belongsToPages, readTargetInfo, type TargetInfo } from "./target-info.ts";
import type { Reply, Upstream } from "./upstream.ts";

/** A session that the client is attached to a target by. */
export interface Attachment {
  /** Target that it is attached to. */
  readonly targetId: string;
  /** Who attached: one of the client's browser sessions, or the id of the session above of it. */
  readonly parent: BrowserScope | string;
}

/** Sessions that one connection may have at once. More are no use, and each costs the browser memory. */
const mostSessions = 2_000;

interface Attempt {
  readonly scope: BrowserScope;
  readonly automatic: boolean;
  /** True when the event of it has come; its answer follows. */
  attached: boolean;
}

/** Every session of one client, and those that are being made. */
export class Attachments {
  readonly #upstream: Upstream;
  readonly #sessions = new Map<string, Attachment>();
  readonly #underWay = new Map<string, Attempt[]>();
  /** Attempts under way that have led to no session yet. */
  #expected = 0;
  readonly #waitingForTarget = new Map<string, (() => void)[]>();

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /** The session of an id, when the client has it. */
  get(sessionId: string): Attachment | undefined {
    return this.#sessions.get(sessionId);
  }

  /** True when no further session may be made. */
  get isFull(): boolean {
    return this.#sessions.size + this.#expected >= mostSessions;
  }

  /** Attaches to a target. The event of it comes before the answer. */
  attach(scope: BrowserScope, targetId: string, automatic: boolean, due: (reply: Reply) => void): void {
    const attempt: Attempt = { scope, automatic, attached: false };
    this.#expected += 1;
    const attempts = this.#underWay.get(targetId) ?? [];
    this.#underWay.set(targetId, [...attempts, attempt]);
    if (automatic) scope.attached.set(targetId, undefined);
    this.#upstream.ask("Target.attachToTarget", { targetId, flatten: true }, undefined, (reply) => {
      if (!attempt.attached) this.#expected -= 1;
      if (reply.failure && automatic) scope.attached.delete(targetId);
      this.#settle(targetId, attempt);
      due(reply);
    });
  }

  /** Calls back when nothing is being attached to a target: at once, or later. */
  whenSettled(targetId: string, due: () => void): void {
    if (!this.#underWay.has(targetId)) due();
    else this.#waitingForTarget.set(targetId, [...(this.#waitingForTarget.get(targetId) ?? []), due]);
  }

  /** Takes the browser's word that the connection was attached to a target; returns for whom, or undefined when for nobody. */
  attachedByBrowser({ sessionId, targetInfo }: Fields): BrowserScope | undefined {
    const info = readTargetInfo(targetInfo);
    const id = textOf(sessionId);
    const attempt = info && this.#underWay.get(info.targetId)?.find((one) => !one.attached);
    if (!info || id === undefined || !attempt) return undefined;
    attempt.attached = true;
    this.#expected -= 1;
    if (attempt.scope.ended) {
      this.#upstream.ask("Target.detachFromTarget", { sessionId: id });
      return undefined;
    }
    if (attempt.automatic) attempt.scope.attached.set(info.targetId, id);
    this.#sessions.set(id, { targetId: info.targetId, parent: attempt.scope });
    return attempt.scope;
  }

  /** Takes the browser's word that a session was attached to a frame or worker below of it; returns whether the client may have it. */
  attachedBelow(parent: string, { sessionId, targetInfo }: Fields): boolean {
    const info: TargetInfo | undefined = readTargetInfo(targetInfo);
    const id = textOf(sessionId);
    if (!info || id === undefined || !this.#sessions.has(parent)) return false;
    if (!belongsToPages(info)) {
      this.#upstream.ask("Runtime.runIfWaitingForDebugger", {}, id);
      this.#upstream.ask("Target.detachFromTarget", { sessionId: id }, parent);
      return false;
    }
    this.#sessions.set(id, { targetId: info.targetId, parent });
    return true;
  }

  /** Takes the browser's word that a session has ended; returns what it was. */
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

  /** Ends every session that a browser session of the client attached. */
  detachAll(scope: BrowserScope, which: "all" | "automatic"): void {
    for (const [id, session] of this.#sessions) {
      if (session.parent !== scope) continue;
      if (which === "automatic" && scope.attached.get(session.targetId) !== id) continue;
      this.#upstream.ask("Target.detachFromTarget", { sessionId: id });
    }
  }

  #settle(targetId: string, attempt: Attempt): void {
    const left = (this.#underWay.get(targetId) ?? []).filter((other) => other !== attempt);
    if (left.length > 0) {
      this.#underWay.set(targetId, left);
      return;
    }
    this.#underWay.delete(targetId);
    const due = this.#waitingForTarget.get(targetId) ?? [];
    this.#waitingForTarget.delete(targetId);
    for (const run of due) run();
  }
}
