import { readReplay } from "../replay-status.ts";
import { ofReplays } from "../replay.ts";
import { notAbout, nothingSeen, verdict, type Check, type Judgement } from "../../check.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Target } from "../../../target/target.ts";
import { notWhole } from "./playlist-checks.ts";
import { makeReadId, findRecordingName, recordings } from "./recording-ids.ts";
import { explainUnread, findResponseTime } from "./recording-probe.ts";
import { makeCheck } from "../../make-check.ts";

/** Largest difference between the clocks of the suite and of the target, in milliseconds. */
const clockSkewMs = 5 * 60_000;

/** Longest time until the expiry of an address, in milliseconds: 50 years. Fixtures have expiries that are decades away. */
const longestMs = 50 * 366 * 86_400_000;

/** Judges how far `expires_at` is from the answer, in milliseconds. */
function onExpiry(exchange: Exchange, target: Target, judge: (aheadMs: number) => Judgement): Judgement {
  const reason = notWhole(exchange, target);
  if (reason !== undefined) return notAbout(reason);
  const { expires_at: expires } = readReplay(exchange);
  const at = typeof expires === "string" ? Date.parse(expires) : Number.NaN;
  if (Number.isNaN(at)) return nothingSeen("No `expires_at` came that can be read.");
  return judge(at - findResponseTime(exchange));
}

/** Judges that `expires_at` is in the future. A past expiry is left open: the target may return addresses that it issued earlier. */
const judgeFuture = (aheadMs: number): Judgement =>
  verdict(-aheadMs < clockSkewMs, {
    where: "body /expires_at",
    expected: "a time in the future",
    received: `a time ${Math.round(-aheadMs / 1000)} s before the response`,
  });

const judgeReach = (aheadMs: number): Judgement =>
  verdict(aheadMs <= longestMs, {
    where: "body /expires_at",
    expected: "a time at which the addresses expire, of a recording that is deleted a day after its session",
    received: `a time ${Math.round(aheadMs / (365.25 * 86_400_000))} years after the response`,
  });

/** Longest time that a session may have lasted beyond the time that the suite observed, in milliseconds. */
const lifeSlackMs = 10_000;

/** Milliseconds in one unit of the numbers that represent times of day: seconds, milliseconds, microseconds and nanoseconds. */
const unitsMs = [1_000, 1, 1e-3, 1e-6];

/** Largest distance from the answer at which a number is a time of day, in milliseconds: recordings are kept for a day. */
const recentMs = 2 * 86_400_000;

/** Judges the offset of the start by the length of the session; where that is not known, only that it is not a time of day. */
function judgeStart(exchange: Exchange, target: Target): Judgement {
  const name = findRecordingName(exchange);
  const against = name === "replay" ? explainUnread(target) : undefined;
  if (against !== undefined) return notAbout(against);
  const { video_start_ms: start } = readReplay(exchange);
  if (typeof start !== "number") return nothingSeen("No `video_start_ms` came.");
  const where = "body /video_start_ms";
  const received = String(start);
  const life = name === "recording" ? target.pages?.recordedMs() : undefined;
  if (life !== undefined) {
    const expected = `an offset within the session, which lasted ${Math.round(life)} ms`;
    return verdict(Math.abs(start) <= life + lifeSlackMs, { where, expected, received });
  }
  const now = findResponseTime(exchange);
  const isMoment = unitsMs.some((unit) => Math.abs(start * unit - now) < recentMs);
  if (!isMoment) return nothingSeen("How long the session lasted is not known.");
  return verdict(false, { where, expected: "an offset, in milliseconds", received: `${received}, a time of day` });
}

/** Makes a check of `expires_at` in every replay answer. */
const makeExpiryCheck = (name: string, judge: (aheadMs: number) => Judgement): Check =>
  makeCheck(`recording/${name}`, reads, (exchange, target) => onExpiry(exchange, target, judge), ofReplays);

const reads = recordings.map(makeReadId);

/** Checks of the times in a replay. Source: interface § ReplayResponse, § Limits. */
export const timeChecks: readonly Check[] = [
  makeExpiryCheck("expires-later", judgeFuture),
  makeExpiryCheck("expires-within-reach", judgeReach),
  makeCheck("recording/starts-within-session", reads, judgeStart),
];
