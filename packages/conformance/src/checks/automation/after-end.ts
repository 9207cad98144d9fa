import { combine, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import { terminalTypes } from "../../http/event-stream.ts";
import type { Stream } from "./read-stream.ts";
import { makeStreamCheck } from "./stream-check.ts";

/** Judges what is written after the terminal event. Other checks judge further events there, under any reading of the sentence. */
function judgeAfterEnd({ lines, events }: Stream): Judgement {
  const terminal = events.find(({ type }) => type !== undefined && terminalTypes.has(type));
  if (!terminal) return nothingSeen("No stream ended with a terminal event.");
  const after = lines.filter(({ number }) => number > terminal.line);
  const blank = after.findIndex(({ kind }) => kind === "blank");
  // The fields of server-sent events that follow at once belong to the terminal event itself.
  const late = after.filter(({ kind }, at) => kind === "comment" || (kind === "field" && blank >= 0 && at > blank));
  if (late.length === 0) return { seen: 1, findings: [] };
  return combine(
    late.map(({ number, kind }) =>
      verdict(false, {
        where: `line ${number}`,
        expected: `nothing but blank lines after the terminal event (line ${terminal.line})`,
        received: kind === "comment" ? "a comment" : "a field of server-sent events",
      }),
    ),
    "",
  );
}

/** Check that nothing follows the end of a stream. Source: interface § States and transitions. */
export const afterEndCheck: Check = makeStreamCheck("stream/nothing-written-after-end", judgeAfterEnd);
