import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** How many wrong keys an address may send in a minute: more than a run of the conformance suite sends, and fewer than guessing needs. */
const perMinute = 3_000;

/** Counts the wrong keys of each address. A right key is never counted, nor refused because of others from its address. */
export class WrongKeys {
  readonly #limiter: RateLimiterMemory;

  /** @param limit - Wrong keys of an address in a minute. Default: 3,000. */
  constructor(limit = perMinute) {
    this.#limiter = new RateLimiterMemory({ points: limit, duration: 60 });
  }

  /** Counts one. Returns in how many seconds the address may send the next; undefined while it is within its limit. */
  async count(address: string): Promise<number | undefined> {
    try {
      await this.#limiter.consume(address);
      return undefined;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
      throw refusal;
    }
  }
}
