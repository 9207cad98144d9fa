import { LeaseKeeper, type LeaseTimes } from "../../src/cluster/lease-keeper.ts";
import { LeaseWatch } from "../../src/cluster/lease-watch.ts";
import type { MonotonicClock } from "../../src/monotonic-clock.ts";
import type { HeldLease, Lease, LeaseStore } from "../../src/storage/lease-store.ts";

/** Something that happens to the world at a moment. Times are in seconds of the world. */
export type Mishap =
  | { readonly kind: "pause" | "crash"; readonly at: number; readonly node: number; readonly for: number }
  | { readonly kind: "cut"; readonly at: number; readonly node: number; readonly for: number; readonly what: Way }
  | { readonly kind: "clock"; readonly at: number; readonly by: number };

/** Requests that do not arrive, or answers that do not. */
type Way = "requests" | "answers";

/** One history. */
export interface History {
  /** How fast the clock of each node goes; one per node. */
  readonly rates: readonly number[];
  /** What happens. */
  readonly mishaps: readonly Mishap[];
  /** How long each message takes, in turn; how each node that goes on takes up what waits for it. */
  readonly delays: readonly number[];
}

/** What may be taken out, to see that it is missed. */
export interface Weakness {
  /** The store as a keeper asks it. */
  readonly asSeen?: (leases: LeaseStore) => LeaseStore;
  /** Times of keepers that differ. */
  readonly times?: Partial<LeaseTimes>;
  /** How long a watch sees a lease unchanged before it is over. */
  readonly watchMs?: number;
}

/** What was seen in a history. */
export interface Seen {
  readonly violations: readonly string[];
  /** How many leases were revoked by other nodes. */
  readonly revoked: number;
  /** How often a node lost its lease. */
  readonly lost: number;
  /** Nodes that hold a lease in the end. */
  readonly holders: number;
}

const times: LeaseTimes = { ttlMs: 10, everyMs: 2, stopMs: 5 };
/** How long a node takes to close its browsers, and waits for an answer of the store. */
const closingMs = 2.5;
const patienceMs = 3;
/** How long the world lasts, and how much of that is without mishaps. */
const horizon = 70;
/** Mishaps begin before this. */
export const lastMishap = 25;

interface Event {
  readonly at: number;
  readonly order: number;
  readonly call: () => void;
}

interface Row extends Lease {
  expires: number;
  renewals: number;
  isRevoked: boolean;
}

/** Lets real keepers and watches live through a history, in a world of its own. */
export async function live(history: History, weakness: Weakness = {}): Promise<Seen> {
  return new World(history, weakness).run();
}

class World {
  now = 0;
  readonly rows: Row[] = [];
  readonly violations: string[] = [];
  readonly nodes: Node[];
  readonly weakness: Weakness;
  storeOffset = 0;
  revoked = 0;
  lost = 0;
  readonly #history: History;
  #events: Event[] = [];
  #orders = 0;
  #delays = 0;

  constructor(history: History, weakness: Weakness) {
    this.#history = history;
    this.weakness = weakness;
    this.nodes = history.rates.map((rate, index) => new Node(this, index, rate));
  }

