import { makeCheck } from "./make-check.ts";
import { judgeAccepted } from "./answers.ts";
import { isMomentary } from "./setup-statuses.ts";
import { judgeStatus, nothingSeen, type Check, type Judgement, type Run } from "./check.ts";
import type { Exchange } from "../http/exchange.ts";

/** Numbers of the repetitions of a read: they reveal a fault that shows at least every third time. */
export const repetitionNumbers: readonly number[] = [2, 3];

/** The earlier request that a repeated read is compared with. */
export interface FirstTime {
  /** Id of its probe. */
  readonly first: string;
  /** Requirement that it is answered with 200. */
  readonly requirement: string;
}

/** Statuses of a target that limits concurrent requests; the interface names no limit. */
const tooMany: ReadonlySet<number> = new Set([409, 423, 425]);

/** Judges the repetition of a valid request while others were under way. */
export function judgeInBurst(exchange: Exchange, firstTime: FirstTime, run?: Run): Judgement {
  const status = exchange.response?.status;
  if (status === undefined || !(tooMany.has(status) || isMomentary(status)))
    return judgeAgain(exchange, firstTime, run);
  return nothingSeen(
    `The target answered ${status}, and the interface does not say how many requests it accepts at a time.`,
  );
}

const refusals: ReadonlySet<number> = new Set([401, 403]);

/**
 * Judges the repetition of a valid request. When the first one succeeded, a refusal of the key is the target's fault; when it
 * failed, another check reports it.
 *
 * Source: interface § Authentication.
 */
export function judgeAgain(exchange: Exchange, { first, requirement }: FirstTime, run?: Run): Judgement {
  const before = run?.get(first)?.response?.status;
  if (before !== undefined && before !== 200) return nothingSeen("It did not succeed the first time.");
  const status = exchange.response?.status;
  if (before === undefined || status === undefined || !refusals.has(status))
    return judgeAccepted(exchange, run, requirement);
  return judgeStatus(false, "200, as the first time with the same key", status, "auth.session.bearer-header");
}

/**
 * Makes the checks of reads that are repeated.
 *
 * @param word - First part of the ids.
 * @param repetitions - Ids of the probes that are sent one after the other.
 * @param burst - Ids of those that are sent at once.
 */
export function repeatedReadChecks(
  word: "cookies" | "replay",
  repetitions: readonly string[],
  burst: readonly string[],
): Check[] {
  const firstTime = { first: `${word}/read`, requirement: `${word}.status-200` };
  const consults = [firstTime.first];
  return [
    makeCheck(`${word}/status-200-every-time`, repetitions, (one, _, run) => judgeAgain(one, firstTime, run), {
      consults,
      coversUnplanned: true,
    }),
    makeCheck(`${word}/status-200-in-burst`, burst, (one, _, run) => judgeInBurst(one, firstTime, run), { consults }),
  ];
}
