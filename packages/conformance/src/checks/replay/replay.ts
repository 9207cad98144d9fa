import { judgeSessionJson } from "../answers.ts";
import type { Probe } from "../../http/probe.ts";
import { planRead } from "../../http/request-plan.ts";
import { notAbout, nothingSeen, verdict, type Check, type Judgement, combine } from "../check.ts";
import type { Operation } from "../../contract/contract.ts";
import type { Exchange } from "../../http/exchange.ts";
import {
  atTheEnd,
  inBurst,
  onKeptConnection,
  listNames,
  type Repetition,
  listRepeatedReadChecks,
  repetitionNumbers,
} from "../repetitions.ts";
import { listFieldChecks } from "../fields/field-rules.ts";
import { judgeReady, judgeReplayStatus, readReplay } from "./replay-status.ts";
import { timestampNotation, type TimestampNotation } from "../../contract/timestamp.ts";
import { makeCheck, coverAnswers } from "../make-check.ts";
import type { CheckGroup } from "../check-group.ts";

const operation: Operation = "session_replay";

function makeProbe(name: string, sending: Repetition["sending"] = {}): Probe {
  return {
    id: `replay/${name}`,
    operation,
    expects: "success",
    ...sending,
    request: ({ endedSessionId }) => planRead("replay", endedSessionId),
  };
}

const again: readonly Probe[] = repetitionNumbers.map((time) => makeProbe(`read-again-${time}`));

/** Repeated reads. */
export const listReplayProbes = (repetition: Repetition): Probe[] =>
  listNames(repetition, repetition.reads).map((name) => makeProbe(`read-${name}`, repetition.sending));

/** Reads of the replay. */
const replayProbes: readonly Probe[] = [makeProbe("read"), ...again];

const burst = listReplayProbes(inBurst).map(({ id }) => id);
const repetitions = [...again, ...listReplayProbes(onKeptConnection), ...listReplayProbes(atTheEnd)].map(
  ({ id }) => id,
);

/** Ids of the reads of the replay. */
export const replayProbeIds: readonly string[] = ["replay/read", ...repetitions, ...burst];

/** Extends a check to every replay answer, whatever its probe. */
export const ofReplays = coverAnswers(operation);

/** Judges the notation of `expires_at`, where it is one of those that a check is about. */
function judgeExpiry(exchange: Exchange, wrong: TimestampNotation | undefined): Judgement {
  const { expires_at: value } = readReplay(exchange);
  if (typeof value !== "string") return notAbout("No `expires_at` came.");
  const form = timestampNotation(value);
  if (form !== wrong && form !== "iso-8601") return nothingSeen("`expires_at` is written in another form.");
  return verdict(form !== wrong, {
    where: "body /expires_at",
    expected: "a string, ISO 8601 timestamp with offset",
    received: `a string: ${JSON.stringify(value)}`,
  });
}

/** Makes a check of one notation of `expires_at`. */
const makeExpiryCheck = (name: string, wrong: TimestampNotation | undefined): Check =>
  makeCheck(`replay/expires_at-${name}`, replayProbeIds, (exchange) => judgeExpiry(exchange, wrong), ofReplays);

/** Checks of the replay. Source: interface § Endpoints, § Resources and their fields. */
const replayChecks: readonly Check[] = [
  makeCheck("replay/status-200", ["replay/read"], (exchange, target, run) =>
    judgeReplayStatus(exchange, !target.lacks.has("ended-session"), run),
  ),
  ...listRepeatedReadChecks("replay", repetitions, burst),
  makeCheck("replay/json", replayProbeIds, judgeSessionJson, ofReplays),
  ...listFieldChecks("replay", replayProbeIds),
  makeExpiryCheck("valid", undefined),
  makeExpiryCheck("has-time", "day"),
  makeExpiryCheck("to-the-letter", "near"),
  makeCheck("replay/ready-when-ended", ["replay/read", "recording/read"], (exchange, target) =>
    exchange.id === "replay/read" && target.lacks.has("ended-session")
      ? nothingSeen("No ended session was given (--ended-session-id).")
      : judgeReady(exchange),
  ),
];

const first = replayProbeIds[0] ?? "";

/** Fields about the recording itself; its addresses are new in each answer. */
const fields = ["video_start_ms", "video_duration_ms"] as const;

/** Returns the integers of an answer, by the names of their fields. */
function listNumbers(exchange: Exchange | undefined): ReadonlyMap<string, number> {
  const replay = exchange ? readReplay(exchange) : {};
  return new Map(
    fields.flatMap((name) => {
      const value = replay[name];
      return typeof value === "number" && Number.isInteger(value) ? [[name, value] as const] : [];
    }),
  );
}

/** Check that repeated reads are about the same recording. Source: interface § ReplayResponse. */
const sameRecordingCheck: Check = makeCheck(
  "replay/same-recording",
  replayProbeIds.slice(1),
  (exchange, _, run) => {
    const before = listNumbers(run?.get(first));
    return combine(
      [...listNumbers(exchange)].flatMap(([name, value]) => {
        const numbers = before.get(name);
        if (numbers === undefined) return nothingSeen("The first read did not have it.");
        const expected = `${numbers}, as the first time`;
        return verdict(value === numbers, { where: `body /${name}`, expected, received: String(value) });
      }),
      "No second read of the replay had its start or duration.",
    );
  },
  { consults: [first] },
);

/** Checks of the replay of an ended session. */
export const replayGroup: CheckGroup = {
  checks: [...replayChecks, sameRecordingCheck],
  probes: () => ({ plain: replayProbes }),
};
