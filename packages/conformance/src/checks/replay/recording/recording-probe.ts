import type { Probe } from "../../../http/probe.ts";
import { planRead } from "../../../http/request-plan.ts";
import type { Target } from "../../../target/target.ts";
import type { Check } from "../../check.ts";
import { makeCheck } from "../../make-check.ts";
import { replayProbeIds, ofReplays } from "../replay.ts";
import { header, type Exchange } from "../../../http/exchange.ts";

/**
 * Reads the replay of the session that the suite itself has opened and ended: so it is known that the session existed, and that it has
 * ended.
 *
 * Source: interface § Endpoints.
 */
export const recordingReadProbe = {
  id: "recording/read",
  operation: "session_replay",
  needs: ["opens-pages", "ends-sessions"],
  expects: "success",
  request: ({ pages }) => planRead("replay", pages?.findSession("recording") ?? ""),
} as const satisfies Probe;

/**
 * Reads the replay of another session that the suite has opened, on another page, once it has ended that one, too: after all
 * other requests.
 *
 * Source: interface § Endpoints.
 */
export const otherRecordingProbe: Probe = {
  ...recordingReadProbe,
  id: "recording/read-other",
  request: ({ pages }) => planRead("replay", pages?.findSession("product") ?? ""),
};

/** Returns the reason why the recording of the given ended session is not downloaded; undefined when it is. */
export function explainUnread({ kind, lacks, pages, endedSessionId }: Target): string | undefined {
  if (kind === "mock") return "The example of a mock is not a recording.";
  const none = lacks.get("ended-session");
  if (none !== undefined) return [none, lacks.get("ends-sessions") ?? ""].join(" ").trim();
  const isOwn = pages?.findSession("recording") === endedSessionId;
  return isOwn ? "It is the session that the suite has ended itself." : undefined;
}

/** Returns the time of a response by the server's `Date` header, or else by the clock of the suite, in milliseconds since 1970. */
export function findResponseTime({ response, startedAt, durationMs }: Exchange): number {
  const answeredMs = response && Date.parse(header(response, "date") ?? "");
  return answeredMs === undefined || Number.isNaN(answeredMs) ? startedAt.getTime() + durationMs : answeredMs;
}

/** Makes a check of every replay answer, whatever its probe. */
export const makeReplayCheck = (name: string, judge: Check["judge"]): Check =>
  makeCheck(`recording/${name}`, [recordingReadProbe.id, ...replayProbeIds], judge, ofReplays);
