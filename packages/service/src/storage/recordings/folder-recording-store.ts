import type {
  RecordedSession,
  Recorder,
  Recordings,
  RecordingView,
  Replay,
  StoredTimeline,
} from "@cloud-browser/recorder";
import type { RecordingStore } from "./recording-store.ts";

/** Recordings that stay in the folder in which they are made. */
export class FolderRecordingStore implements RecordingStore {
  readonly shippingLagMs = 0;
  readonly unshippedBytes = 0;
  readonly #recordings: Recordings;

  /** @param recordings - Of the folder. */
  constructor(recordings: Recordings) {
    this.#recordings = recordings;
  }

  begin(session: RecordedSession): Promise<Recorder> {
    return this.#recordings.begin(session);
  }

  getReplay(sessionId: string, waitMs?: number): Promise<Replay> {
    return this.#recordings.replay(sessionId, waitMs);
  }

  readTimeline(sessionId: string): Promise<StoredTimeline | undefined> {
    return this.#recordings.timeline(sessionId);
  }

  delete(sessionId: string): Promise<void> {
    return this.#recordings.delete(sessionId);
  }

  /** Resolves at once: a recording is in the folder from its beginning. */
  async waitUntilSecured(): Promise<void> {}

  async readViews(sessionIds: readonly string[]): Promise<ReadonlyMap<string, RecordingView>> {
    const views = new Map<string, RecordingView>();
    for (const id of sessionIds) {
      const view = this.#recordings.view(id);
      if (view) views.set(id, view);
    }
    return views;
  }

  async isShared(): Promise<boolean> {
    return false;
  }

  findLastSeen(sessionId: string): Promise<number | undefined> {
    return this.#recordings.lastSeen(sessionId);
  }

  findFault(): Promise<string | undefined> {
    return this.#recordings.fault();
  }

  recover(): Promise<void> {
    return this.#recordings.recover();
  }

  close(): Promise<void> {
    return this.#recordings.close();
  }

  get bytes(): number {
    return this.#recordings.bytes;
  }

  get lagMs(): number {
    return this.#recordings.lagMs;
  }
}
