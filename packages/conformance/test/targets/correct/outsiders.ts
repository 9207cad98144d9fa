/** Correct targets that were written from the interface alone: each uses what it says is not shown. */
import { asksImages, leaveMarkdown } from "../markdown-left.ts";
import { isObject, json, findOperation, readValue, words, type Fields, type Json } from "../messages.ts";
import { cookies, images, markdown, recording, runEndingIn } from "../content.ts";
import { correctService, type Service } from "../service.ts";
import { revises, type CorrectTarget } from "./correct-target.ts";
import { changeAnswers, ending, film, jar, of } from "../parts.ts";

/** Finds no data of the structure where a part of the page is scraped, and refuses that in some way. */
const withoutData = (detail: Json): Partial<Service> =>
  changeAnswers(
    (request, answer) => {
      if (!of("scrape", 200)(request, answer)) return false;
      const options: unknown = JSON.parse(request.body);
      return isObject(options) && isObject(options["response_format"]) && typeof options["selector"] === "string";
    },
    () => json(422, { detail }),
  );

/** Members whose texts are free. */
const freeTexts: ReadonlySet<string> = new Set(
  "markdown description error detail title msg status delta content function_name name".split(" "),
);

/** Adds something to every free text, however deep it lies. */
function marked(value: Json, mark: string, name = ""): Json {
  if (Array.isArray(value)) return value.map((inner) => marked(inner, mark, name));
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([inner, own]) => [inner, marked(own, mark, inner)]));
  }
  return typeof value === "string" && freeTexts.has(name) ? `${value}${mark}` : value;
}

const writesAfterTexts = (mark: string): Partial<Service> => ({
  scrapes: (options, request) => marked(correctService.scrapes(options, request), mark),
  rejects: (problems, request) => {
    const answer = correctService.rejects(problems, request);
    return { ...answer, pieces: [JSON.stringify(marked(readValue(answer), mark))] };
  },
  writes: (event) =>
    correctService.writes(
      Object.fromEntries(Object.entries(event).map(([name, own]) => [name, marked(own, mark, name)])),
    ),
});

const flags = (accepted: RegExp): Partial<Service> => ({ flag: (value) => value === null || accepted.test(value) });

function refined(): Partial<Service> {
  let reads = 0;
  return { recording: () => ({ ...recording, video_duration_ms: 10_040 + (reads += 1) }) };
}

/** Gives images of its own where some are asked for. */
const imaging =
  (own: readonly Fields[]): Service["scrapes"] =>
  (options) => ({ markdown: leaveMarkdown(markdown, options), ...(asksImages(options) ? { images: [...own] } : {}) });

/** Gives the same structured data with each scrape. */
const extracting = (structured: Fields): Partial<Service> => ({
  scrapes: (options) => ({ markdown: leaveMarkdown(markdown, options), structured }),
});

