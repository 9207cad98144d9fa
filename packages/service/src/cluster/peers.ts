import { type Capacity, weighCapacity } from "./capacity.ts";
import type { HeldLease, Lease } from "../storage/lease-store.ts";

/** Another node that holds a lease. */
export interface Peer {
  /** Its address, without a slash at its end. */
  readonly url: string;
  /** Aborts when it loses its lease. */
  readonly gone: AbortSignal;
}

/** Options of the peers. */
export interface PeersOptions {
  /** Name of this node. */
  readonly ownName: string;
  /** Finds the lease under which a session was created. */
  readonly findHost: (sessionId: string) => Promise<Lease | undefined>;
  /** Reads the leases again, and passes them to {@link Peers.update}. */
  readonly readLeases: () => Promise<void>;
}

/** Maximum number of sessions whose node is cached. */
const maxCachedOwners = 10_000;

/** How long a node that did not answer is left out, in milliseconds: as long as a lease lasts by default. */
const silentMs = 10_000;

/** Data that a node publishes with each renewal of its lease. */
interface NodeInfo {
  readonly url: string;
  readonly room: number;
  /** Default: 0, as of nodes of an earlier version. */
  readonly load?: number;
}

interface Known {
  readonly epoch: number;
  readonly peer: Peer;
  readonly end: AbortController;
  /** Mark of its newest renewal; it differs after the next one. */
  mark: string;
  /** As it published last; without room after it has refused a session. */
  capacity: Capacity;
  /** True when it has refused a run since its newest renewal; it may still have room for sessions. */
  refusesRuns: boolean;
  /** Until when it is left out, as it did not answer, on the monotonic clock. */
  silentUntilMs: number;
  /** Monotonic times of the sessions placed on it that its newest renewal may not count yet. */
  placements: readonly number[];
}

/** The other nodes of the cluster, and the owners of sessions. */
export class Peers {
  readonly #options: PeersOptions;
  readonly #peers = new Map<string, Known>();
  /** The node of a session never changes. */
  readonly #owners = new Map<string, string>();
  readonly #listeners: (() => void)[] = [];
  #updatedMs = -Infinity;

  constructor(options: PeersOptions) {
    this.#options = options;
  }