  async run(): Promise<Seen> {
    for (const node of this.nodes) this.at(this.delay(), () => node.boot());
    for (const mishap of this.#history.mishaps) this.at(mishap.at, () => this.#happen(mishap));
    for (let event = this.#next(); event && event.at < horizon; event = this.#next()) {
      this.now = event.at;
      event.call();
      await settled();
      for (const node of this.nodes) node.check();
    }
    const { violations, revoked, lost } = this;
    return { violations, revoked, lost, holders: this.nodes.filter(({ holds }) => holds).length };
  }

  at(when: number, call: () => void): () => void {
    const event = { at: when, order: (this.#orders += 1), call };
    this.#events.push(event);
    return () => void (this.#events = this.#events.filter((one) => one !== event));
  }

  delay(): number {
    const { delays } = this.#history;
    this.#delays += 1;
    return delays[this.#delays % delays.length] ?? 0;
  }

  /** The clock of the store. */
  get storeNow(): number {
    return this.now + this.storeOffset;
  }

  revoke(row: Row): void {
    if (row.isRevoked) return;
    row.isRevoked = true;
    for (const node of this.nodes) node.isRevoked(row);
  }

  #next(): Event | undefined {
    let first: Event | undefined;
    for (const event of this.#events) {
      if (!first || event.at < first.at || (event.at === first.at && event.order < first.order)) first = event;
    }
    this.#events = this.#events.filter((event) => event !== first);
    return first;
  }

  #happen(mishap: Mishap): void {
    if (mishap.kind === "clock") {
      this.storeOffset += mishap.by;
      return;
    }
    const node = this.nodes[mishap.node % this.nodes.length];
    if (mishap.kind === "cut") node?.cut(mishap.what, mishap.for);
    else if (mishap.kind === "pause") node?.pause(mishap.for);
    else node?.crash(mishap.for);
  }
}

/** A machine: its clock goes on whatever happens to the process on it. */
class Node {
  readonly #world: World;
  readonly #name: string;
  readonly #rate: number;
  #process: { readonly keeper: LeaseKeeper } | undefined;
  #open: Lease | undefined;
  /** The lease that it had last, as its folder keeps it. */
  #last: Lease | undefined;
  #pausedUntil = -1;
  #resumed = -Infinity;
  #waiting: (() => void)[] = [];
  readonly #cuts: Record<Way, number> = { requests: -1, answers: -1 };

  constructor(world: World, index: number, rate: number) {
    this.#world = world;
    this.#name = `node ${index}`;
    this.#rate = rate;
  }

  get holds(): boolean {
    return this.#process?.keeper.lease !== undefined;
  }

  boot(): void {
    const { weakness } = this.#world;
    const process: { keeper?: LeaseKeeper } = {};
    const isAlive = (): boolean => this.#process === process;
    const clock: MonotonicClock = {
      now: () => this.#world.now * this.#rate + 1_000,
      after: (ms, call) =>
        this.#world.at(this.#world.now + Math.max(0, ms) / this.#rate, () => this.#deliver(isAlive, call)),
    };
    const leases = this.#asSeenFromHere(clock, isAlive);
    const keeper = new LeaseKeeper({
      leases: weakness.asSeen?.(leases) ?? leases,
      name: this.#name,
      before: this.#last,
      about: () => null,
      times: { ...times, ...weakness.times },
      clock,
      onHeld: (lease) => {
        this.#open = lease;
        this.#last = lease;
      },
      onLost: () => {
        this.#world.lost += 1;
        const { promise, resolve } = Promise.withResolvers<void>();
        clock.after(closingMs, () => {
          this.#open = undefined;
          resolve();
        });
        return promise;
      },
      onFault: () => undefined,
    });
    const watch = new LeaseWatch({ leases, ttlMs: weakness.watchMs ?? times.ttlMs, clock });
    const look = (): void => {
      watch.poll().then(
        ({ revoked }) => (this.#world.revoked += revoked.length),
        () => undefined,
      );
      clock.after(times.everyMs, look);
    };
    this.#process = Object.assign(process, { keeper });
    void keeper.start();
    look();
  }

  cut(what: Way, forS: number): void {
    this.#cuts[what] = Math.max(this.#cuts[what], this.#world.now + forS);
  }

  pause(forS: number): void {
    const until = this.#world.now + forS;
    if (until <= this.#pausedUntil) return;
    this.#pausedUntil = until;
    this.#world.at(until, () => {
      if (this.#world.now < this.#pausedUntil) return;
      this.#resumed = this.#world.now;
      this.check(); // somebody may act before anything that waits is taken up
      const waiting = this.#waiting;
      this.#waiting = [];
      while (waiting.length > 0) {
        const place = Math.floor(this.#world.delay() * 7) % waiting.length;
        // In any order; each in a turn of its own.
        for (const call of waiting.splice(place, 1)) this.#world.at(this.#world.now, call);
      }
    });
  }

  crash(forS: number): void {
    if (!this.#process) return;
    this.#process = undefined;
    this.#open = undefined;
    this.#waiting = [];
    this.#world.at(this.#world.now + forS, () => this.boot());
  }

  /** While its keeper says that it has a lease, nobody may have revoked that. */
  check(): void {
    const lease = this.#isPaused ? undefined : this.#process?.keeper.lease;
    const row = lease && this.#world.rows.find(({ epoch }) => epoch === lease.epoch);
    if (row?.isRevoked) this.#violate(`acts under lease ${row.epoch}, which is revoked`);
  }

  /** Its browsers are closed by then, unless it could not: while it is stopped, and as long after that as closing takes. */
  isRevoked(row: Row): void {
    if (this.#open?.epoch !== row.epoch || this.#isPaused) return;
    if ((this.#world.now - this.#resumed) * this.#rate > closingMs + times.everyMs)
      this.#violate(`has browsers under lease ${row.epoch}, which is revoked now`);
  }

  get #isPaused(): boolean {
    return this.#world.now < this.#pausedUntil;
  }

  #violate(what: string): void {
    this.#world.violations.push(`at ${this.#world.now}: ${this.#name} ${what}`);
  }

  #deliver(isAlive: () => boolean, call: () => void): void {
    const whenAlive = (): void => {
      if (isAlive()) call();
    };
    if (this.#isPaused) this.#waiting.push(whenAlive);
    else whenAlive();
  }

  /** Messages take their time, and may be lost on either way; the store does in one moment what it is asked for. */
  #asSeenFromHere(clock: MonotonicClock, isAlive: () => boolean): LeaseStore {
    const world = this.#world;
    const ask = <Answer>(work: () => Answer): Promise<Answer> => {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const giveUp = clock.after(patienceMs, () => reject(new Error("no answer")));
      const isLost = (way: Way): boolean => world.now < this.#cuts[way];
      if (!isLost("requests")) {
        world.at(world.now + world.delay(), () => {
          const answer = work();
          if (isLost("answers")) return;
          world.at(world.now + world.delay(), () =>
            this.#deliver(isAlive, () => {
              giveUp();
              resolve(answer);
            }),
          );
        });
      }
      return promise;
    };
    const findRow = ({ epoch }: Pick<Lease, "epoch">): Row | undefined => world.rows.find((row) => row.epoch === epoch);
    const isOver = (row: Row): boolean => row.expires <= world.storeNow;
    return {
      acquire: (name, { ttlMs }) =>
        ask(() => {
          if (world.rows.some((row) => row.name === name && !row.isRevoked)) return undefined;
          const epoch = world.rows.length + 1;
          world.rows.push({ name, epoch, expires: world.storeNow + ttlMs, renewals: 0, isRevoked: false });
          return { name, epoch };
        }),
      renew: (lease, { ttlMs }) =>
        ask(() => {
          const row = findRow(lease);
          if (!row || row.isRevoked || isOver(row)) return false;
          row.expires = world.storeNow + ttlMs;
          row.renewals += 1;
          return true;
        }),
      release: (lease) =>
        ask(() => {
          const row = findRow(lease);
          if (row) world.revoke(row);
        }),
      list: () =>
        ask(() =>
          world.rows
            .filter(({ isRevoked }) => !isRevoked)
            .map((row): HeldLease => ({
              name: row.name,
              epoch: row.epoch,
              about: null,
              mark: String(row.renewals),
              isOver: isOver(row),
            })),
        ),
      revokeExpired: (marks) =>
        ask(() => {
          const over = marks.flatMap((one) => {
            const row = findRow(one);
            return row && !row.isRevoked && isOver(row) && String(row.renewals) === one.mark ? [row] : [];
          });
          for (const row of over) world.revoke(row);
          return over.map(({ name, epoch }) => ({ name, epoch }));
        }),
    };
  }
}

/** Lets go on what waits for promises, and no longer. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
}
