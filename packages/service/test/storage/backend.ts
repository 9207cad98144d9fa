import type { FileIndex } from "../../src/storage/file-index.ts";
import type { FunctionStore } from "../../src/storage/function-store.ts";
import type { HandoverStore } from "../../src/storage/handover-store.ts";
import type { KeyStore } from "../../src/storage/key-store.ts";
import type { RecordingIndex } from "../../src/storage/recording-index.ts";
import type { LeaseStore } from "../../src/storage/lease-store.ts";
import type { ProfileStore } from "../../src/storage/profile-store.ts";
import type { RunStore } from "../../src/storage/run-store.ts";
import type { SessionStore } from "../../src/storage/session-store.ts";

/** The stores as one process has them. */
export interface Stores {
  readonly sessions: SessionStore;
  readonly functions: FunctionStore;
  readonly runs: RunStore;
  readonly leases: LeaseStore;
  readonly keys: KeyStore;
  readonly recordings: RecordingIndex;
  readonly handovers: HandoverStore;
  readonly profiles: ProfileStore;
  readonly files: FileIndex;
  /** What the stores told could not be written. */
  readonly faults: readonly unknown[];
}

/** What keeps the records, empty at first. */
export interface Backend extends AsyncDisposable {
  /** Opens the stores as a process does that starts after the one before it died. */
  open(): Promise<Stores>;
  /** Whether writes succeed from now on; reads do in any case. */
  setWritable(isWritable: boolean): Promise<void>;
  /** Lets the clock go on until the time of a lease is over. */
  expire(name: string): Promise<void>;
  /** Sets the clock back, so that the time of a lease is not over. */
  setBack(name: string): Promise<void>;
}
