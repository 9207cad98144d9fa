import { judgeJson, noEventsHere } from "../answers.ts";
import { type Probe } from "../../http/probe.ts";
import { planRead } from "../../http/request-plan.ts";
import { notAbout, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import type { Operation } from "../../contract/contract.ts";
import { isAnswerOf, jsonAnswer, type Exchange } from "../../http/exchange.ts";
import { atTheEnd, inBurst, onKeptConnection, namesAt, type Repetition } from "../repetitions.ts";
import { repeatedReadChecks, repetitionNumbers } from "../repeated-reads.ts";
import { fieldChecks } from "../fields/field-rules.ts";
import { judgeReady, judgeReplayStatus } from "./replay-status.ts";
import { timestampNotation, type TimestampNotation } from "../../contract/timestamp.ts";

const operation: Operation = "session_replay";

function probe(name: string, sending: Repetition["sending"] = {}): Probe {
  return {
    id: `replay/${name}`,
    operation,
    expects: "success",
    ...sending,
    request: ({ endedSessionId }) => planRead("replay", endedSessionId),
  };
}

const again: readonly Probe[] = repetitionNumbers.map((time) => probe(`read-again-${time}`));

/** Repeated reads. */
export const replayProbesAt = (repetition: Repetition): Probe[] =>
  namesAt(repetition, repetition.reads).map((name) => probe(`read-${name}`, repetition.sending));

/** Reads of the replay. */
export const replayProbes: readonly Probe[] = [probe("read"), ...again];

const burst = replayProbesAt(inBurst).map(({ id }) => id);
const repetitions = [...again, ...replayProbesAt(onKeptConnection), ...replayProbesAt(atTheEnd)].map(({ id }) => id);

/** Ids of the reads of the replay. */
export const replayProbeIds: readonly string[] = ["replay/read", ...repetitions, ...burst];

const base = { probes: replayProbeIds } as const;

/** Options of checks that judge every replay answer, whatever its probe. */
const general = { ...base, appliesTo: (exchange: Exchange): boolean => isAnswerOf(operation, exchange) };

/** Returns a string field of the answer, when it is present. */
function text(exchange: Exchange, field: string): string | undefined {
  const body = jsonAnswer(exchange, 200);
  if (!("value" in body) || typeof body.value !== "object" || body.value === null) return undefined;
  const value: unknown = Reflect.get(body.value, field);
  return typeof value === "string" ? value : undefined;
}

/** Judges the notation of `expires_at`, where it is one of those that a check is about. */
function judgeExpiry(exchange: Exchange, requirement: string, wrong: TimestampNotation | undefined): Judgement {
  const value = text(exchange, "expires_at");
  if (value === undefined) return notAbout("No `expires_at` came.");
  const form = timestampNotation(value);
  if (form !== wrong && form !== "iso-8601") return nothingSeen("`expires_at` is written in another form.");
  return verdict(form !== wrong, {
    requirement,
    where: "body /expires_at",
    expected: "a string, ISO 8601 timestamp with offset",
    received: `a string: ${JSON.stringify(value)}`,
  });
}

function expiryCheck(name: string, title: string, requirement: string, wrong: TimestampNotation | undefined): Check {
  return {
    ...general,
    id: `replay/expires_at-${name}`,
    title,
    requirements: [requirement],
    judge: (exchange) => judgeExpiry(exchange, requirement, wrong),
  };
}

const readyRequirement = "replay.ready-when-ended";

/** Checks of the replay. Source: interface § Endpoints, § Resources and their fields. */
export const replayChecks: readonly Check[] = [
  {
    ...base,
    id: "replay/status-200",
    title: "Fetching the replay of an ended session is answered with 200.",
    requirements: ["replay.status-200"],
    probes: ["replay/read"],
    judge: (exchange, target, run) => judgeReplayStatus(exchange, !target.lacks.has("ended-session"), run),
  },
  ...repeatedReadChecks("replay", "Fetching the replay", repetitions, burst),
  {
    ...general,
    id: "replay/json",
    title: "A replay is answered as JSON.",
    requirements: ["replay.body-is-json", noEventsHere],
    judge: (exchange) => judgeJson(exchange, 200, "replay.body-is-json", noEventsHere),
  },
  ...fieldChecks("replay", replayProbeIds),
  expiryCheck(
    "valid",
    "`expires_at` is a timestamp with offset, or a day.",
    "replay.expires_at.iso-8601-with-offset",
    undefined,
  ),
  expiryCheck("has-time", "`expires_at` has a time, not only a date.", "replay.expires_at.time-of-day", "day"),
  expiryCheck("to-the-letter", "`expires_at` has the letters of ISO 8601.", "replay.expires_at.letters", "near"),
  {
    ...base,
    id: "replay/ready-when-ended",
    title: "The recording of a session that has ended need not be waited for.",
    requirements: [readyRequirement],
    probes: ["replay/read", "recording/read"],
    judge: (exchange, target) =>
      exchange.id === "replay/read" && target.lacks.has("ended-session")
        ? nothingSeen("No ended session was given (--ended-session-id).")
        : judgeReady(exchange, readyRequirement),
  },
];
