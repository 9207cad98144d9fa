import type { Probe } from "../http/probe.ts";
import { makeCheck } from "./make-check.ts";
import { judgeAccepted } from "./answers.ts";
import { isMomentary } from "./setup-statuses.ts";
import { judgeStatus, nothingSeen, type Check, type Judgement, type Exchanges } from "./check.ts";
import type { Exchange } from "../http/exchange.ts";

/** A way to repeat a request whose response is already known, such as on a kept-alive connection. */
export interface Repetition {
  /** Last part of the ids of its probes. */
  readonly word: string;
  /** Number of times that a valid read is sent. */
  readonly reads: number;
  /** Number of times that a plain scrape is sent: the first one of a connection has none before it. */
  readonly scrapes: number;
  /** Connection and timing of its requests. */
  readonly sending: Pick<Probe, "connection" | "burst" | "last">;
}

/** On a kept-alive connection that an earlier request used. */
export const onKeptConnection: Repetition = {
  word: "on-kept-connection",
  reads: 1,
  scrapes: 2,
  sending: { connection: "kept" },
};

/** While other requests of the same operation are under way. */
export const inBurst: Repetition = { word: "in-burst", reads: 2, scrapes: 2, sending: { burst: true } };

/** After everything else, the billed runs included. */
export const atTheEnd: Repetition = { word: "at-the-end", reads: 1, scrapes: 1, sending: { last: true } };

/** Returns the names of the repeated requests. */
export const listNames = ({ word }: Repetition, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${word}${count === 1 ? "" : `-${at + 1}`}`);

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
export function judgeInBurst(exchange: Exchange, firstTime: FirstTime, run?: Exchanges): Judgement {
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
export function judgeAgain(exchange: Exchange, { first, requirement }: FirstTime, run?: Exchanges): Judgement {
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
export function listRepeatedReadChecks(
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
