import { Decimal } from "decimal.js";
import { ServiceError } from "../service-error.ts";
import type { KeyStore } from "../storage/key-store.ts";
import type { RunStore } from "../storage/run-store.ts";
import type { SessionStore } from "../storage/session-store.ts";
import type { KeyHolder } from "./keys.ts";

/** Options of the quotas. */
export interface QuotaOptions {
  /** Keeps other nodes from starting runs of a key meanwhile. */
  readonly keys: Pick<KeyStore, "withLock">;
  /** Sessions, including those of other nodes. */
  readonly sessions: Pick<SessionStore, "countOpenElsewhere">;
  /** Runs and their costs. */
  readonly runs: Pick<RunStore, "readUsage">;
  /** Most that one run may cost, in US dollars: an exact decimal. Undefined when runs cost nothing, because there is no model. */
  readonly budgetUsd: string | undefined;
  /** Returns the current time, in milliseconds since 1970. */
  readonly now: () => number;
}

const dayMs = 86_400_000;

/** Exact for any sum of costs, as these are themselves. */
const Exact = Decimal.clone({ precision: 80 });

/**
 * The quotas of keys. Concurrent runs of a key are started one after the other, on all nodes, so that each counts those before it.
 * The store enforces the quota of sessions when it creates the record; here it is only reported.
 */
export class Quotas {
  readonly #options: QuotaOptions;
  /** The last pending start of a run, by the name of the key. */
  readonly #pendingStarts = new Map<string, Promise<unknown>>();

  constructor(options: QuotaOptions) {
    this.#options = options;
  }

  /** How many sessions a key may have on this node, those that it has included. */
  async countSessions({ name, quota }: KeyHolder): Promise<number> {
    if (name === null || quota.sessions === null) return Infinity;
    return quota.sessions - (await this.#options.sessions.countOpenElsewhere(name));
  }

  /**
   * Throws when a key may have no more runs now, so that it takes no slots. Another one may start meanwhile: `run` checks again.
   *
   * @throws {ServiceError} `busy` when a quota is reached.
   */
  async requireRun(holder: KeyHolder): Promise<void> {
    if (holder.name !== null) await this.#readBudget(holder.name, holder);
  }

  /**
   * Starts a run of a key.
   *
   * @param start - Is given the most that the run may cost, in US dollars; undefined when the key does not bound it.
   * @throws {ServiceError} `busy` when a quota is reached, and what `start` throws.
   */
  async run<Result>(holder: KeyHolder, start: (budgetUsd: string | undefined) => Promise<Result>): Promise<Result> {
    const { name } = holder;
    if (name === null) return start(undefined);
    const starting = (this.#pendingStarts.get(name) ?? Promise.resolve()).then(() =>
      this.#options.keys.withLock(name, async () => start(await this.#readBudget(name, holder))),
    );
    const settled = starting.catch(() => undefined);
    this.#pendingStarts.set(name, settled);
    void settled.then(() => {
      if (this.#pendingStarts.get(name) === settled) this.#pendingStarts.delete(name);
    });
    return starting;
  }

  /** Most that one more run may cost: the rest of the daily budget if each active run costs its limit. */
  async #readBudget(
    name: string,
    { quota: { runs, cost_usd_per_day: perDay } }: KeyHolder,
  ): Promise<string | undefined> {
    const { budgetUsd, now } = this.#options;
    const isBounded = perDay !== null && budgetUsd !== undefined;
    if (runs === null && !isBounded) return undefined;
    const { open, costsUsd } = await this.#options.runs.readUsage(name, now() - (now() % dayMs));
    if (runs !== null && open >= runs)
      throw new ServiceError("busy", `run quota (${runs}) of the key reached; wait for one to end`);
    if (!isBounded) return undefined;
    const spentUsd = Exact.sum(0, ...costsUsd);
    const availableUsd = new Exact(perDay).minus(spentUsd).minus(new Exact(budgetUsd).times(open));
    if (availableUsd.gt(0)) return Exact.min(availableUsd, budgetUsd).toFixed();
    const rest = open === 0 ? "" : `, and ${open} active runs may cost ${budgetUsd} each`;
    throw new ServiceError(
      "busy",
      `cost quota (${perDay} USD a day) of the key reached: ${spentUsd.toFixed()} USD spent${rest}`,
    );
  }
}
