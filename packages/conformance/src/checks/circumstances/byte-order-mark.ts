import { nothingSeen, verdict, type Check } from "../check.ts";
import { bodyJson, firstBytes } from "../../http/exchange.ts";
import { assumedOfAnswers, jsonOperations } from "./asked-operations.ts";

const requirement = "answers.no-byte-order-mark";

/** The bytes of a byte order mark in UTF-8. */
const mark = Buffer.from("\u{FEFF}");

/** Checks that the JSON of an answer has no byte order mark before it (RFC 8259 § 8.1). */
export const byteOrderMarkChecks: readonly Check[] = jsonOperations.map((operation) =>
  assumedOfAnswers(operation, {
    name: "no-byte-order-mark",
    title: "The JSON of an answer begins without a byte order mark.",
    requirement,
    judge: ({ response }) => {
      if (!response || !("value" in bodyJson(response))) return nothingSeen("No answer had JSON.");
      return verdict(!mark.equals(firstBytes(response, mark.length)), {
        requirement,
        where: "body",
        expected: "JSON from the first byte on",
        received: "a byte order mark before the JSON",
      });
    },
  }),
);