  /** Updates the nodes from their leases. A node with a new lease is a new node: requests to the former one are aborted. */
  update(leases: readonly HeldLease[]): void {
    for (const [name, { epoch, end }] of this.#peers) {
      if (leases.some((lease) => lease.name === name && lease.epoch === epoch)) continue;
      this.#peers.delete(name);
      end.abort();
    }
    for (const { name, epoch, mark, about } of leases) {
      if (name === this.#options.ownName || !isNodeInfo(about)) continue;
      const { url, room, load = 0 } = about;
      const capacity = { room, load };
      const node = this.#peers.get(name);
      if (node) {
        // It has renewed its lease since the last reading: its figures include the sessions placed on it before.
        const placements = node.placements.filter((ms) => ms >= this.#updatedMs);
        if (node.mark !== mark) Object.assign(node, { mark, capacity, asked: placements, refusesRuns: false });
        continue;
      }
      const end = new AbortController();
      const peer = { url, gone: end.signal };
      this.#peers.set(name, {
        epoch,
        mark,
        end,
        capacity,
        refusesRuns: false,
        silentUntilMs: -Infinity,
        placements: [],
        peer,
      });
    }
    this.#updatedMs = performance.now();
    for (const tell of this.#listeners) tell();
  }

  /** Calls a function after each reading of the leases. */
  onUpdate(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** All other nodes that hold a lease. */
  get all(): readonly Peer[] {
    return [...this.#peers.values()].map(({ peer }) => peer);
  }

  /** True when another node has published room. */
  get haveRoom(): boolean {
    return this.#answering.some(({ capacity }) => capacity.room > 0);
  }

  /** Reads the leases again, unless that was done a moment ago. */
  refresh(): Promise<void> {
    return this.#options.readLeases();
  }

  /**
   * The node with the most room, if that is more than here: its reported room less the sessions placed on it since the report. Ties are
   * broken at random, so that not all nodes choose the same one. The node counts as having one less from now on. If no node has room by
   * this count, a node that reported some is returned: it refuses by itself when it is full.
   *
   * @param isForRun - True for a run: nodes that have refused one are passed over. Default: false.
   */
  findPeerWithMoreRoom(own: Capacity, isForRun = false): Peer | undefined {
    const least = weighCapacity(own);
    const all = this.#answering.filter(({ refusesRuns }) => !isForRun || !refusesRuns);
    const chosen =
      findWithMostRoom(all, computeRemaining, least) ??
      (own.room > 0 ? undefined : findWithMostRoom(all, readReported, least));
    if (chosen) chosen.placements = [...chosen.placements, performance.now()];
    return chosen?.peer;
  }

  /** Marks a node as full: it is not asked for a session until its next renewal. */
  markFull(peer: Peer): void {
    for (const node of this.#peers.values()) if (node.peer === peer) node.capacity = { ...node.capacity, room: 0 };
  }

  /** Marks a node as silent: for ten seconds it is asked for nothing that another one can have, even if it renews its lease. */
  markSilent(peer: Peer): void {
    for (const node of this.#peers.values()) if (node.peer === peer) node.silentUntilMs = performance.now() + silentMs;
  }

  /** Marks a node as full for runs: it is not asked for one until its next renewal. */
  markFullForRuns(peer: Peer): void {
    for (const node of this.#peers.values()) if (node.peer === peer) node.refusesRuns = true;
  }

  /**
   * Returns the node that has or had a session.
   *
   * @returns `own` for this node, and for unknown sessions; `gone` when the node holds no lease any more.
   * @throws {ServiceError} `storage-failed` when it can't be looked up.
   */
  async findOwner(sessionId: string): Promise<Peer | "own" | "gone"> {
    const name = this.#owners.get(sessionId) ?? (await this.#options.findHost(sessionId))?.name;
    if (name === undefined) return "own";
    this.#cacheOwner(sessionId, name);
    return this.findByName(name);
  }

  /** Returns the node with a name: `own` for this one, `gone` when it holds no lease. */
  async findByName(name: string): Promise<Peer | "own" | "gone"> {
    if (name === this.#options.ownName) return "own";
    // It may have joined since the last reading.
    if (!this.#peers.has(name)) await this.#options.readLeases();
    return this.#peers.get(name)?.peer ?? "gone";
  }

  /** Forgets all nodes, and aborts requests to them. */
  close(): void {
    this.update([]);
  }

  get #answering(): readonly Known[] {
    const now = performance.now();
    return [...this.#peers.values()].filter(({ silentUntilMs }) => silentUntilMs <= now);
  }

  #cacheOwner(sessionId: string, name: string): void {
    this.#owners.delete(sessionId);
    this.#owners.set(sessionId, name);
    const [oldest] = this.#owners.keys();
    if (this.#owners.size > maxCachedOwners && oldest !== undefined) this.#owners.delete(oldest);
  }
}

const readReported = ({ capacity }: Known): Capacity => capacity;

const computeRemaining = ({ capacity, placements }: Known): Capacity => ({
  ...capacity,
  room: Math.max(0, capacity.room - placements.length),
});

/** Returns one of the nodes with the greatest weight, if that is more than `least`. */
function findWithMostRoom(
  all: readonly Known[],
  readCapacity: (node: Known) => Capacity,
  least: number,
): Known | undefined {
  const weights = all.map((node) => ({ known: node, weight: weighCapacity(readCapacity(node)) }));
  const most = Math.max(least, ...weights.map(({ weight }) => weight));
  const best = weights.filter(({ weight }) => weight === most && weight > least);
  return best[Math.floor(Math.random() * best.length)]?.known;
}

function isNodeInfo(about: unknown): about is NodeInfo {
  return (
    typeof about === "object" &&
    about !== null &&
    "url" in about &&
    typeof about.url === "string" &&
    "room" in about &&
    typeof about.room === "number"
  );
}
