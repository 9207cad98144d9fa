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
  const snapshots = new Map<string, Snapshot>();
  return {
    keep(key, read) {
      const snapshot = { ...read, readAtMs: now() };
      snapshots.delete(key);
      snapshots.set(key, snapshot);
      let chars = [...snapshots.values()].reduce((sum, one) => sum + one.markdown.length, 0);
      for (const [old, one] of snapshots) {
        if (snapshots.size <= 1 || (snapshots.size <= mostSnapshots && chars <= mostChars)) break;
        chars -= one.markdown.length;
        snapshots.delete(old);
      }
      return snapshot;
    },
    find(key) {
      const found = snapshots.get(key);
      if (found === undefined || now() - found.readAtMs <= keptMs) return found;
      snapshots.delete(key);
      return undefined;
    },
  };
}
