/** Correct targets that were written from the interface alone: each uses what it says is not shown. */
import { addHeaders, inPieces, refuse, text } from "../changes.ts";
import { at, has, inQuery, isText } from "../conditions.ts";
import { cookies, images, markdown, recording, runEndingIn } from "../content.ts";
import { asksImages, leaveMarkdown } from "../markdown-left.ts";
import { empty, findOperation, isObject, json, readValue, words, type Fields, type Json } from "../messages.ts";
import { ending, film, jar, revise, reviseAll, run, turnAway, writes } from "../parts.ts";
import { correctService, type Parts, type Service } from "../service.ts";
import { correct, type CorrectTarget } from "./correct-target.ts";
import { escapeLetters } from "./writing.ts";

/** Finds no data of the structure where a part of the page is scraped, and refuses that in some way. */
const findNoData = (detail: Json): Parts =>
  revise("scrape", refuse(422, detail), has("response_format", isObject), has("selector", isText()));

/** Members whose texts are free. */
const freeTexts: ReadonlySet<string> = new Set(
  "markdown description error detail title msg status delta content function_name name".split(" "),
);

/** Adds something to every free text, however deep it lies. */
function mark(value: Json, end: string, name = ""): Json {
  if (Array.isArray(value)) return value.map((inner) => mark(inner, end, name));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([inner, own]) => [inner, mark(own, end, inner)]));
  return typeof value === "string" && freeTexts.has(name) ? `${value}${end}` : value;
}

const markTexts = (end: string): Parts => ({
  scrapes: (options, request) => mark(correctService.scrapes(options, request), end),
  rejects: (problems, request) => {
    const answer = correctService.rejects(problems, request);
    return { ...answer, pieces: [JSON.stringify(mark(readValue(answer), end))] };
  },
  ...writes((_, event) => `data: ${JSON.stringify(mark(event, end))}\n\n`),
});

const flags = (accepted: RegExp): Parts => ({ flag: (value) => value === null || accepted.test(value) });

/** Has a longer video at each read. */
function refine(): Parts {
  let reads = 0;
  return { recording: () => ({ ...recording, video_duration_ms: 10_040 + (reads += 1) }) };
}

/** Gives images of its own where some are asked for. */
const showImages =
  (own: readonly Fields[]): Service["scrapes"] =>
  (options) => ({ markdown: leaveMarkdown(markdown, options), ...(asksImages(options) ? { images: [...own] } : {}) });

/** Gives the same structured data with each scrape. */
const extract = (structured: Fields): Parts => ({
  scrapes: (options) => ({ markdown: leaveMarkdown(markdown, options), structured }),
});

/** Tells of these problems, whatever is wrong. */
const reject = (detail: Json, more: Fields = {}): Parts => ({ rejects: () => json(422, { detail, ...more }) });

