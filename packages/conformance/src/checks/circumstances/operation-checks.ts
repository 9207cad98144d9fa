import { makeCheck, coverAnswers, coverValidAnswers } from "../make-check.ts";
import { type Check, nothingSeen, verdict, judgeStatus, type Judgement, type Exchanges, notAbout } from "../check.ts";
import { type Operation, namedSchema, resolveSchema, type Schema } from "../../contract/contract.ts";
import {
  bodyJson,
  firstBytes,
  findRedirect,
  type Exchange,
  jsonAnswer,
  type RawResponse,
} from "../../http/exchange.ts";
import { plainRequests, findAbsence } from "../shown-sessions.ts";
import { findNoBodyRequirement, listServedRequirements, findUnserved } from "../unserved.ts";
import { isObject } from "../../http/json.ts";
import { listOpenProbeIds } from "./open-requests.ts";

/** An operation, the first part of the ids of its checks, and its request that every run sends. */
interface CheckedOperation {
  readonly operation: Operation;
  readonly word: string;
  readonly probe: string;
}

/** The operations whose answers are JSON: those of a session. */
const jsonOperations: readonly CheckedOperation[] = [
  { operation: "page_scrape", word: "scrape", probe: "scrape/defaults" },
  { operation: "session_cookies", word: "cookies", probe: "cookies/read" },
  { operation: "session_replay", word: "replay", probe: "replay/read" },
];

/** All operations. */
const allOperations: readonly CheckedOperation[] = [
  ...jsonOperations,
  { operation: "automation_start", word: "automation", probe: "automation/run" },
];

/** Makes a check of all answers of an operation. */
const makeAnswersCheck = ({ operation, word, probe }: CheckedOperation, name: string, judge: Check["judge"]): Check =>
  makeCheck(`${word}/${name}`, [probe], judge, coverAnswers(operation));

/** The bytes of a byte order mark in UTF-8. */
const mark = Buffer.from("\u{FEFF}");

/** Judges that JSON has no byte order mark before it. Source: RFC 8259, section 8.1. */
const judgeMark: Check["judge"] = ({ response }) => {
  if (!response || !("value" in bodyJson(response))) return nothingSeen("No answer had JSON.");
  const received = "a byte order mark before the JSON";
  const holds = !mark.equals(firstBytes(response, mark.length));
  return verdict(holds, { where: "body", expected: "JSON from the first byte on", received });
};

/** Judges that a valid request is answered where it is sent. */
const judgeRedirect: Check["judge"] = (exchange) => {
  const to = findRedirect(exchange);
  const status = exchange.response?.status ?? 0;
  if (to === undefined && status !== 200) return nothingSeen("No request was answered with 200, or with a redirect.");
  return judgeStatus(to === undefined, "200, without a redirect", `${status} to ${to}`);
};

/** Judges that an operation is there, as the interface says. Source: interface § Endpoints. */
function judgeServed(exchange: Exchange, requirements: readonly string[], run: Exchanges): Judgement {
  const unserved = findUnserved(exchange) ?? findAbsent(exchange, run);
  if (unserved && requirements.includes(unserved.requirement))
    return verdict(false, { ...unserved, where: "status", expected: "200" });
  return exchange.response?.status === 200
    ? { assertions: 1, findings: [] }
    : nothingSeen("No valid request was answered with 200.");
}

/** Returns the requirement that an operation violates when it is not found for a session that another operation finds. */
function findAbsent(exchange: Exchange, run: Exchanges): ReturnType<typeof findUnserved> {
  if (findAbsence(exchange, run) !== "each time") return undefined;
  const received = `${exchange.response?.status} each time, and 200 by another operation on the same session`;
  return { requirement: listServedRequirements(exchange.operation)[0], received };
}

/** Makes a check of the answers to valid requests of an operation, where they may violate some requirements about its place. */
function makeServedCheck(
  { operation, word, probe }: CheckedOperation,
  name: string,
  requirements: readonly string[],
): Check {
  return makeCheck(`${word}/${name}`, [probe], (exchange, _, run) => judgeServed(exchange, requirements, run), {
    ...coverValidAnswers(operation),
    requirements,
    ...(operation === "automation_start" ? {} : { consults: plainRequests }),
  });
}

