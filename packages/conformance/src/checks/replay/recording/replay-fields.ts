import type { Check } from "../../check.ts";
import { makeCheck } from "../../make-check.ts";
import { recordingReadProbe } from "./recording-probe.ts";
import { replayProbeIds, ofReplays } from "../replay.ts";
import { header, jsonAnswer, type Exchange } from "../../../http/exchange.ts";
import { isObject } from "../../../http/json.ts";

/** Returns the fields of a replay as received, of any type; empty when no replay came. Source: interface § ReplayResponse. */
export function readReplay(exchange: Exchange): Readonly<Record<string, unknown>> {
  const body = jsonAnswer(exchange, 200);
  return "value" in body && isObject(body.value) ? body.value : {};
}

/** Returns the time of a response by the server's `Date` header, or else by the clock of the suite, in milliseconds since 1970. */
export function findResponseTime({ response, startedAt, durationMs }: Exchange): number {
  const answeredMs = response && Date.parse(header(response, "date") ?? "");
  return answeredMs === undefined || Number.isNaN(answeredMs) ? startedAt.getTime() + durationMs : answeredMs;
}

/** Makes a check of every replay answer, whatever its probe. */
export const makeReplayCheck = (name: string, judge: Check["judge"]): Check =>
  makeCheck(`recording/${name}`, [recordingReadProbe.id, ...replayProbeIds], judge, ofReplays);
