/**
 * For every check one fault: an exchange of a conforming server, changed so that it breaks one sentence of the interface.
 */
import { bodyText, type Exchange, type RawResponse } from "../src/exchange.ts";

/** Which exchange is changed, and how. */
export interface Fault {
  readonly probe: string;
  readonly change: (response: RawResponse) => RawResponse;
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The exchange with its response changed. */
export function applyFault(exchange: Exchange, fault: Fault): Exchange {
  if (!exchange.response) throw new Error(`${exchange.id} has no response to change`);
  return { ...exchange, response: fault.change(exchange.response) };
}

function bytes(response: RawResponse, body: Uint8Array): RawResponse {
  return { ...response, chunks: [{ atMs: 1, bytes: body }] };
}

function text(change: (body: string) => string): Fault["change"] {
  return (response) => bytes(response, Buffer.from(change(bodyText(response))));
}

const status =
  (code: number): Fault["change"] =>
  (response) => ({ ...response, status: code });

const contentType =
  (value: string): Fault["change"] =>
  (response) => ({ ...response, headers: [["Content-Type", value]] });

const end =
  (value: RawResponse["end"]): Fault["change"] =>
  (response) => ({ ...response, end: value });

/** Sets what stands at a path, or removes it when no value is given. */
function at(path: string, value?: Json): Fault["change"] {
  return text((body) => {
    const root: Json = JSON.parse(body);
    edit(root, path.split("/"), value);
    return JSON.stringify(root);
  });
}

function edit(node: Json | undefined, path: readonly string[], value: Json | undefined): void {
  const [step = "", ...rest] = path;
  if (typeof node !== "object" || node === null) throw new Error(`nothing stands at ${path.join("/")}`);
  if (rest.length > 0) return edit(Array.isArray(node) ? node[Number(step)] : node[step], rest, value);
  if (value === undefined) Reflect.deleteProperty(node, step);
  else Reflect.set(node, step, value);
}

/** Changes the first event of a type. */
function event(type: string, path: string, value?: Json): Fault["change"] {
  return text((body) => {
    const line = body.split("\n").find((one) => one.includes(`"type":"${type}"`));
    if (line === undefined) throw new Error(`no event of the type ${type}`);
    const object: Json = JSON.parse(line.slice("data: ".length));
    edit(object, path.split("/"), value);
    return body.replace(line, () => `data: ${JSON.stringify(object)}`);
  });
}

/** Puts a line before the terminal event. */
const before = (line: string): Fault["change"] =>
  text((body) => body.replace(/data: \{"type":"done"/, `${line}\n\n$&`));

/** Puts a line at the end of the stream. */
const after = (line: string): Fault["change"] => text((body) => `${body}${line}\n\n`);

const refusal =
  (field: string): Fault["change"] =>
  (response) =>
    bytes(
      { ...response, status: 422 },
      Buffer.from(JSON.stringify({ detail: [{ loc: ["body", field], msg: "required", type: "missing" }] })),
    );

type Row = readonly [check: string, probe: string, change: Fault["change"]];

const requestFields = [
  "selector",
  "scrape_links",
  "scrape_images",
  "ignored_tags",
  "only_main_content",
  "only_images",
  "response_format",
  "instructions",
  "use_link_placeholders",
];

const scrapeRows: readonly Row[] = [
  ["scrape/status-200", "scrape/defaults", status(500)],
  ["scrape/content-type", "scrape/with-scrape_links-1", contentType("text/plain")],
  ["scrape/json", "scrape/with-scrape_links-2", text(() => "<p>not JSON</p>")],
  ...requestFields.flatMap((field): Row[] => [
    [`scrape/${field}-optional`, "scrape/defaults", refusal(field)],
    [`scrape/accepts-${field}`, `scrape/with-${field}-2`, status(500)],
  ]),
  ...requestFields
    .filter((field) => field !== "response_format")
    .map((field): Row => [`scrape/rejects-wrong-${field}`, `scrape/with-wrong-${field}-1`, status(200)]),
  ["scrape/rejects-wrong-ignored_tags-items", "scrape/with-wrong-ignored_tags-items", status(200)],
  ["scrape/rejects-unknown-property", "scrape/with-unknown-constructor", status(200)],
  ["scrape/rejects-missing-body", "scrape/without-body", status(200)],
  ["scrape/rejects-array-body", "scrape/with-array-body", status(200)],
  ["scrape/accepts-update_metadata", "scrape/update-metadata-false", status(500)],
  ["scrape/rejects-wrong-update_metadata", "scrape/update-metadata-wrong", status(200)],
  ["scrape/accepts-request-origin", "scrape/with-request-origin", status(500)],
  ["scrape/accepts-sdk-version", "scrape/with-sdk-version", status(500)],
  ["scrape/body-type", "scrape/example-markdown", text(() => "[]")],
  ["scrape/markdown-present", "scrape/example-images", at("markdown")],
  ["scrape/markdown-type", "scrape/example-images", at("markdown", null)],
  ["scrape/images-type", "scrape/example-images", at("images", {})],
  ["scrape/image-type", "scrape/example-images", at("images/3", "https://ferries.example/waves.png")],
  ["scrape/image-url-type", "scrape/example-images", at("images/3/url", 7)],
  ["scrape/image-category-type", "scrape/example-images", at("images/3/category", 7)],
  ["scrape/image-category-valid", "scrape/example-images", at("images/3/category", "banner")],
  ["scrape/image-description-type", "scrape/example-images", at("images/3/description", ["waves"])],
  ["scrape/structured-type", "scrape/example-structured", at("structured", "none")],
  ["scrape/structured-success-type", "scrape/example-structured", at("structured/success", "true")],
  ["scrape/structured-error-type", "scrape/example-extraction-failed", at("structured/error", { message: "none" })],
];

const rejected = "scrape/with-wrong-selector-1";
const validationErrorRows: readonly Row[] = [
  ["validation-error/json", rejected, text(() => "")],
  ["cookies/422-body", "cookies/example-422", text(() => "two problems")],
  ["validation-error/body-type", rejected, text(() => '"wrong selector"')],
  ["validation-error/detail-present", rejected, at("detail")],
  ["validation-error/detail-type", rejected, at("detail", "wrong selector")],
  ["validation-error/problem-type", rejected, at("detail/0", "wrong selector")],
  ["validation-error/loc-present", rejected, at("detail/0/loc")],
  ["validation-error/loc-type", rejected, at("detail/0/loc", "body.selector")],
  ["validation-error/loc-items-type", rejected, at("detail/0/loc/1", null)],
  ["validation-error/msg-present", rejected, at("detail/0/msg")],
  ["validation-error/msg-type", rejected, at("detail/0/msg", ["wrong"])],
  ["validation-error/type-present", rejected, at("detail/0/type")],
  ["validation-error/type-type", rejected, at("detail/0/type", 422)],
  ["validation-error/ctx-type", rejected, at("detail/0/ctx", "none")],
];

const cookieFields: Readonly<Record<string, Json>> = {
  name: 7,
  value: null,
  domain: false,
  path: ["/"],
  httpOnly: "true",
  expirationDate: "2026-11-20",
  hostOnly: 1,
  sameSite: 0,
  secure: null,
  session: "no",
  storeId: 0,
  expires: null,
  partitionKey: { topLevelSite: "https://ferries.example" },
};

const cookiesRows: readonly Row[] = [
  ["cookies/status-200", "cookies/read", status(204)],
  ["cookies/json", "cookies/read", text(() => "sid=1")],
  ["cookies/body-type", "cookies/read", text(() => "[]")],
  ["cookies/cookies-present", "cookies/read", at("cookies")],
  ["cookies/cookies-type", "cookies/read", at("cookies", {})],
  ["cookies/cookie-type", "cookies/read", at("cookies/0", "sid=1")],
  ...Object.entries(cookieFields).map(([field, value]): Row => [
    `cookies/cookie-${field}-type`,
    "cookies/example-complete",
    at(`cookies/0/${field}`, value),
  ]),
];

const replayRows: readonly Row[] = [
  ["replay/status-200", "replay/read", status(206)],
  ["replay/json", "replay/read", text(() => "#EXTM3U")],
  ["replay/body-type", "replay/read", text(() => "[]")],
  ...["mp4_url", "playlist_content", "expires_at", "video_start_ms", "video_duration_ms"].flatMap((field): Row[] => [
    [`replay/${field}-present`, "replay/read", at(field)],
    [`replay/${field}-type`, "replay/read", at(field, field.endsWith("_ms") ? 1.5 : null)],
  ]),
  ["replay/expires_at-valid", "replay/read", at("expires_at", "2026-11-20T12:00:00")],
  ["replay/mp4_url-address", "replay/read", at("mp4_url", "/recordings/replay.mp4")],
  ["replay/playlist_content-hls", "replay/read", at("playlist_content", "https://recordings.example/replay.m3u8")],
];

const authenticationRows: readonly Row[] = [
  ...["scrape", "cookies", "replay"].flatMap((word): Row[] => [
    [`${word}/refuses-missing-key`, `${word}/without-key`, status(200)],
    [`${word}/refuses-wrong-key`, `${word}/with-wrong-key`, status(200)],
  ]),
  ["automation/401-missing-key", "automation/without-key", status(403)],
  ["automation/401-wrong-key", "automation/with-wrong-key", status(200)],
];

const endings = ["done", "error", "timeout", "cancelled"];

const streamRows: readonly Row[] = [
  ["automation/status-200", "automation/run", status(202)],
  ["automation/content-type", "automation/run", contentType("application/json")],
  ["automation/400-query-missing", "automation/without-query", status(422)],
  ["automation/400-invalid-json", "automation/with-broken-json", status(500)],
  ["stream/utf-8", "automation/run", notUtf8],
  ["stream/line-form", "automation/run", text((body) => body.replace("data: ", "data:"))],
  ["stream/json-object", "automation/run", before("data: [1, 2]")],
  ["stream/event-type", "automation/run", before('data: {"status":"running"}')],
  ["stream/known-types", "automation/run", before('data: {"type":"tool-start","name":"open_page"}')],
  ["stream/one-terminal-event", "automation/run", after('data: {"type":"cancelled","reason":"late"}')],
  ...endings.flatMap((type): Row[] => [
    [`stream/nothing-after-${type}`, `automation/example-${type}`, after('data: {"type":"status","status":"late"}')],
    [`stream/closes-after-${type}`, `automation/example-${type}`, end("still-open")],
  ]),
];

function notUtf8(response: RawResponse): RawResponse {
  const whole = Buffer.from(bodyText(response));
  const place = whole.indexOf("pier 3.");
  return bytes(response, Buffer.concat([whole.subarray(0, place), Buffer.from([0xff]), whole.subarray(place)]));
}

const probeOf = (type: string): string => (endings.includes(type) ? `automation/example-${type}` : "automation/run");

const keyFields: readonly (readonly [type: string, field: string])[] = [
  ["status", "status"],
  ["thinking_delta", "delta"],
  ["text_delta", "delta"],
  ["tool_start", "name"],
  ["tool_result", "content"],
  ["message_complete", "role"],
  ["notte_session_data", "viewer_url"],
  ["function_uploaded", "function_id"],
  ["function_uploaded", "function_name"],
  ["function_uploaded", "created_at"],
  ["done", "total_cost_usd"],
  ["done", "metadata"],
  ["error", "error"],
  ["error", "detail"],
  ["timeout", "reason"],
  ["timeout", "detail"],
  ["cancelled", "reason"],
];

const openFields = new Set(["content", "error", "detail"]);

const eventRows: readonly Row[] = [
  ...keyFields.map(([type, field]): Row => [`event/${type}-${field}-present`, probeOf(type), event(type, field)]),
  ...keyFields
    .filter(([, field]) => !openFields.has(field))
    .map(([type, field]): Row => [`event/${type}-${field}-type`, probeOf(type), event(type, field, false)]),
  ["event/done-function_id-type", "automation/example-done", event("done", "function_id", 7)],
  ["event/done-function_id-valid", "automation/example-done", event("done", "function_id", "next_ferry")],
  ["event/done-thread_id-present", "automation/example-done", event("done", "metadata/thread_id")],
  ["event/done-thread_id-type", "automation/example-done", event("done", "metadata/thread_id", 7)],
  ["event/done-thread_id-valid", "automation/example-done", event("done", "metadata/thread_id", "thread-7")],
  [
    "event/function_uploaded-function_id-valid",
    "automation/example-done",
    event("function_uploaded", "function_id", "next_ferry"),
  ],
];

/** The fault of each check, by the check's id. */
export const faults: ReadonlyMap<string, Fault> = new Map(
  [
    ...scrapeRows,
    ...validationErrorRows,
    ...cookiesRows,
    ...replayRows,
    ...authenticationRows,
    ...streamRows,
    ...eventRows,
  ].map(([check, probe, changed]) => [check, { probe, change: changed }]),
);
