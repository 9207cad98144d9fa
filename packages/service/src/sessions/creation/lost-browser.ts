import type { BrowserError } from "@cloud-browser/browsers";
import { KeptSlot, type Permit } from "../../semaphore.ts";
import { ServiceError } from "../../service-error.ts";

/** How many browsers are tried for a session. */
const maxTries = 3;

/** The browser of a session failed before it could show a page: another one may. */
export class LostBrowser extends ServiceError {
  /** Resolves when what there was of the session has ended. */
  readonly ended: Promise<void>;

  constructor(cause: BrowserError | ServiceError, ended: Promise<void>) {
    super(cause.code, cause.message, { cause });
    this.ended = ended;
  }
}

/**
 * Creates a session anew, in another browser, when its own fails before it could show a page: three times at most.
 *
 * @param permit - Slot of the session, which each attempt has as its own and which is released with the end of the last one.
 * @param waitsForEnd - True when an attempt must not begin before what the one before created has ended.
 * @param mayRetry - Returns false when no further attempt is wanted.
 * @param create - One attempt.
 */
export async function retryLostBrowser<Result>(
  permit: Permit,
  waitsForEnd: boolean,
  mayRetry: () => boolean,
  create: (slot: Permit) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    const slot = new KeptSlot(permit);
    try {
      const result = await create(slot);
      slot.handOver();
      return result;
    } catch (error) {
      if (!(error instanceof LostBrowser) || tries === maxTries || !mayRetry()) {
        slot.handOver();
        throw error;
      }
      if (waitsForEnd) await error.ended;
    }
  }
}
