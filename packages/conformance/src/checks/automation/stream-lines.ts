import { combine, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import { bodyBytes } from "../../http/exchange.ts";
import { placeOf, type Stream } from "./read-stream.ts";
import { isNoStream, judgeEach, noStream, quote, streamCheck } from "./stream-check.ts";

function judgeUtf8({ response }: Stream, requirement: string): Judgement {
  const bytes = bodyBytes(response);
  const finding = { requirement, where: "body", expected: "UTF-8", received: "bytes that are not UTF-8" };
  if (bytes.length === 0) return nothingSeen("The stream was empty.");
  // A stream that was cut may end inside a character: only a complete one is held to its last byte.
  const cut = response.end !== "complete";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: cut });
    return verdict(true, finding);
  } catch {
    return verdict(false, finding);
  }
}

/** Comments, blank lines and the other fields of server-sent events are neither stated nor excluded. */
function judgeLineForm(stream: Stream, requirement: string): Judgement {
  if (isNoStream(stream)) return noStream;
  const { lines, events } = stream;
  const spread = events.filter((event) => event.lines > 1);
  const inside = new Set(
    spread.flatMap(({ line, lines: count }) => Array.from({ length: count }, (_, at) => line + at)),
  );
  const written = lines.filter((line) => (line.kind === "data" || line.kind === "other") && !inside.has(line.number));
  const expected = "`data: ` followed by a JSON object";
  return combine(
    [
      ...written.map((line) => {
        const holds = line.kind === "data" && line.text.startsWith("data: ");
        return verdict(holds, { requirement, where: `line ${line.number}`, expected, received: quote(line.text) });
      }),
      ...spread.map((event) =>
        verdict(false, {
          requirement,
          where: placeOf(event),
          expected: `one line: ${expected}`,
          received: `an event that is spread over ${event.lines} lines`,
        }),
      ),
    ],
    "The stream had no lines.",
  );
}

function judgeJsonObjects({ events }: Stream, requirement: string): Judgement {
  return judgeEach(events, "The stream had no data lines.", (event) =>
    verdict(event.object !== undefined, {
      requirement,
      where: placeOf(event),
      expected: "a JSON object on one line",
      received: event.text === "" ? "nothing after `data:`" : quote(event.text),
    }),
  );
}

/** Checks of the lines of the event stream, on its raw bytes. Source: interface § Events. */
export const streamLineChecks: readonly Check[] = [
  streamCheck("utf-8", "The stream is UTF-8.", ["stream.data-is-json-object"], judgeUtf8),
  streamCheck("line-form", "Each event is one line that begins with `data: `.", ["stream.line-form"], judgeLineForm),
  streamCheck("json-object", "Each data line holds one JSON object.", ["stream.data-is-json-object"], judgeJsonObjects),
];
