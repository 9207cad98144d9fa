/** Markdown of a page, as it was read once. */
export interface Snapshot {
  readonly markdown: string;
  /** True when invisible content was left out. */
  readonly isVisible: boolean;
  /** Time of reading, in milliseconds since 1970. */
  readonly readAtMs: number;
}

/** Store of snapshots of pages, so that the next part comes from the same text. */
export interface SnapshotStore {
  /** Stores Markdown under a key, replacing an older snapshot. */
  readonly keep: (key: string, read: Omit<Snapshot, "readAtMs">) => Snapshot;
  /** Returns the snapshot under a key. */
  readonly find: (key: string) => Snapshot | undefined;
}

/** Maximum number of snapshots. */
const mostSnapshots = 16;
/** Maximum number of characters of all of them. */
const mostChars = 64 * 1024 * 1024;
/** Lifetime of a snapshot, in milliseconds. */
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