const rows: Readonly<Record<string, Partial<Service>>> = {
  "answers strangers at the cookies in words": {
    turnsAway: (request) =>
      findOperation(request) === "cookies" ? words(401, "who are you?") : correctService.turnsAway(request),
  },
  "hides the replay from strangers by 404, without a body": {
    turnsAway: (request) =>
      findOperation(request) === "replay"
        ? { status: 404, headers: {}, pieces: [] }
        : correctService.turnsAway(request),
  },
  "writes JSON with escapes for every letter": revises((answer) =>
    answer.headers["content-type"] === "application/json"
      ? {
          ...answer,
          pieces: answer.pieces.map((piece) =>
            String(piece).replace(
              /[\u0080-\uFFFF]/g,
              (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
            ),
          ),
        }
      : answer,
  ),
  "writes JSON over many lines": changeAnswers(of("scrape", 200), (answer) => ({
    ...answer,
    pieces: [`\n${JSON.stringify(readValue(answer), null, 4)}\r\n`],
  })),
  "gives ten thousand images": {
    scrapes: imaging(Array.from({ length: 10_000 }, () => ({ ...images[0] }))),
  },
  "gives images without anything": { scrapes: imaging([{}, {}, {}]) },
  "gives Markdown of nothing but spaces": { scrapes: () => ({ markdown: " \n\t " }) },
  "gives Markdown with characters of every plane": { scrapes: () => ({ markdown: "\u0000\u001F🛳️𝒜\u202E\uFFFE" }) },
  "ends its texts with U+0000": writesAfterTexts("\u0000"),
  "cuts its texts within a pair of surrogates": writesAfterTexts("\uD83D"),
  "begins its texts within a pair of surrogates": writesAfterTexts("\uDEF3"),
  "colours its texts for a terminal": writesAfterTexts("\u001B[31m\u009B0m\u2028"),
  "reads true and false in any case, and between spaces": flags(/^\s*(?:true|false)\s*$/i),
  "reads one letter, on and off, and 1 and 0 as true and false": flags(/^(?:true|false|[tfyn10]|on|off|yes|no)$/i),
  "reads no word at all as true": flags(/^(?:true|false|)$/),
  "asks for a media type before it looks for a body": {
    revises: (answer, request) =>
      answer.status === 422 && request.headers["content-type"] === undefined
        ? json(415, { detail: "no type" })
        : answer,
  },
  "knows the length of its video better at each read": refined(),
  "extracts half of a list, and says so": extracting({ success: false, error: "half", data: [[null], 0, false] }),
  "extracts nothing, and does not say why": extracting({ success: false, error: "", data: null }),
  "refuses to find data in a part of the page, and names no field": withoutData([]),
  "refuses to find data in a part of the page, and names the structure": withoutData([
    { loc: ["body", "response_format"], msg: "no such data", type: "no_data" },
  ]),
  "has cookies that are all alike": jar({ name: "a" }, { name: "a" }, { name: "a" }),
  "has cookies of great numbers": jar({ expires: 1e300, expirationDate: -1e-9 }),
  "has cookies without names": jar({ value: "x" }, {}),
  "has five hundred cookies": jar(...Array.from({ length: 500 }, (_, at) => ({ ...cookies[0], name: `n${at}` }))),
  "has cookies with fields of other browsers": jar({ name: "a", priority: "High", sameParty: false, sourcePort: 443 }),
  "starts its video before the session": film({ video_start_ms: -9_007_199 }),
  "starts its video late": film({ video_start_ms: 86_400_000 }),
  "has a recording that expires in a century": film({ expires_at: "2136-01-01T00:00:00.000000001-11:30" }),
  "has addresses with ports, users and fragments": film({ mp4_url: "https://u:p@store.example:8443/a.mp4?x=1#t=1" }),
  "has addresses in capitals": film({ mp4_url: "HTTPS://STORE.EXAMPLE/A.MP4" }),
  "has addresses of letters beyond ASCII": film({ mp4_url: "https://lager.example/aufnähme.mp4?sig=ü" }),
  "has addresses of numbers": film({ mp4_url: "http://[2001:db8::7]:9000/bucket/a.mp4" }),
  "keeps the connection of a refusal open": changeAnswers(
    (_, { status }) => status >= 400,
    (answer) => ({ ...answer, headers: { ...answer.headers, connection: "keep-alive", "retry-after-hint": "0" } }),
  ),
  "tells of problems in two languages": {
    rejects: () =>
      json(422, { detail: [{ loc: ["body"], msg: "falsch 错误", type: "t", input: [null], ctx: {} }], errors: ["x"] }),
  },
  "tells of fifty problems": {
    rejects: () =>
      json(422, { detail: Array.from({ length: 50 }, (_, at) => ({ loc: ["body", at], msg: "no", type: "t" })) }),
  },
  "refuses unknown queries with 422": changeAnswers(
    (request, answer) => of("scrape", 200)(request, answer) && request.query.has("conformance_unknown"),
    () => json(422, { detail: [{ loc: ["query", "conformance_unknown"], msg: "unknown", type: "extra" }] }),
  ),
  "refuses unknown queries of reads with 400": changeAnswers(
    (request) => ["cookies", "replay"].includes(findOperation(request) ?? "") && request.query.size > 0,
    () => json(400, { detail: "no such parameter" }),
  ),
  "sends a run of nothing but heartbeats before its end": {
    run: () => [
      ...Array.from({ length: 300 }, () => ({ type: "status", status: "" })),
      ...runEndingIn("done").slice(-1),
    ],
  },
  "sends a tool's result before the tool's start": {
    run: () => [{ type: "tool_result", content: { deep: [[[]]] } }, ...runEndingIn("cancelled")],
  },
  "costs a great deal": ending("done", { total_cost_usd: 1e21 }),
  "pays for its runs": ending("done", { total_cost_usd: -1 }),
  "ends runs without a function, and tells more of them": ending("done", {
    function_id: undefined,
    metadata: { thread_id: "0195b7e4-6c2f-7d1a-9f3e-5a6b7c8d9e0f", thread: { id: 7 }, functions: [] },
  }),
  "ends runs by timeouts that tell of seconds": ending("timeout", { reason: 600, detail: { after: 600 } }),
  "ends runs by errors of no words": ending("error", { error: "", detail: "" }),
  "uploads a function twice": {
    run: () =>
      runEndingIn("done").flatMap((event) => (event["type"] === "function_uploaded" ? [event, event] : [event])),
  },
  "writes events behind a line of white space": { writes: (event) => `\n\n\ndata: ${JSON.stringify(event)}\n` },
  "writes an event in two chunks": revises((answer) =>
    answer.pieces.length > 1
      ? { ...answer, pieces: answer.pieces.flatMap((piece) => [String(piece).slice(0, 9), String(piece).slice(9)]) }
      : answer,
  ),
};

/** The table. */
export const correctOutsiders: readonly CorrectTarget[] = Object.entries(rows).map(([does, parts]) => ({
  does,
  parts,
}));
