import type { Lease } from "../storage/lease-store.ts";
import type { RecordingState } from "@cloud-browser/recorder";
import type { IndexedRecording, RecordingIndex, TakenRecording } from "../storage/recording-index.ts";
import type { RunChange, RunEvent, RunRecord, RunStore, RunUsage } from "../storage/run-store.ts";
import type { EndReason, LastPage, SessionFilter, SessionRecord, SessionStore } from "../storage/session-store.ts";

/** The sessions of a node, in the store of its current or last lease. Sessions of earlier leases have ended. */
export class LeasedSessionStore implements SessionStore {
  readonly #store: () => SessionStore;

  /** @param store - The store of the newest lease. */
  constructor(store: () => SessionStore) {
    this.#store = store;
  }

  create(sessionId: string, createdMs: number, key?: string | null): Promise<void> {
    return this.#store().create(sessionId, createdMs, key);
  }

  locate(sessionId: string, url: string | null, title: string | null): Promise<void> {
    return this.#store().locate(sessionId, url, title);
  }

  end(sessionId: string, endedMs: number, reason: EndReason, page?: LastPage | null): Promise<void> {
    return this.#store().end(sessionId, endedMs, reason, page);
  }

  get(sessionId: string): Promise<SessionRecord | undefined> {
    return this.#store().get(sessionId);
  }

  settled(sessionId: string): Promise<SessionRecord | undefined> {
    return this.#store().settled(sessionId);
  }

  hostOf(sessionId: string): Promise<Lease | undefined> {
    return this.#store().hostOf(sessionId);
  }

  list(limit: number, filter?: SessionFilter): Promise<readonly SessionRecord[]> {
    return this.#store().list(limit, filter);
  }

  openElsewhere(key: string): Promise<number> {
    return this.#store().openElsewhere(key);
  }

  recover(nowMs: number, lastSeenMs: (sessionId: string) => Promise<number | undefined>): Promise<number> {
    return this.#store().recover(nowMs, lastSeenMs);
  }

  flush(): Promise<string | undefined> {
    return this.#store().flush();
  }
}

/** The runs of a node, in the store of its current or last lease. */
export class LeasedRunStore implements RunStore {
  readonly #store: () => RunStore;

  /** @param store - The store of the newest lease. */
  constructor(store: () => RunStore) {
    this.#store = store;
  }

  create(threadId: string, startedMs: number, key?: string | null, task?: string | null): Promise<void> {
    return this.#store().create(threadId, startedMs, key, task);
  }

  change(threadId: string, change: RunChange): Promise<void> {
    return this.#store().change(threadId, change);
  }

  get(threadId: string): Promise<RunRecord | undefined> {
    return this.#store().get(threadId);
  }

  settled(threadId: string): Promise<RunRecord | undefined> {
    return this.#store().settled(threadId);
  }

  outcome(threadId: string): Promise<string | null> {
    return this.#store().outcome(threadId);
  }

  append(threadId: string, events: readonly RunEvent[], oldest: number): Promise<void> {
    return this.#store().append(threadId, events, oldest);
  }

  events(threadId: string, after: number, bytes: number): Promise<readonly RunEvent[]> {
    return this.#store().events(threadId, after, bytes);
  }

  hostOf(threadId: string): Promise<Lease | undefined> {
    return this.#store().hostOf(threadId);
  }

  ofSessions(sessionIds: readonly string[]): Promise<readonly RunRecord[]> {
    return this.#store().ofSessions(sessionIds);
  }

  active(limit: number, key?: string | null): Promise<readonly RunRecord[]> {
    return this.#store().active(limit, key);
  }

  ended(limit: number, key?: string | null): Promise<readonly RunRecord[]> {
    return this.#store().ended(limit, key);
  }

  usage(key: string, sinceMs: number): Promise<RunUsage> {
    return this.#store().usage(key, sinceMs);
  }

  recover(nowMs: number): Promise<number> {
    return this.#store().recover(nowMs);
  }

  flush(): Promise<string | undefined> {
    return this.#store().flush();
  }
}

/** The recording index of a node, under its current or last lease. It takes over recordings of its earlier leases as other nodes do. */
export class LeasedRecordingIndex implements RecordingIndex {
  readonly #index: () => RecordingIndex;

  /** @param index - Of the newest lease. */
  constructor(index: () => RecordingIndex) {
    this.#index = index;
  }

  async create(state: RecordingState): Promise<void> {
    await this.#index().create(state);
  }

  async change(state: RecordingState, folder: string | null): Promise<boolean> {
    return this.#index().change(state, folder);
  }

  async expire(sessionId: string, nowMs: number): Promise<boolean> {
    return this.#index().expire(sessionId, nowMs);
  }

  async remove(sessionId: string): Promise<void> {
    await this.#index().remove(sessionId);
  }

  async get(sessionIds: readonly string[]): Promise<readonly IndexedRecording[]> {
    return this.#index().get(sessionIds);
  }

  async take(sessionId: string): Promise<"own" | "taken" | "unknown"> {
    return this.#index().take(sessionId);
  }

  async takeUnfinished(limit: number): Promise<readonly RecordingState[]> {
    return this.#index().takeUnfinished(limit);
  }

  async takeDone(limit: number): Promise<readonly TakenRecording[]> {
    return this.#index().takeDone(limit);
  }

  async takeDue(nowMs: number, limit: number): Promise<readonly RecordingState[]> {
    return this.#index().takeDue(nowMs, limit);
  }

  async forget(nowMs: number): Promise<void> {
    await this.#index().forget(nowMs);
  }
}
