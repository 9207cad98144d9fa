import { type Fields, asText } from "./message.ts";

/** A session of the DevTools protocol. */
export interface AttachedSession<Owner> {
  /** Its owner; undefined for the driver. */
  readonly owner: Owner | undefined;
  /** Browser context of its target; undefined for the browser itself. */
  readonly contextId: string | undefined;
  /** Session that it was attached by; undefined for the connection itself. */
  readonly parent: string | undefined;
}

/** A target that the browser has reported. */
export interface KnownTarget {
  /** Its browser context. */
  readonly contextId: string;
  /** Its latest info. */
  readonly targetInfo: Fields;
}

/** Sessions and targets of one connection to a browser, and the browser contexts that they belong to. */
export class AttachedSessions<Owner> {
  readonly #sessions = new Map<string, AttachedSession<Owner>>();
  readonly #targets = new Map<string, KnownTarget>();

  /** Returns the session with an id, or undefined if no session has it. */
  get(sessionId: string): AttachedSession<Owner> | undefined {
    return this.#sessions.get(sessionId);
  }

  /** Adds a session of an owner with the browser itself. */
  add(sessionId: string, owner: Owner): void {
    this.#sessions.set(sessionId, { owner, contextId: undefined, parent: undefined });
  }

  /** Adds the session of a `Target.attachedToTarget` event; it has the owner of its parent. */
  attach(params: Fields, info: Fields | undefined, parent: string | undefined): void {
    const child = asText(params["sessionId"]);
    if (child === undefined) return;
    const above = parent === undefined ? undefined : this.#sessions.get(parent);
    const contextId = asText(info?.["browserContextId"]) ?? above?.contextId;
    this.#sessions.set(child, { owner: above?.owner, contextId, parent });
  }

  /** Removes a session with its child sessions; returns the ids of all of them. */
  remove(sessionId: string): ReadonlySet<string> {
    const removed = new Set([sessionId]);
    // Children are added after their parents.
    for (const [id, { parent }] of this.#sessions) if (parent !== undefined && removed.has(parent)) removed.add(id);
    for (const id of removed) this.#sessions.delete(id);
    return removed;
  }

  /** Updates the target of a `Target.target…` event. */
  updateTarget(method: string, params: Fields | undefined, info: Fields | undefined, contextId: string): void {
    const targetId = asText(info?.["targetId"]) ?? asText(params?.["targetId"]) ?? "";
    if (info) this.#targets.set(targetId, { contextId, targetInfo: info });
    if (method === "Target.targetDestroyed") this.#targets.delete(targetId);
  }

  /** Returns the targets of a browser context. */
  listTargets(contextId: string): KnownTarget[] {
    return [...this.#targets.values()].filter((target) => target.contextId === contextId);
  }

  /** Returns the context of an event of the browser itself. */
  findContext(params: Fields | undefined, info: Fields | undefined): string | undefined {
    const named = asText(info?.["browserContextId"]);
    if (named !== undefined) return named;
    const session = this.#sessions.get(asText(params?.["sessionId"]) ?? "");
    return session?.contextId ?? this.#targets.get(asText(params?.["targetId"]) ?? "")?.contextId;
  }
}
