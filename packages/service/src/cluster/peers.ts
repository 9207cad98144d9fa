import { type Capacity, weightOf } from "./capacity.ts";
import type { HeldLease, Lease } from "../storage/lease-store.ts";

/** Another node that is there. */
export interface Peer {
  /** Its address, without a slash at its end. */
  readonly url: string;
  /** Aborts when it is not there any more. */
  readonly gone: AbortSignal;
}

/** Options of the peers. */
export interface PeersOptions {
  /** Name of this node. */
  readonly ownName: string;
  /** Finds the lease under which a session was created. */
  readonly hostOf: (sessionId: string) => Promise<Lease | undefined>;
  /** Looks at the leases anew, and tells of them by {@link Peers.saw}. */
  readonly look: () => Promise<void>;
}

/** Most sessions whose node is remembered. */
const mostRemembered = 10_000;

/** What nodes tell of themselves with each renewal. */
interface About {
  readonly url: string;
  readonly room: number;
  /** Default: 0, as of nodes of an earlier version. */
  readonly load?: number;
}

interface Known {
  readonly epoch: number;
  readonly peer: Peer;
  readonly end: AbortController;
  /** Of its newest renewal: another one tells anew. */
  mark: string;
  /** As it told last; without room once it has refused a session. */
  capacity: Capacity;
  /** Whether it has refused a run since its newest renewal; it may have room for sessions all the same. */
  refusesRuns: boolean;
  /** Monotonic times of the sessions placed on it that its newest renewal may not count yet. */
  asked: readonly number[];
}

/** The other nodes, and which sessions are theirs. */
export class Peers {
  readonly #options: PeersOptions;
  readonly #peers = new Map<string, Known>();
  /** The node of a session never changes. */
  readonly #names = new Map<string, string>();
  readonly #listeners: (() => void)[] = [];
  #sawMs = -Infinity;

  constructor(options: PeersOptions) {
    this.#options = options;
  }

  /** Takes note of who holds leases. A node that has another lease than before is another node: what was asked of the one before is over. */
  saw(held: readonly HeldLease[]): void {
    for (const [name, { epoch, end }] of this.#peers) {
      if (held.some((lease) => lease.name === name && lease.epoch === epoch)) continue;
      this.#peers.delete(name);
      end.abort();
    }
    for (const { name, epoch, mark, about } of held) {
      if (name === this.#options.ownName || !isAbout(about)) continue;
      const { url, room, load = 0 } = about;
      const capacity = { room, load };
      const known = this.#peers.get(name);
      if (known) {
        // It has renewed its lease since leases were seen the last time: what it was asked for before that it tells of.
        const asked = known.asked.filter((ms) => ms >= this.#sawMs);
        if (known.mark !== mark) Object.assign(known, { mark, capacity, asked, refusesRuns: false });
        continue;
      }
      const end = new AbortController();
      const peer = { url, gone: end.signal };
      this.#peers.set(name, { epoch, mark, end, capacity, refusesRuns: false, asked: [], peer });
    }
    this.#sawMs = performance.now();
    for (const tell of this.#listeners) tell();
  }

  /** Calls a function each time when what nodes tell of themselves was read. */
  whenSeen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Whether another node tells of room. */
  get haveRoom(): boolean {
    return [...this.#peers.values()].some(({ capacity }) => capacity.room > 0);
  }

  /** Looks at the leases anew, unless that was done a moment ago. */
  refresh(): Promise<void> {
    return this.#options.look();
  }

  /**
   * The node with the most room, if that is more than here: its reported room less the sessions placed on it since the report. Ties are
   * broken at random, so that not all nodes choose the same one. The node counts as having one less from now on. If no node has room by
   * this count, a node that reported some is returned: it refuses by itself when it is full.
   *
   * @param isForRun - True for a run: nodes that have refused one are passed over. Default: false.
   */
  roomier(own: Capacity, isForRun = false): Peer | undefined {
    const least = weightOf(own);
    const all = [...this.#peers.values()].filter(({ refusesRuns }) => !isForRun || !refusesRuns);
    const chosen = roomiest(all, leftOf, least) ?? (own.room > 0 ? undefined : roomiest(all, toldOf, least));
    if (chosen) chosen.asked = [...chosen.asked, performance.now()];
    return chosen?.peer;
  }

  /** A node takes no session now; it is not asked for any until it tells of its room anew. */
  isFull(peer: Peer): void {
    for (const known of this.#peers.values()) if (known.peer === peer) known.capacity = { ...known.capacity, room: 0 };
  }

  /** A node takes no run now; it is not asked for any until it tells anew. */
  refusesRuns(peer: Peer): void {
    for (const known of this.#peers.values()) if (known.peer === peer) known.refusesRuns = true;
  }

  /**
   * The node that has a session, or had it.
   *
   * @returns `own` for this one, and for sessions that nobody knows; `gone` when it is not there.
   * @throws {ServiceError} `storage-failed` when it can't be looked up.
   */
  async ownerOf(sessionId: string): Promise<Peer | "own" | "gone"> {
    const name = this.#names.get(sessionId) ?? (await this.#options.hostOf(sessionId))?.name;
    if (name === undefined) return "own";
    this.#remember(sessionId, name);
    return this.named(name);
  }

  /** The node of a name: `own` for this one, `gone` when it is not there. */
  async named(name: string): Promise<Peer | "own" | "gone"> {
    if (name === this.#options.ownName) return "own";
    // It may have come since leases were looked at.
    if (!this.#peers.has(name)) await this.#options.look();
    return this.#peers.get(name)?.peer ?? "gone";
  }

  /** Forgets all; whatever is asked of them is over. */
  close(): void {
    this.saw([]);
  }

  #remember(sessionId: string, name: string): void {
    this.#names.delete(sessionId);
    this.#names.set(sessionId, name);
    const [oldest] = this.#names.keys();
    if (this.#names.size > mostRemembered && oldest !== undefined) this.#names.delete(oldest);
  }
}

const toldOf = ({ capacity }: Known): Capacity => capacity;

const leftOf = ({ capacity, asked }: Known): Capacity => ({
  ...capacity,
  room: Math.max(0, capacity.room - asked.length),
});

/** One of those nodes that weigh most, when that is more than the least. */
function roomiest(all: readonly Known[], capacityIn: (known: Known) => Capacity, least: number): Known | undefined {
  const weights = all.map((known) => ({ known, weight: weightOf(capacityIn(known)) }));
  const most = Math.max(least, ...weights.map(({ weight }) => weight));
  const best = weights.filter(({ weight }) => weight === most && weight > least);
  return best[Math.floor(Math.random() * best.length)]?.known;
}

function isAbout(about: unknown): about is About {
  return (
    typeof about === "object" &&
    about !== null &&
    "url" in about &&
    typeof about.url === "string" &&
    "room" in about &&
    typeof about.room === "number"
  );
}
