import { judgeAccepted } from "./answers.ts";
import { nothingSeen, verdict, type Judgement } from "./check.ts";
import type { Exchange } from "../http/exchange.ts";

/** Further times that a read is sent: a fault that shows every third time, or more often, shows. */
export const readTimes: readonly number[] = [2, 3];

/** The earlier request that a repeated read is compared with. */
export interface FirstTime {
  /** Id of its probe. */
  readonly first: string;
  /** The sentence that it is answered with 200. */
  readonly requirement: string;
}

/** Statuses of a target that does not work on so many requests at a time; the interface names no bound. */
const tooMany: ReadonlySet<number> = new Set([409, 423, 425, 429, 503]);

/** Judges a valid request that was sent while others were under way, as one that was sent before. */
export function judgeInBurst(exchange: Exchange, firstTime: FirstTime, run?: ReadonlyMap<string, Exchange>): Judgement {
  const status = exchange.response?.status;
  if (status === undefined || !tooMany.has(status)) return judgeAgain(exchange, firstTime, run);
  return nothingSeen(
    `The target answered ${status}, and the interface does not say how many requests it accepts at a time.`,
  );
}

const refusals: ReadonlySet<number> = new Set([401, 403]);

/**
 * Judges a valid request that was sent before. When it succeeded then, a key that is not good any more is no matter of
 * the setup; when it did not, another check says so.
 *
 * Source: interface § Authentication.
 */
export function judgeAgain(
  exchange: Exchange,
  { first, requirement }: FirstTime,
  run?: ReadonlyMap<string, Exchange>,
): Judgement {
  const before = run?.get(first)?.response?.status;
  if (before !== undefined && before !== 200) return nothingSeen("It did not succeed the first time.");
  const status = exchange.response?.status;
  if (before === undefined || status === undefined || !refusals.has(status))
    return judgeAccepted(exchange, requirement);
  return verdict(false, {
    requirement: "auth.session.bearer-header",
    where: "status",
    expected: "200, as the first time with the same key",
    received: String(status),
  });
}
