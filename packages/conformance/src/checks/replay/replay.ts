import { judgeAccepted, judgeJson } from "../answers.ts";
import { type Probe } from "../../http/probe.ts";
import { nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import type { Operation } from "../../contract/contract.ts";
import { isAnswerOf, jsonAnswer, type Exchange } from "../../http/exchange.ts";
import { judgeAgain, readTimes } from "../repeated-reads.ts";
import { bodyCheck, fieldRules, type FieldRow } from "../fields.ts";
import { isMoment } from "../../contract/timestamp.ts";

const operation: Operation = "session_replay";

function probe(name: string, connection?: "kept"): Probe {
  return {
    id: `replay/${name}`,
    operation,
    needs: [],
    expects: "success",
    startsRun: false,
    ...(connection === undefined ? {} : { connection }),
    request: (target) => ({
      method: "GET",
      path: `/sessions/${encodeURIComponent(target.endedSessionId)}/replay`,
      credentials: "key",
    }),
  };
}

const again: readonly Probe[] = readTimes.map((time) => probe(`read-again-${time}`));

/** A read on a connection that is kept. Source: ours. */
export const keptReplayProbe: Probe = probe("read-kept", "kept");

/** Reads of the replay. Source: ours. */
export const replayProbes: readonly Probe[] = [probe("read"), ...again];

const repeated = [...again, keptReplayProbe].map(({ id }) => id);
const firstTime = { first: "replay/read", requirement: "replay.status-200" };

/** Ids of the reads of the replay. Source: ours. */
export const replayProbeIds: readonly string[] = [...replayProbes, keptReplayProbe].map(({ id }) => id);

const types: Readonly<Record<string, string>> = {
  mp4_url: "a string",
  playlist_content: "a string",
  expires_at: "a string",
  video_start_ms: "an integer",
  video_duration_ms: "an integer",
};

const rules = fieldRules("ReplayResponse", [
  ["body-type", "", "replay.schema", "A replay is answered with an object."],
  ...Object.entries(types).flatMap(([field, type]): FieldRow[] => [
    [`${field}-present`, field, `replay.${field}.required`, `\`${field}\` is there.`],
    [`${field}-type`, field, `replay.${field}.type`, `\`${field}\` is ${type}.`],
  ]),
]);

const base = { level: "stated", operation, probes: replayProbeIds, needs: [] } as const;

/** What is judged in every answer, whatever the replay was read for. */
const general = { ...base, appliesTo: (exchange: Exchange): boolean => isAnswerOf(operation, exchange) };

/** A string of the answer, when it is there. */
function text(exchange: Exchange, field: string): string | undefined {
  const body = jsonAnswer(exchange, 200);
  if (!("value" in body) || typeof body.value !== "object" || body.value === null) return undefined;
  const value: unknown = Reflect.get(body.value, field);
  return typeof value === "string" ? value : undefined;
}

function judgeMp4Url(exchange: Exchange): Judgement {
  const value = text(exchange, "mp4_url");
  if (value === undefined) return nothingSeen("No `mp4_url` came.");
  const url = URL.parse(value);
  return verdict(url?.protocol === "https:" || url?.protocol === "http:", {
    requirement: "replay.mp4_url.address",
    where: "body /mp4_url",
    expected: "an absolute http(s) address",
    received: url ? `an address with the scheme ${url.protocol}` : "a string that is not an absolute address",
  });
}

function judgePlaylist(exchange: Exchange): Judgement {
  const value = text(exchange, "playlist_content");
  if (value === undefined) return nothingSeen("No `playlist_content` came.");
  const firstLine = value.replace(/^\uFEFF/, "").split(/\r?\n/, 1)[0] ?? "";
  return verdict(firstLine.trimEnd() === "#EXTM3U", {
    requirement: "replay.playlist_content.hls",
    where: "body /playlist_content",
    expected: "the text of an HLS playlist, whose first line is #EXTM3U",
    received: value === "" ? "an empty string" : "a text whose first line is another",
  });
}

function judgeExpiry(exchange: Exchange): Judgement {
  const value = text(exchange, "expires_at");
  if (value === undefined) return nothingSeen("No `expires_at` came.");
  return verdict(isMoment(value), {
    requirement: "replay.expires_at.iso-8601-with-offset",
    where: "body /expires_at",
    expected: "a string, ISO 8601 timestamp with offset",
    received: `a string: ${JSON.stringify(value.slice(0, 120))}`,
  });
}

/** Without an ended session of its own the replay may rightly be absent, with whatever status. */
function judgeStatus(exchange: Exchange, hasEndedSession: boolean): Judgement {
  const status = exchange.response?.status ?? 0;
  if (!hasEndedSession && status >= 400 && status < 500) {
    return nothingSeen(`The target answered ${status}, and no ended session was given (--ended-session-id).`);
  }
  return judgeAccepted(exchange, status === 405 ? "replay.method-and-path" : "replay.status-200");
}

/** Checks of the replay. Source: interface § Endpoints, § Resources and their fields. */
export const replayChecks: readonly Check[] = [
  {
    ...base,
    id: "replay/status-200",
    title: "Fetching the replay of an ended session is answered with 200.",
    requirements: ["replay.status-200", "replay.method-and-path", "replay.no-body", "service.offers-replay"],
    probes: ["replay/read"],
    judge: (exchange, target) => judgeStatus(exchange, !target.lacks.has("ended-session")),
  },
  {
    ...base,
    id: "replay/status-200-every-time",
    judgesUnplanned: true,
    title: "Fetching the replay is answered with 200 each time, also over one connection.",
    requirements: ["replay.status-200", "auth.session.bearer-header"],
    probes: repeated,
    judge: (exchange, _, run) => judgeAgain(exchange, firstTime, run),
  },
  {
    ...general,
    id: "replay/json",
    title: "A replay is answered as JSON.",
    requirements: ["replay.body-is-json", "stream.events-only-here"],
    judge: (exchange) => judgeJson(exchange, 200, "replay.body-is-json"),
  },
  ...rules.map((rule) => bodyCheck(rule, { operation, word: "replay", status: 200, probes: replayProbeIds })),
  {
    ...general,
    id: "replay/expires_at-valid",
    title: "`expires_at` is an ISO 8601 timestamp with offset.",
    requirements: ["replay.expires_at.iso-8601-with-offset"],
    judge: judgeExpiry,
  },
  {
    ...general,
    id: "replay/mp4_url-address",
    title: "`mp4_url` is an address that can be downloaded from.",
    requirements: ["replay.mp4_url.address"],
    judge: judgeMp4Url,
  },
  {
    ...general,
    id: "replay/playlist_content-hls",
    title: "`playlist_content` is an HLS playlist.",
    requirements: ["replay.playlist_content.hls"],
    judge: judgePlaylist,
  },
];
