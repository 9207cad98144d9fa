import pTimeout from "p-timeout";
import type { Logger } from "pino";
import { ServiceError } from "../service-error.ts";
import type { FileIndex } from "../storage/file-index.ts";
import type { FunctionStore } from "../storage/function-store.ts";
import type { Lease, LeaseStore } from "../storage/lease-store.ts";
import { migrate } from "../storage/postgres/migrations.ts";
import { PostgresDatabase } from "../storage/postgres/postgres-database.ts";
import type { HandoverStore } from "../storage/handover-store.ts";
import type { KeyStore } from "../storage/key-store.ts";
import { SqlHandoverStore } from "../storage/sql/sql-handover-store.ts";
import { SqlKeyStore } from "../storage/sql/sql-key-store.ts";
import { SqlFileIndex } from "../storage/sql/sql-file-index.ts";
import { SqlFunctionStore } from "../storage/sql/sql-function-store.ts";
import { SqlLeaseStore } from "../storage/sql/sql-lease-store.ts";
import { SqlProfileStore } from "../storage/sql/sql-profile-store.ts";
import { SqlRecordingIndex } from "../storage/sql/sql-recording-index.ts";
import { SqlRunStore } from "../storage/sql/sql-run-store.ts";
import { SqlSessionStore } from "../storage/sql/sql-session-store.ts";
import type { ProfileStore } from "../storage/profile-store.ts";
import type { RecordingIndex } from "../storage/recording-index.ts";
import type { RunStore } from "../storage/run-store.ts";
import type { SessionStore } from "../storage/session-store.ts";
import type { Capacity } from "./capacity.ts";
import { LeaseKeeper, type LeaseTimes } from "./lease-keeper.ts";
import { LeaseWatch } from "./lease-watch.ts";
import { machineClock } from "../monotonic-clock.ts";
import { followNewest } from "./newest-store.ts";
import { Peers } from "./peers.ts";

/** Options of a node. */
export interface ClusterNodeOptions {
  /** URL of the database that the nodes share. A secret. */
  readonly database: string;
  /** Name of this node, unique in the cluster. */
  readonly name: string;
  /** Address at which other nodes reach it, without a slash at its end. */
  readonly url: string;
  /** How long a lease lasts from its last renewal, in milliseconds; the same for all nodes. Default: 10,000. */
  readonly leaseMs?: number | undefined;
  /** The lease of the previous process, which is known to be dead. */
  readonly before: Lease | undefined;
  /** Called with each lease that is acquired. */
  readonly onLease: (lease: Lease) => void;
  /** Gets a line for what happens. */
  readonly log: Logger;
}

/** A lease is renewed every two seconds. After five seconds without renewal the node stops; after ten, others may end what it had. */
const defaultLeaseMs = 10_000;

/** Interval of the searches for sessions without an owner when no lease was revoked here, in reads of the leases. */
const recoverEveryPolls = 15;

/** Maximum age of the leases that are used to find a session, in milliseconds. */
const maxLeaseAgeMs = 250;

/** The stores of one lease. */
interface LeasedStores {
  readonly sessions: SqlSessionStore;
  readonly runs: SqlRunStore;
  readonly recordings: SqlRecordingIndex;
}

