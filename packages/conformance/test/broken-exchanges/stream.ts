import { bodyText, type RawResponse } from "../../src/http/exchange.ts";
import { keyFields } from "./event-fields.ts";
import { redirect } from "./reads.ts";
import { after, before, bytes, contentType, end, event, status, text, type FaultRow } from "./change.ts";

const endings = ["done", "error", "timeout", "cancelled"];

/** Faults of the automation request, and of the stream as a whole. */
export const streamFaults: readonly FaultRow[] = [
  ["automation/status-200", "automation/run", status(202)],
  ["automation/content-type", "automation/run", contentType("application/json")],
  ["automation/400-query-missing", "automation/without-query", status(422)],
  ["automation/400-query-elsewhere", "automation/with-inherited-query", status(200)],
  ["automation/refuses-missing-query-beside-others", "automation/with-near-names", status(200)],
  ["automation/400-query-missing-every-time", "automation/without-query-again-2", status(200)],
  ["automation/400-invalid-json", "automation/with-broken-json", status(500)],
  ["automation/refuses-a-body-without-fields", "automation/with-a-text-as-body", status(200)],
  ["automation/refuses-missing-query-in-any-form", "automation/without-query-and-large", status(200)],
  ["automation/starts-no-run-without-query", "automation/open-array-body", aRun],
  ["automation/400-lenient-json", "automation/with-query-and-nan", status(200)],
  [
    "automation/refuses-invalid-json-in-any-form",
    "automation/with-broken-json-at-address-with-query-string",
    status(200),
  ],
  ["automation/400-invalid-json-every-time", "automation/with-broken-json-again-2", status(200)],
  ["stream/utf-8", "automation/run", notUtf8],
  ["stream/line-form", "automation/run", text((body) => body.replace("data: ", "data:"))],
  ["stream/json-object", "automation/run", before("data: [1, 2]")],
  ["stream/event-type", "automation/run", before('data: {"status":"running"}')],
  ["stream/known-types", "automation/run", before('data: {"type":"tool-start","name":"open_page"}')],
  ["stream/types-are-listed", "automation/run", before('data: {"type":"progress","percent":7}')],
  ["stream/closes-without-reset", "automation/example-done", end("reset")],
  ["stream/breaks-not-off", "automation/run", cut],
  ["stream/closes-soon", "automation/run", early],
  ["stream/is-utf-8", "automation/run", latin1],
  ["automation/no-redirect", "automation/run", redirect],
  ["automation/is-served", "automation/run", status(421)],
  ["automation/statuses-are-listed", "automation/without-query-and-large", status(413)],
  ["event/key-fields-not-null", "automation/run", event("tool_result", "content", null)],
  ["stream/nothing-written-after-end", "automation/run", after(": the end")],
  ["stream/one-terminal-event", "automation/run", after('data: {"type":"cancelled","reason":"late"}')],
  ...endings.flatMap((type): FaultRow[] => [
    [`stream/nothing-after-${type}`, `automation/example-${type}`, after('data: {"type":"status","status":"late"}')],
    [`stream/closes-after-${type}`, `automation/example-${type}`, end("still-open")],
  ]),
];

/** Answers with a short run. */
function aRun(response: RawResponse): RawResponse {
  const stream = 'data: {"type":"cancelled","reason":"user"}\n\n';
  return bytes({ ...contentType("text/event-stream")(response), status: 200 }, Buffer.from(stream));
}

/** Breaks off before the terminal event. */
function cut(response: RawResponse): RawResponse {
  return end("reset")(text((body) => body.slice(0, body.indexOf('data: {"type":"done"')))(response));
}

/** Has sent everything some seconds before it closed. */
function early({ chunks, ...response }: RawResponse): RawResponse {
  return { ...response, chunks: chunks.map(({ atMs, bytes: part }) => ({ atMs: atMs - 8_000, bytes: part })) };
}

/** A letter in Latin-1, in a stream that says that it is in it. */
function latin1(response: RawResponse): RawResponse {
  const whole = Buffer.from(bodyText(response));
  const place = whole.indexOf("pier 3.");
  const changed = Buffer.concat([whole.subarray(0, place), Buffer.from([0xe9]), whole.subarray(place)]);
  return bytes(contentType("text/event-stream; charset=iso-8859-1")(response), changed);
}

function notUtf8(response: RawResponse): RawResponse {
  const whole = Buffer.from(bodyText(response));
  const place = whole.indexOf("pier 3.");
  return bytes(response, Buffer.concat([whole.subarray(0, place), Buffer.from([0xff]), whole.subarray(place)]));
}

const makeProbe = (type: string): string => (endings.includes(type) ? `automation/example-${type}` : "automation/run");

const keyFieldPairs: readonly (readonly [type: string, field: string])[] = Object.entries(keyFields).flatMap(
  ([type, names]) => names.map((name) => [type, name] as const),
);

const openFields = new Set(["content", "error", "detail"]);

/** Faults of events. */
export const eventFaults: readonly FaultRow[] = [
  ...keyFieldPairs.map(([type, field]): FaultRow => [
    `event/${type}-${field}-present`,
    makeProbe(type),
    event(type, field),
  ]),
  ...keyFieldPairs
    .filter(([, field]) => !openFields.has(field))
    .map(([type, field]): FaultRow => [`event/${type}-${field}-type`, makeProbe(type), event(type, field, false)]),
  ["event/done-function_id-type", "automation/example-done", event("done", "function_id", 7)],
  ["event/done-function_id-not-null", "automation/example-done", event("done", "function_id", null)],
  [
    "event/function_uploaded-function_id-not-null",
    "automation/example-done",
    event("function_uploaded", "function_id", null),
  ],
  ["event/done-function_id-valid", "automation/example-done", event("done", "function_id", "next_ferry")],
  [
    "event/done-function_id-uploaded",
    "automation/example-done",
    event("done", "function_id", "0195b7e4-6c2f-7d1a-9f3e-5a6b7c8d9e0f"),
  ],
  ["event/done-total_cost_usd-not-negative", "automation/run", event("done", "total_cost_usd", -0.5)],
  ["event/done-total_cost_usd-same", "automation/run", event("done", "metadata/total_cost_usd", 7)],
  [
    "event/done-thread_id-same",
    "automation/run",
    before(`data: {"type":"status","status":"","thread_id":"0195b7e4-6c2f-7d1a-9f3e-5a6b7c8d9e0f"}`),
  ],
  ["event/any-function_id-valid", "automation/run", before(`data: {"type":"status","status":"","function_id":"7"}`)],
  ["event/any-thread_id-valid", "automation/run", before(`data: {"type":"status","status":"","thread_id":"7"}`)],
  ["event/done-thread_id-present", "automation/example-done", event("done", "metadata/thread_id")],
  ["event/done-thread_id-type", "automation/example-done", event("done", "metadata/thread_id", 7)],
  ["event/done-thread_id-valid", "automation/example-done", event("done", "metadata/thread_id", "thread-7")],
  [
    "event/function_uploaded-function_id-valid",
    "automation/example-done",
    event("function_uploaded", "function_id", "next_ferry"),
  ],
];