/** The table. */
export const correctOutsiders: readonly CorrectTarget[] = correct({
  "answers strangers at the cookies in words": turnAway(
    words(401, "who are you?"),
    (request) => findOperation(request) === "cookies",
  ),
  "hides the replay from strangers by 404, without a body": turnAway(
    empty(404),
    (request) => findOperation(request) === "replay",
  ),
  "writes JSON with escapes for every letter": reviseAll(
    inPieces((pieces) => pieces.map((piece) => escapeLetters(String(piece)))),
    (_, answer) => answer.headers["content-type"] === "application/json",
  ),
  "writes JSON over many lines": revise(
    "scrape",
    text((body) => `\n${JSON.stringify(JSON.parse(body), null, 4)}\r\n`),
  ),
  "gives ten thousand images": {
    scrapes: showImages(Array.from({ length: 10_000 }, () => ({ ...images[0] }))),
  },
  "gives images without anything": { scrapes: showImages([{}, {}, {}]) },
  "gives Markdown of nothing but spaces": { scrapes: () => ({ markdown: " \n\t " }) },
  "gives Markdown with characters of every plane": { scrapes: () => ({ markdown: "\u0000\u001F🛳️𝒜\u202E\uFFFE" }) },
  "ends its texts with U+0000": markTexts("\u0000"),
  "cuts its texts within a pair of surrogates": markTexts("\uD83D"),
  "begins its texts within a pair of surrogates": markTexts("\uDEF3"),
  "colours its texts for a terminal": markTexts("\u001B[31m\u009B0m\u2028"),
  "reads true and false in any case, and between spaces": flags(/^\s*(?:true|false)\s*$/i),
  "reads one letter, on and off, and 1 and 0 as true and false": flags(/^(?:true|false|[tfyn10]|on|off|yes|no)$/i),
  "reads no word at all as true": flags(/^(?:true|false|)$/),
  "asks for a media type before it looks for a body": reviseAll(
    refuse(415, "no type"),
    ({ headers }, { status }) => status === 422 && headers["content-type"] === undefined,
  ),
  "knows the length of its video better at each read": refine(),
  "extracts half of a list, and says so": extract({ success: false, error: "half", data: [[null], 0, false] }),
  "extracts nothing, and does not say why": extract({ success: false, error: "", data: null }),
  "refuses to find data in a part of the page, and names no field": findNoData([]),
  "refuses to find data in a part of the page, and names the structure": findNoData([
    { loc: ["body", "response_format"], msg: "no such data", type: "no_data" },
  ]),
  "has cookies that are all alike": jar({ name: "a" }, { name: "a" }, { name: "a" }),
  "has cookies of great numbers": jar({ expires: 1e300, expirationDate: -1e-9 }),
  "has cookies without names": jar({ value: "x" }, {}),
  "has five hundred cookies": jar(...Array.from({ length: 500 }, (_, place) => ({ ...cookies[0], name: `n${place}` }))),
  "has cookies with fields of other browsers": jar({ name: "a", priority: "High", sameParty: false, sourcePort: 443 }),
  "starts its video before the session": film({ video_start_ms: -9_007_199 }),
  "starts its video late": film({ video_start_ms: 86_400_000 }),
  "has a recording that expires in a century": film({ expires_at: "2136-01-01T00:00:00.000000001-11:30" }),
  "has addresses with ports, users and fragments": film({ mp4_url: "https://u:p@store.example:8443/a.mp4?x=1#t=1" }),
  "has addresses in capitals": film({ mp4_url: "HTTPS://STORE.EXAMPLE/A.MP4" }),
  "has addresses of letters beyond ASCII": film({ mp4_url: "https://lager.example/aufnähme.mp4?sig=ü" }),
  "has addresses of numbers": film({ mp4_url: "http://[2001:db8::7]:9000/bucket/a.mp4" }),
  "keeps the connection of a refusal open": reviseAll(
    addHeaders({ connection: "keep-alive", "retry-after-hint": "0" }),
    (_, { status }) => status >= 400,
  ),
  "tells of problems in two languages": reject(
    [{ loc: ["body"], msg: "falsch 错误", type: "t", input: [null], ctx: {} }],
    { errors: ["x"] },
  ),
  "tells of fifty problems": reject(
    Array.from({ length: 50 }, (_, place) => ({ loc: ["body", place], msg: "no", type: "t" })),
  ),
  "refuses unknown queries with 422": revise(
    "scrape",
    refuse(422, [{ loc: ["query", "conformance_unknown"], msg: "unknown", type: "extra" }]),
    inQuery("conformance_unknown"),
  ),
  "refuses unknown queries of reads with 400": reviseAll(
    refuse(400, "no such parameter"),
    at("cookies", "replay"),
    ({ query }) => query.size > 0,
  ),
  "sends a run of nothing but heartbeats before its end": run((all) => [
    ...Array.from({ length: 300 }, () => ({ type: "status", status: "" })),
    ...all.slice(-1),
  ]),
  "sends a tool's result before the tool's start": run(() => [
    { type: "tool_result", content: { deep: [[[]]] } },
    ...runEndingIn("cancelled"),
  ]),
  "costs a great deal": ending("done", { total_cost_usd: 1e21 }),
  "pays for its runs": ending("done", { total_cost_usd: -1 }),
  "ends runs without a function, and tells more of them": ending("done", {
    function_id: undefined,
    metadata: { thread_id: "0195b7e4-6c2f-7d1a-9f3e-5a6b7c8d9e0f", thread: { id: 7 }, functions: [] },
  }),
  "ends runs by timeouts that tell of seconds": ending("timeout", { reason: 600, detail: { after: 600 } }),
  "ends runs by errors of no words": ending("error", { error: "", detail: "" }),
  "uploads a function twice": run((all) =>
    all.flatMap((event) => (event["type"] === "function_uploaded" ? [event, event] : [event])),
  ),
  "writes events behind a line of white space": writes((data) => `\n\n\ndata: ${data}\n`),
  "writes an event in two chunks": reviseAll(
    inPieces((pieces) => pieces.flatMap((piece) => [String(piece).slice(0, 9), String(piece).slice(9)])),
    (_, { pieces }) => pieces.length > 1,
  ),
});
