import { nothingSeen, verdict, type Check } from "../check.ts";
import type { Operation } from "../../contract/contract.ts";
import { bodyBytes, bodyJson, isAnswerOf } from "../../http/exchange.ts";

const requirement = "answers.no-byte-order-mark";

/** The bytes of a byte order mark in UTF-8. */
const mark = Buffer.from("\u{FEFF}");

/** The operations that answer with JSON, the first part of the ids of their checks, and the request that every run sends. */
const operations: readonly (readonly [operation: Operation, word: string, probe: string])[] = [
  ["page_scrape", "scrape", "scrape/defaults"],
  ["session_cookies", "cookies", "cookies/read"],
  ["session_replay", "replay", "replay/read"],
];

/** Checks that the JSON of an answer has no byte order mark before it (RFC 8259 § 8.1). */
export const byteOrderMarkChecks: readonly Check[] = operations.map(([operation, word, probe]) => ({
  id: `${word}/no-byte-order-mark`,
  title: "The JSON of an answer begins without a byte order mark.",
  requirements: [requirement],
  level: "assumed",
  operation,
  probes: [probe],
  appliesTo: (exchange) => isAnswerOf(operation, exchange),
  needs: [],
  judge: ({ response }) => {
    if (!response || !("value" in bodyJson(response))) return nothingSeen("No answer had JSON.");
    return verdict(!mark.equals(bodyBytes(response).subarray(0, mark.length)), {
      requirement,
      where: "body",
      expected: "JSON from the first byte on",
      received: "a byte order mark before the JSON",
    });
  },
}));
