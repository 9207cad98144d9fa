/** Markdown of a page, as it was read once. */
export interface Snapshot {
  readonly markdown: string;
  /** True when what nobody sees was left out. */
  readonly isVisible: boolean;
  /** When it was read, in milliseconds since 1970. */
  readonly readAtMs: number;
}

/** Keeps what was read of pages, so that reading on shows the same text. */
export interface SnapshotStore {
  /** Keeps Markdown under a key, in place of what was there. */
  readonly keep: (key: string, read: Omit<Snapshot, "readAtMs">) => Snapshot;
  /** Returns what is kept under a key. */
  readonly find: (key: string) => Snapshot | undefined;
}

/** Most snapshots that are kept. */
const mostSnapshots = 16;
/** Most characters that all of them have. */
const mostChars = 64 * 1024 * 1024;
/** How long they are kept, in milliseconds. */
const keptMs = 30 * 60_000;

/** Creates a store that keeps the newest snapshots, for half an hour. */
export function createSnapshotStore(now: () => number = Date.now): SnapshotStore {
  const kept = new Map<string, Snapshot>();
  return {
    keep(key, read) {
      const snapshot = { ...read, readAtMs: now() };
      kept.delete(key);
      kept.set(key, snapshot);
      let chars = [...kept.values()].reduce((sum, one) => sum + one.markdown.length, 0);
      for (const [old, one] of kept) {
        if (kept.size <= 1 || (kept.size <= mostSnapshots && chars <= mostChars)) break;
        chars -= one.markdown.length;
        kept.delete(old);
      }
      return snapshot;
    },
    find(key) {
      const found = kept.get(key);
      if (found === undefined || now() - found.readAtMs <= keptMs) return found;
      kept.delete(key);
      return undefined;
    },
  };
}
