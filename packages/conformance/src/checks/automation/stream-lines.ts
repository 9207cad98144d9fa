import { combine, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import { bodyBytes, header } from "../../http/exchange.ts";
import {
  describeEventPlace,
  type Stream,
  isNoStream,
  judgeEach,
  noStream,
  quoteStart,
  makeStreamCheck,
} from "./read-stream.ts";

/** Returns the charset that the media type of a stream names, in lower case; UTF-8 where it names none. */
function readCharset({ response }: Stream): string {
  const [, quoted, bare] =
    /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(header(response, "content-type") ?? "") ?? [];
  return (quoted ?? bare ?? "utf-8").trim().toLowerCase();
}

/** Returns whether bytes are text in a charset; undefined where the charset is not known. A stream that was cut may end inside a character. */
function isTextIn(charset: string, { response }: Stream): boolean | undefined {
  const decoder = findDecoder(charset);
  try {
    decoder?.decode(bodyBytes(response), { stream: response.end !== "complete" });
    return decoder && true;
  } catch {
    return false;
  }
}

function findDecoder(charset: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return undefined;
  }
}

function judgeCharset(stream: Stream): Judgement {
  const charset = readCharset(stream);
  if (bodyBytes(stream.response).length === 0) return nothingSeen("The stream was empty.");
  const isText = isTextIn(charset, stream);
  if (isText === undefined) return nothingSeen("The stream is in a charset that the suite does not know.");
  const name = charset === "utf-8" ? "UTF-8" : `text in the charset ${charset}`;
  return verdict(isText, { where: "body", expected: name, received: `bytes that are not ${name}` });
}

/** Judges that a stream that names another charset is UTF-8 all the same, as server-sent events are. */
function judgeUtf8(stream: Stream): Judgement {
  if (bodyBytes(stream.response).length === 0) return nothingSeen("The stream was empty.");
  const isUtf8 = isTextIn("utf-8", stream) === true;
  if (!isUtf8 && isTextIn(readCharset(stream), stream) === false)
    return nothingSeen("Another check reports its bytes.");
  return verdict(isUtf8, { where: "body", expected: "UTF-8", received: "bytes that are not UTF-8" });
}

/** Judges the form of each line. Comments, blank lines and other fields of server-sent events are neither stated nor excluded. */
function judgeLineForm(stream: Stream): Judgement {
  if (isNoStream(stream)) return noStream;
  const { lines, events } = stream;
  const spread = events.filter((event) => event.lines > 1);
  const inside = new Set(
    spread.flatMap(({ line, lines: count }) => Array.from({ length: count }, (_, at) => line + at)),
  );
  const fields = lines.filter((line) => (line.kind === "data" || line.kind === "other") && !inside.has(line.number));
  const expected = "`data: ` followed by a JSON object";
  return combine(
    [
      ...fields.map((line) => {
        const holds = line.kind === "data" && line.text.startsWith("data: ");
        return verdict(holds, { where: `line ${line.number}`, expected, received: quoteStart(line.text) });
      }),
      ...spread.map((event) =>
        verdict(false, {
          where: describeEventPlace(event),
          expected: `one line: ${expected}`,
          received: `an event that is spread over ${event.lines} lines`,
        }),
      ),
    ],
    "The stream had no lines.",
  );
}

function judgeJsonObjects({ events }: Stream): Judgement {
  return judgeEach(events, "The stream had no data lines.", (event) =>
    verdict(event.object !== undefined, {
      where: describeEventPlace(event),
      expected: "a JSON object on one line",
      received: event.text === "" ? "nothing after `data:`" : quoteStart(event.text),
    }),
  );
}

/** Checks of the lines of the event stream, on its raw bytes. Source: interface § Events. */
export const streamLineChecks: readonly Check[] = [
  makeStreamCheck("stream/utf-8", judgeCharset),
  makeStreamCheck("stream/is-utf-8", judgeUtf8),
  makeStreamCheck("stream/line-form", judgeLineForm),
  makeStreamCheck("stream/json-object", judgeJsonObjects),
];