/** This process as one of the nodes that share a database. */
export class ClusterNode {
  /** The sessions of all nodes. Those of earlier leases of this node have ended. */
  readonly sessions: SessionStore = followNewest(() => this.#newest.sessions);
  /** The runs of all nodes. */
  readonly runs: RunStore = followNewest(() => this.#newest.runs);
  /** The recordings of all nodes, where they lie in a bucket. This one takes over those of its earlier leases as other nodes do. */
  readonly recordings: RecordingIndex = followNewest(() => this.#newest.recordings);
  /** The files of the sessions of all nodes. */
  readonly files: FileIndex;
  /** The functions of all nodes. */
  readonly functions: FunctionStore;
  /** The requests for a person of all nodes. */
  readonly handovers: HandoverStore;
  /** The keys of all nodes. */
  readonly keys: KeyStore;
  /** The profiles of all nodes. */
  readonly profiles: ProfileStore;
  /** The other nodes. */
  readonly peers: Peers;
  readonly #options: ClusterNodeOptions;
  readonly #database: PostgresDatabase;
  readonly #leases: LeaseStore;
  readonly #times: LeaseTimes;
  readonly #keeper: LeaseKeeper;
  readonly #watch: LeaseWatch;
  #stores: LeasedStores | undefined;
  /** Stores of earlier leases with ends that are not written yet. */
  readonly #unwritten = new Set<LeasedStores>();
  #capacity: () => Capacity = () => ({ room: 0, load: 0 });
  #closeAll: () => Promise<void> = () => Promise.resolve();
  #recover: () => Promise<void> = () => Promise.resolve();
  #polling: Promise<void> | undefined;
  #polledMs = -Infinity;
  #polls = 0;
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    options: ClusterNodeOptions,
    database: PostgresDatabase,
    lockDatabase: PostgresDatabase,
    leases: LeaseStore,
  ) {
    const { name, leaseMs = defaultLeaseMs, log } = options;
    this.#options = options;
    this.#database = database;
    this.#leases = leases;
    this.#times = { ttlMs: leaseMs, everyMs: leaseMs / 5, stopMs: leaseMs / 2 };
    this.handovers = new SqlHandoverStore(database);
    this.keys = new SqlKeyStore(database, lockDatabase);
    this.profiles = new SqlProfileStore(database);
    this.files = new SqlFileIndex(database);
    this.functions = new SqlFunctionStore(database, true, (err) => log.error({ err }, "a function can't be written"));
    this.#keeper = new LeaseKeeper({
      leases: this.#leases,
      name,
      before: options.before,
      about: () => ({ url: options.url, ...this.#capacity() }),
      times: this.#times,
      clock: machineClock,
      onHeld: (lease) => this.#hold(lease),
      onLost: async ({ epoch }) => {
        log.error(
          { epoch },
          "the lease of this node is lost: its sessions end, and it accepts none until it has a new lease",
        );
        await this.#closeAll();
      },
      onFault: (err) => log.warn({ err }, "the lease of this node could not be renewed"),
    });
    this.#watch = new LeaseWatch({ leases: this.#leases, ttlMs: leaseMs, clock: machineClock });
    this.peers = new Peers({
      ownName: name,
      findHost: (id) => this.sessions.findHost(id),
      readLeases: () => (performance.now() - this.#polledMs < maxLeaseAgeMs ? Promise.resolve() : this.#poll()),
    });
  }

  /**
   * Joins the cluster of a database: creates its tables, and waits for a lease.
   *
   * @param closing - Called with the way in which it leaves.
   * @throws {ServiceError} `usage` when another node has its name, or its URL is malformed; `storage-failed`.
   */
  static async join(options: ClusterNodeOptions, closing: AsyncDisposableStack): Promise<ClusterNode> {
    const { database: url, name, log, leaseMs = defaultLeaseMs } = options;
    const onFault = (err: unknown): void => log.debug({ err }, "a database connection was closed unexpectedly");
    const database = await PostgresDatabase.open(url, {}, onFault);
    closing.defer(() => database.close());
    await migrate(database);
    const lockDatabase = await PostgresDatabase.open(url, { connections: 3 }, onFault);
    closing.defer(() => lockDatabase.close());
    // A pool of its own: renewals wait for no other query, and time out early enough for another attempt.
    const leaseLimits = { connectMs: leaseMs / 8, statementMs: leaseMs / 8, connections: 3, marginMs: leaseMs / 16 };
    const leaseDatabase = await PostgresDatabase.open(url, leaseLimits, onFault);
    closing.defer(() => leaseDatabase.close());
    const node = new ClusterNode(options, database, lockDatabase, new SqlLeaseStore(leaseDatabase));
    closing.defer(() => node.#leave());
    const isHeld = node.#keeper.start().then(() => true);
    node.#startPolling();
    if (await pTimeout(isHeld, { milliseconds: 3 * leaseMs, fallback: () => false })) return node;
    throw new ServiceError(
      "usage",
      `another node of the cluster has the name ${name}, or leases can't be taken; give each node a name of its own with \`cluster.nodeName\``,
    );
  }

  /**
   * Throws while this node has no lease.
   *
   * @throws {ServiceError} `storage-failed`.
   */
  readonly requireLease = (): void => {
    if (this.#keeper.lease === undefined) throw new ServiceError("storage-failed", noLease);
  };

  /** The epoch of its lease; undefined while it has none. */
  get epoch(): number | undefined {
    return this.#keeper.lease?.epoch;
  }

  /** Reason why this node can't have sessions; undefined when it can. */
  get fault(): string | undefined {
    return this.#keeper.lease === undefined ? noLease : undefined;
  }

  /** How long ago the lease was renewed, by the request; undefined without one. In milliseconds. */
  get renewedAgoMs(): number | undefined {
    return this.#keeper.renewedAgoMs;
  }

  /** The age of the last renewal from which on its lease is at risk: one has failed or is late by half its interval. In milliseconds. */
  get renewalMs(): number {
    return 1.5 * this.#times.everyMs;
  }

  /** Releases its lease, so that another node can end what it had; takes no other. */
  async giveUp(): Promise<void> {
    await this.#keeper.close();
  }

  /** Number of nodes that hold a lease. */
  async countLeases(): Promise<number> {
    return (await this.#leases.list()).filter(({ isOver }) => !isOver).length;
  }

  /**
   * Starts to accept sessions.
   *
   * @param closeAll - Closes all sessions, within a quarter of the time of a lease.
   * @param recover - Ends sessions and runs without an owner.
   * @param capacity - Returns the free capacity of this node.
   */
  async begin(closeAll: () => Promise<void>, recover: () => Promise<void>, capacity: () => Capacity): Promise<void> {
    this.#capacity = capacity;
    this.#closeAll = closeAll;
    this.#recover = recover;
    await recover();
    // Other nodes know it from its first lease, as one without room.
    await this.#keeper.publish();
  }

  /** Writes pending changes. Returns the reason when some remain; undefined when none do. */
  async write(): Promise<string | undefined> {
    const stores = [...this.#unwritten].flatMap(({ sessions, runs }) => [sessions, runs]);
    for (const store of [...stores, this.sessions, this.functions, this.runs]) {
      const fault = await store.flush();
      if (fault !== undefined) return fault;
    }
    this.#unwritten.clear();
    return undefined;
  }

  get #newest(): LeasedStores {
    if (this.#stores) return this.#stores;
    throw new ServiceError("storage-failed", noLease);
  }

  #hold(lease: Lease): void {
    const { log, onLease } = this.#options;
    log.info({ epoch: lease.epoch }, "this node has a lease");
    const before = this.#stores;
    this.#stores = {
      sessions: new SqlSessionStore(this.#database, lease, (err) =>
        log.error({ err }, "a record of a session can't be written"),
      ),
      runs: new SqlRunStore(this.#database, lease, (err) => log.error({ err }, "a record of a run can't be written")),
      recordings: new SqlRecordingIndex(this.#database, lease),
    };
    onLease(lease);
    if (!before) return;
    this.#unwritten.add(before);
    // What it ended itself is written as it was; what is left then nobody knows of.
    this.write().then(
      () => this.#tryRecover(),
      (err: unknown) => log.warn({ err }, "what ended under an earlier lease could not be written"),
    );
  }

  async #tryRecover(): Promise<void> {
    const { log } = this.#options;
    await this.#recover().catch((err: unknown) =>
      log.warn({ err }, "failed to end the sessions and runs of lost nodes"),
    );
  }

  #startPolling(): void {
    this.#timer = setInterval(() => void this.#poll(), this.#times.everyMs);
    void this.#poll();
  }

  #poll(): Promise<void> {
    this.#polling ??= this.#pollOnce().finally(() => (this.#polling = undefined));
    return this.#polling;
  }

  async #pollOnce(): Promise<void> {
    const { log } = this.#options;
    try {
      const { leases, revoked } = await this.#watch.poll();
      this.#polledMs = performance.now();
      this.peers.update(leases);
      this.#polls += 1;
      for (const { name, epoch } of revoked)
        log.warn({ node: name, epoch }, "a node is lost; other nodes end its sessions and runs");
      if (revoked.length > 0 || this.#polls % recoverEveryPolls === 0) await this.#tryRecover();
    } catch (err) {
      log.warn({ err }, "failed to read the leases of other nodes");
    }
  }

  async #leave(): Promise<void> {
    clearInterval(this.#timer);
    await this.#polling;
    this.peers.close();
    await this.#keeper.close();
  }
}

const noLease = "this node has lost its lease and accepts nothing until it has a new one; try again";
