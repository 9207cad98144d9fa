import {
  addPieces,
  hang,
  inPieces,
  inTurn,
  mediaType,
  reset,
  startRun,
  status,
  text,
  type Change,
} from "../targets/changes.ts";
import { drop, rewriteType, setInEvents } from "../targets/stream-changes.ts";
import { keyFields } from "./event-fields.ts";
import type { FaultRow } from "./fault-row.ts";
import { redirectAway } from "./reads.ts";

const endings = ["done", "error", "timeout", "cancelled"];

/** Puts a line before the terminal event. */
const before = (line: string): Change => rewriteType("done", (piece) => `${line}\n\n${piece}`);
/** Puts a line at the end of the stream. */
const after = (line: string): Change => addPieces(`${line}\n\n`);

/** Puts a byte into a text of an event. */
const insertByte = (byte: number): Change =>
  inPieces((pieces) =>
    pieces.map((piece) => {
      const [start = "", rest] = String(piece).split("pier 3.");
      return rest === undefined
        ? piece
        : Buffer.concat([Buffer.from(start), Buffer.of(byte), Buffer.from(`pier 3.${rest}`)]);
    }),
  );

/** Faults of the automation request, and of the stream as a whole. */
export const streamFaults: readonly FaultRow[] = [
  ["automation/status-200", "automation/run", status(202)],
  ["automation/content-type", "automation/run", mediaType("application/json")],
  ["automation/400-query-missing", "automation/without-query", status(422)],
  ["automation/400-query-elsewhere", "automation/with-inherited-query", status(200)],
  ["automation/refuses-missing-query-beside-others", "automation/with-near-names", status(200)],
  ["automation/400-query-missing-every-time", "automation/without-query-again-2", status(200)],
  ["automation/400-invalid-json", "automation/with-broken-json", status(500)],
  ["automation/refuses-a-body-without-fields", "automation/with-a-text-as-body", status(200)],
  ["automation/refuses-missing-query-in-any-form", "automation/without-query-and-large", status(200)],
  ["automation/starts-no-run-without-query", "automation/open-array-body", startRun],
  ["automation/400-lenient-json", "automation/with-query-and-nan", status(200)],
  [
    "automation/refuses-invalid-json-in-any-form",
    "automation/with-broken-json-at-address-with-query-string",
    status(200),
  ],
  ["automation/400-invalid-json-every-time", "automation/with-broken-json-again-2", status(200)],
  ["stream/utf-8", "automation/run", insertByte(0xff)],
  ["stream/line-form", "automation/run", text((body) => body.replace("data: ", "data:"))],
  ["stream/json-object", "automation/run", before("data: [1, 2]")],
  ["stream/event-type", "automation/run", before('data: {"status":"running"}')],
  ["stream/known-types", "automation/run", before('data: {"type":"tool-start","name":"open_page"}')],
  ["stream/types-are-listed", "automation/run", before('data: {"type":"progress","percent":7}')],
  ["stream/closes-without-reset", "automation/example-done", reset],
  ["stream/breaks-not-off", "automation/run", inTurn(drop(), reset)],
  ["stream/closes-soon", "automation/run", (answer) => ({ ...answer, lingerMs: 8_000 })],
  ["stream/is-utf-8", "automation/run", inTurn(insertByte(0xe9), mediaType("text/event-stream; charset=iso-8859-1"))],
  ["automation/no-redirect", "automation/run", redirectAway],
  ["automation/is-served", "automation/run", status(421)],
  ["automation/statuses-are-listed", "automation/without-query-and-large", status(413)],
  ["event/key-fields-not-null", "automation/run", setInEvents("tool_result", "content", null)],
  ["stream/nothing-written-after-end", "automation/run", after(": the end")],
  ["stream/one-terminal-event", "automation/run", after('data: {"type":"cancelled","reason":"late"}')],
  ...endings.flatMap((type): FaultRow[] => [
    [`stream/nothing-after-${type}`, `automation/example-${type}`, after('data: {"type":"status","status":"late"}')],
    [`stream/closes-after-${type}`, `automation/example-${type}`, hang],
  ]),
];

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
    setInEvents(type, field),
  ]),
  ...keyFieldPairs
    .filter(([, field]) => !openFields.has(field))
    .map(([type, field]): FaultRow => [
      `event/${type}-${field}-type`,
      makeProbe(type),
      setInEvents(type, field, false),
    ]),
  ["event/done-function_id-type", "automation/example-done", setInEvents("done", "function_id", 7)],
  ["event/done-function_id-not-null", "automation/example-done", setInEvents("done", "function_id", null)],
  [
    "event/function_uploaded-function_id-not-null",
    "automation/example-done",
    setInEvents("function_uploaded", "function_id", null),
  ],
  ["event/done-function_id-valid", "automation/example-done", setInEvents("done", "function_id", "next_ferry")],
  [
    "event/done-function_id-uploaded",
    "automation/example-done",
    setInEvents("done", "function_id", "0195b7e4-6c2f-7d1a-9f3e-5a6b7c8d9e0f"),
  ],
  ["event/done-total_cost_usd-not-negative", "automation/run", setInEvents("done", "total_cost_usd", -0.5)],
  ["event/done-total_cost_usd-same", "automation/run", setInEvents("done", "metadata/total_cost_usd", 7)],
  [
    "event/done-thread_id-same",
    "automation/run",
    before(`data: {"type":"status","status":"","thread_id":"0195b7e4-6c2f-7d1a-9f3e-5a6b7c8d9e0f"}`),
  ],
  ["event/any-function_id-valid", "automation/run", before(`data: {"type":"status","status":"","function_id":"7"}`)],
  ["event/any-thread_id-valid", "automation/run", before(`data: {"type":"status","status":"","thread_id":"7"}`)],
  ["event/done-thread_id-present", "automation/example-done", setInEvents("done", "metadata/thread_id")],
  ["event/done-thread_id-type", "automation/example-done", setInEvents("done", "metadata/thread_id", 7)],
  ["event/done-thread_id-valid", "automation/example-done", setInEvents("done", "metadata/thread_id", "thread-7")],
  [
    "event/function_uploaded-function_id-valid",
    "automation/example-done",
    setInEvents("function_uploaded", "function_id", "next_ferry"),
  ],
];
