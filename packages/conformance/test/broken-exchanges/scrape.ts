import { blame, inTurn, markByteOrder, send, set, status } from "../targets/changes.ts";
import { booleans, fieldReaders } from "../targets/service.ts";
import type { FaultRow } from "./fault-row.ts";
import { redirectAway } from "./reads.ts";

const requestFields = Object.keys(fieldReaders);

/** The last value that each field takes. */
const lastValue: Readonly<Record<string, string>> = {
  selector: "null",
  ignored_tags: "many",
  response_format: "nested",
  instructions: "empty",
};

const accept = inTurn(status(200), send('{"markdown":""}'));

/** Faults of what a page scrape takes, and of what it does not. */
export const scrapeFaults: readonly FaultRow[] = [
  ["scrape/status-200", "scrape/defaults", status(500)],
  ["scrape/status-200-every-time", "scrape/again-3", status(401)],
  ["scrape/status-200-in-burst", "scrape/plain-in-burst-2", status(500)],
  ...requestFields.flatMap((field): FaultRow[] => [
    [`scrape/${field}-optional`, "scrape/defaults", blame("body", field)],
    [`scrape/accepts-${field}`, `scrape/with-${field}-${lastValue[field] ?? "false"}`, status(500)],
  ]),
  ["scrape/answers-without-data", "scrape/with-response_format-schema", blame("body", "response_format")],
  ["scrape/accepts-empty-instructions", "scrape/with-instructions-empty", blame("body", "instructions")],
  ["scrape/accepts-any-selector", "scrape/pair-03", blame("body", "selector")],
  ["scrape/accepts-any-instructions", "scrape/pair-22", blame("body", "instructions")],
  ["scrape/accepts-any-ignored_tags", "scrape/with-ignored_tags-empty", blame("body", "ignored_tags")],
  ["scrape/accepts-any-response_format", "scrape/annotated-schema", status(400)],
  ["scrape/accepts-any-media-type-notation", "scrape/typed-profile", status(415)],
  ["scrape/accepts-any-request-origin", "scrape/with-request-origin", status(400)],
  ["scrape/accepts-any-sdk-version", "scrape/with-sdk-version", status(431)],
  ["scrape/converts-nothing", "scrape/open-instructions-number", accept],
  ["scrape/no-server-error", "scrape/open-selector-no-match", status(500)],
  ["scrape/no-redirect", "scrape/again-2", redirectAway],
  ["scrape/no-byte-order-mark", "scrape/again-2", markByteOrder],
  ["scrape/is-served", "scrape/again-2", status(405)],
  ["scrape/fields-are-listed", "scrape/defaults", set("title", "Harbour")],
  ["scrape/accepts-annotated-schema", "scrape/annotated-schema", status(500)],
  ["scrape/accepts-schema-reference", "scrape/with-response_format-nested", blame("body", "response_format")],
  ["scrape/accepts-any-spelling", "scrape/spelled-escaped", status(400)],
  ["scrape/accepts-combinations", "scrape/pair-07", status(500)],
  ...requestFields
    .filter((field) => field !== "response_format")
    .map((field): FaultRow => [`scrape/rejects-wrong-${field}`, `scrape/wrong-${field}-object`, status(200)]),
  ...booleans.map((field): FaultRow => [`scrape/rejects-null-${field}`, `scrape/wrong-${field}-null`, status(200)]),
  ["scrape/rejects-wrong-ignored_tags-items", "scrape/wrong-ignored_tags-items-object-second", status(200)],
  ["scrape/rejects-two-faults", "scrape/two-faults", status(200)],
  ["scrape/rejects-missing-body", "scrape/without-body", status(200)],
  ["scrape/refuses-empty-body", "scrape/body-empty", status(200)],
  ["scrape/refuses-broken-json", "scrape/with-broken-json", status(200)],
  ["scrape/refuses-lenient-json", "scrape/body-more", status(200)],
  ["scrape/rejects-array-body", "scrape/body-null", status(200)],
  ["scrape/rejects-unknown-property", "scrape/unknown-random-1", status(200)],
  ["scrape/rejects-inherited-names", "scrape/unknown-__proto__", status(200)],
  ["scrape/rejects-near-names", "scrape/unknown-look-alike", status(200)],
  ["scrape/rejects-foreign-names", "scrape/unknown-session_id", status(400)],
  ["scrape/rejects-any-unknown-name", "scrape/unknown-name-digit", status(200)],
  ["scrape/rejects-unknown-anywhere", "scrape/unknown-amid", status(200)],
  ["scrape/validates-every-time", "scrape/wrong-again-2", status(200)],
  ["scrape/validates-whatever-accept", "scrape/preferring-html-and-unknown", status(400)],
  ["scrape/validates-with-headers", "scrape/both-headers-and-unknown", status(200)],
  ["scrape/validates-with-update_metadata", "scrape/update-metadata-false-and-wrong", status(200)],
  ["scrape/validates-on-kept-connection", "scrape/on-kept-connection-and-unknown", status(200)],
  ["scrape/validates-with-values-written-out", "scrape/empty-values-and-wrong", status(200)],
  ["scrape/validates-in-burst", "scrape/in-burst-and-wrong", status(200)],
  ["scrape/refuses-invalid-with-charset", "scrape/charset-and-wrong", status(200)],
  ["scrape/refuses-invalid-when-large", "scrape/large-and-invalid", status(200)],
  ["scrape/accepts-update_metadata", "scrape/update-metadata-false", status(500)],
  ["scrape/rejects-wrong-update_metadata", "scrape/update-metadata-wrong", status(200)],
  ["scrape/accepts-request-origin", "scrape/with-request-origin", status(500)],
  ["scrape/accepts-sdk-version", "scrape/with-sdk-version", status(500)],
];
