import { jsonAnswer, type Exchange } from "../../http/exchange.ts";
import { isObject } from "../../http/json.ts";
import { combine, nothingSeen, verdict, type Check } from "../check.ts";
import { replayProbeIds } from "./replay.ts";
import { makeCheck } from "../make-check.ts";

const first = replayProbeIds[0] ?? "";

/** Fields about the recording itself; its addresses are new in each answer. */
const fields = ["video_start_ms", "video_duration_ms"] as const;

/** Returns the integers of an answer, by the names of their fields. */
function listNumbers(exchange: Exchange | undefined): ReadonlyMap<string, number> {
  const body = exchange && jsonAnswer(exchange, 200);
  if (!body || !("value" in body) || !isObject(body.value)) return new Map();
  const answer = body.value;
  return new Map(
    fields.flatMap((name) => {
      const value = answer[name];
      return typeof value === "number" && Number.isInteger(value) ? [[name, value] as const] : [];
    }),
  );
}

/** Check that repeated reads are about the same recording. Source: interface § ReplayResponse. */
export const sameRecordingCheck: Check = makeCheck(
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