/** Schema of the answer of each operation, by the first part of the ids of its checks. */
const schemas: Readonly<Record<string, string>> = {
  scrape: "DataSpace",
  cookies: "CookiesResponse",
  replay: "ReplayResponse",
};

/** Returns pointers to the fields of a value that no schema lists. Parts that a schema leaves open, such as extracted data, have none. */
function findUnlisted(value: unknown, schema: Schema, pointer: string): string[] {
  const choices = [schema, ...(schema.anyOf ?? [])].map(resolveSchema);
  if (Array.isArray(value)) {
    const items = choices.flatMap((choice) => choice.items ?? [])[0];
    return items ? value.flatMap((one: unknown, at) => findUnlisted(one, items, `${pointer}/${at}`)) : [];
  }
  const properties = choices.map((choice) => choice.properties).find(Boolean);
  if (!isObject(value) || properties === undefined) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const schemaOfField = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return schemaOfField ? findUnlisted(inner, schemaOfField, `${pointer}/${name}`) : [`${pointer}/${name}`];
  });
}

/** Judges that an answer contains the fields that the interface lists, and no others. Source: interface § Resources and their fields. */
function judgeListed(exchange: Exchange, schema: string): Judgement {
  const body = jsonAnswer(exchange, 200);
  if ("reason" in body) return notAbout(body.reason);
  const findings = findUnlisted(body.value, namedSchema(schema), "").map((pointer) => ({
    where: `body ${pointer}`,
    expected: `no field beyond those of ${schema}`,
    received: "a field that is not listed",
  }));
  return { assertions: 1, findings };
}

/** Returns whether a status means that a server can't go on, and not that it asks to wait. */
const isServerError = ({ status }: RawResponse): boolean => status >= 500 && status !== 501 && status !== 503;

/** Returns whether a valid request of the run failed, too. */
function failsAtValidRequests(operation: Operation, run: ReadonlyMap<string, Exchange> = new Map()): boolean {
  return [...run.values()].some(
    (exchange) =>
      exchange.operation === operation &&
      exchange.expects === "success" &&
      exchange.response !== undefined &&
      isServerError(exchange.response),
  );
}

/**
 * Judges that a request which the interface leaves open is answered or refused, and breaks nothing. Requests about which something is stated
 * have checks of their own: where one of those fails, the operation is broken, and the same cause is not reported a second time here.
 */
function judgeServerError({ operation, response }: Exchange, run: Exchanges): Judgement {
  if (response === undefined) return nothingSeen("No response came.");
  const hasFailed = isServerError(response);
  if (hasFailed && failsAtValidRequests(operation, run)) return nothingSeen("Valid requests fail as well.");
  return judgeStatus(!hasFailed, "an answer, or a refusal", response.status);
}

/** Checks that are the same for all operations, or for all whose answers are JSON. */
export const operationChecks: readonly Check[] = [
  ...jsonOperations.map((row) => makeAnswersCheck(row, "no-byte-order-mark", judgeMark)),
  ...allOperations.map(({ operation, word, probe }) =>
    makeCheck(`${word}/no-redirect`, [probe], judgeRedirect, coverValidAnswers(operation)),
  ),
  ...allOperations.map((row) => makeServedCheck(row, "is-served", listServedRequirements(row.operation))),
  ...allOperations.flatMap((row) => {
    const requirement = findNoBodyRequirement(row.operation);
    return requirement === undefined ? [] : makeServedCheck(row, "needs-no-body", [requirement]);
  }),
  ...jsonOperations.map((row) =>
    makeAnswersCheck(row, "fields-are-listed", (exchange) => judgeListed(exchange, schemas[row.word] ?? "")),
  ),
  ...jsonOperations.map(({ operation, word }) =>
    makeCheck(
      `${word}/no-server-error`,
      listOpenProbeIds(operation),
      (exchange, _, run) => judgeServerError(exchange, run),
      { operation },
    ),
  ),
];
