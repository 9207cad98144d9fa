import { LeaseKeeper, type LeaseTimes } from "../../../src/cluster/lease-keeper.ts";
import { LeaseWatch } from "../../../src/cluster/lease-watch.ts";
import type { MonotonicClock } from "../../../src/monotonic-clock.ts";
import type { Lease, LeaseStore } from "../../../src/storage/lease-store.ts";
import type { Way } from "./history.ts";
import type { LeaseRow, LeaseTable } from "./lease-table.ts";
import type { Schedule } from "./schedule.ts";

/** What may be taken out, to see that it is missed. */
export interface Weakness {
  /** The store as a keeper asks it. */
  readonly asSeen?: (leases: LeaseStore) => LeaseStore;
  /** Times of keepers that differ. */
  readonly times?: Partial<LeaseTimes>;
  /** How long a watch sees a lease unchanged before it is over. */
  readonly watchMs?: number;
}

/** What all nodes share, and what is counted of them. */
export interface World {
  readonly schedule: Schedule;
  readonly leases: LeaseTable;
  readonly weakness: Weakness;
  readonly violations: string[];
  /** How many leases were revoked by other nodes. */
  revoked: number;
  /** How often a node lost its lease. */
  lost: number;
}

const times: LeaseTimes = { ttlMs: 10, everyMs: 2, stopMs: 5 };
/** How long a node takes to close its browsers, and waits for an answer of the store. */
const closingMs = 2.5;
const patienceMs = 3;

/** A machine: its clock goes on whatever happens to the process on it. */
export class Node {
  readonly #world: World;
  readonly #schedule: Schedule;
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
    this.#schedule = world.schedule;
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
      now: () => this.#schedule.now * this.#rate + 1_000,
      callAfter: (ms, call) =>
        this.#schedule.at(this.#schedule.now + Math.max(0, ms) / this.#rate, () => this.#deliver(isAlive, call)),
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
        clock.callAfter(closingMs, () => {
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
      clock.callAfter(times.everyMs, look);
    };
    this.#process = Object.assign(process, { keeper });
    void keeper.start();
    look();
  }

  cut(what: Way, forS: number): void {
    this.#cuts[what] = Math.max(this.#cuts[what], this.#schedule.now + forS);
  }

  pause(forS: number): void {
    const until = this.#schedule.now + forS;
    if (until <= this.#pausedUntil) return;
    this.#pausedUntil = until;
    this.#schedule.at(until, () => {
      if (this.#schedule.now < this.#pausedUntil) return;
      this.#resumed = this.#schedule.now;
      this.check(); // somebody may act before anything that waits is taken up
      const waiting = this.#waiting;
      this.#waiting = [];
      while (waiting.length > 0) {
        const place = Math.floor(this.#schedule.takeDelay() * 7) % waiting.length;
        // In any order; each in a turn of its own.
        for (const call of waiting.splice(place, 1)) this.#schedule.at(this.#schedule.now, call);
      }
    });
  }

  crash(forS: number): void {
    if (!this.#process) return;
    this.#process = undefined;
    this.#open = undefined;
    this.#waiting = [];
    this.#schedule.at(this.#schedule.now + forS, () => this.boot());
  }

  /** While its keeper says that it has a lease, nobody may have revoked that. */
  check(): void {
    const lease = this.#isPaused ? undefined : this.#process?.keeper.lease;
    const row = lease && this.#world.leases.find(lease);
    if (row?.isRevoked) this.#violate(`acts under lease ${row.epoch}, which is revoked`);
  }

  /** Its browsers are closed by then, unless it could not: while it is stopped, and as long after that as closing takes. */
  noteRevoked(row: LeaseRow): void {
    if (this.#open?.epoch !== row.epoch || this.#isPaused) return;
    if ((this.#schedule.now - this.#resumed) * this.#rate > closingMs + times.everyMs)
      this.#violate(`has browsers under lease ${row.epoch}, which is revoked now`);
  }

  get #isPaused(): boolean {
    return this.#schedule.now < this.#pausedUntil;
  }

  #violate(what: string): void {
    this.#world.violations.push(`at ${this.#schedule.now}: ${this.#name} ${what}`);
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
    const schedule = this.#schedule;
    const ask = <Answer>(work: () => Answer): Promise<Answer> => {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const giveUp = clock.callAfter(patienceMs, () => reject(new Error("no answer")));
      const isLost = (way: Way): boolean => schedule.now < this.#cuts[way];
      if (!isLost("requests")) {
        schedule.at(schedule.now + schedule.takeDelay(), () => {
          const answer = work();
          if (isLost("answers")) return;
          schedule.at(schedule.now + schedule.takeDelay(), () =>
            this.#deliver(isAlive, () => {
              giveUp();
              resolve(answer);
            }),
          );
        });
      }
      return promise;
    };
    const { leases } = this.#world;
    return {
      acquire: (...request) => ask(() => leases.acquire(...request)),
      renew: (...request) => ask(() => leases.renew(...request)),
      release: (...request) => ask(() => leases.release(...request)),
      list: () => ask(() => leases.list()),
      revokeExpired: (...request) => ask(() => leases.revokeExpired(...request)),
    };
  }
}
