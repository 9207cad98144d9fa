import { nothingSeen, verdict, type Check } from "../check.ts";
import { bodyJson, firstBytes } from "../../http/exchange.ts";
import { jsonOperations, makeAnswersCheck } from "./asked-operations.ts";

/** The bytes of a byte order mark in UTF-8. */
const mark = Buffer.from("\u{FEFF}");

const judgeMark: Check["judge"] = ({ response }) => {
  if (!response || !("value" in bodyJson(response))) return nothingSeen("No answer had JSON.");
  const received = "a byte order mark before the JSON";
  const holds = !mark.equals(firstBytes(response, mark.length));
  return verdict(holds, { where: "body", expected: "JSON from the first byte on", received });
};

/** Checks that the JSON of an answer has no byte order mark before it (RFC 8259 § 8.1). */
export const byteOrderMarkChecks: readonly Check[] = jsonOperations.map((operation) =>
  makeAnswersCheck(operation, "no-byte-order-mark", judgeMark),
);
