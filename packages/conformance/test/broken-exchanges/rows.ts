/** Faults of checks for which no server of the kill table is changed in its answers alone. */
import { composedCredentialChecks } from "../../src/checks/authentication/composed-credentials.ts";
import { strangerChecks } from "../../src/checks/authentication/strangers.ts";
import {
  addPieces,
  blame,
  inPieces,
  inTurn,
  markByteOrder,
  mediaType,
  send,
  set,
  status,
  type Change,
} from "../targets/changes.ts";

/** A fault as a row: the check that must see it, the exchange of a conforming server, and the change of its answer. */
type FaultRow = readonly [check: string, probe: string, change: Change];

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

export const rows: readonly FaultRow[] = [
  ["scrape/accepts-annotated-schema", "scrape/annotated-schema", status(500)],
  ["scrape/accepts-any-spelling", "scrape/spelled-escaped", status(400)],
  ["scrape/accepts-request-origin", "scrape/with-request-origin", status(500)],
  ["scrape/accepts-any-instructions", "scrape/pair-22", blame("body", "instructions")],
  ["scrape/accepts-any-request-origin", "scrape/with-request-origin", status(400)],
  ["scrape/accepts-any-sdk-version", "scrape/with-sdk-version", status(431)],
  ["scrape/refuses-empty-body", "scrape/body-empty", status(200)],
  ["scrape/refuses-broken-json", "scrape/with-broken-json", status(200)],
  ["scrape/refuses-lenient-json", "scrape/body-more", status(200)],
  ["scrape/rejects-array-body", "scrape/body-null", status(200)],
  ["scrape/converts-nothing", "scrape/open-instructions-number", inTurn(status(200), send('{"markdown":""}'))],
  ["scrape/no-server-error", "scrape/open-selector-no-match", status(500)],
  ["cookies/no-server-error", "cookies/open-lower-scheme", status(500)],
  ["replay/no-server-error", "replay/open-with-body", status(500)],
  ["cookies/422-body", "cookies/example-422", send("two problems")],
  ["cookies/fields-not-null", "cookies/example-typical", set("cookies/0/expires", null)],
  ["replay/ready-when-ended", "replay/read", inTurn(status(204), send())],
  ["replay/same-recording", "replay/read-again-2", set("video_start_ms", 7)],
  ...["scrape", "cookies", "replay"].flatMap((word): FaultRow[] => [
    [`${word}/refuses-key-in-other-case`, `${word}/with-key-other-case`, status(200)],
    [`${word}/refuses-other-scheme`, `${word}/with-key-alone`, status(200)],
    [`${word}/refuses-wrong-key-in-burst`, `${word}/with-wrong-key-in-burst`, status(200)],
  ]),
  ["scrape/no-byte-order-mark", "scrape/again-2", markByteOrder],
  ["cookies/no-byte-order-mark", "cookies/read-again-2", markByteOrder],
  ["replay/no-byte-order-mark", "replay/read-again-2", markByteOrder],
  ["scrape/fields-are-listed", "scrape/defaults", set("title", "Harbour")],
  ["cookies/fields-are-listed", "cookies/example-typical", set("cookies/0/priority", "High")],
  ["replay/fields-are-listed", "replay/read", set("title", "Harbour")],
  ["automation/401-key-in-other-case", "automation/with-key-other-case", status(200)],
  ["automation/401-other-scheme", "automation/with-key-as-basic", status(200)],
  ["automation/401-empty-key", "automation/with-empty", status(400)],
  ["automation/statuses-are-listed", "automation/without-query-and-large", status(413)],
  ["stream/is-utf-8", "automation/run", inTurn(insertByte(0xe9), mediaType("text/event-stream; charset=iso-8859-1"))],
  ["stream/closes-soon", "automation/run", (answer) => ({ ...answer, lingerMs: 60_000 })],
  ["stream/nothing-written-after-end", "automation/run", addPieces(": the end\n\n")],
  ...[...composedCredentialChecks, ...strangerChecks]
    .filter(({ id }) => /elsewhere|answers-(?:any|strangers)/.test(id))
    .map(({ id, probes }): FaultRow => [id, probes.at(-1) ?? "", status(id.includes("answers") ? 500 : 200)]),
];
