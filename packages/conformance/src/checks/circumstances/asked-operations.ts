import { makeCheck, coverAnswers, coverValidAnswers } from "../make-check.ts";
import { type Check, nothingSeen, verdict, judgeStatus, type Judgement, type Run, notAbout } from "../check.ts";
import { type Operation, namedSchema, resolveSchema, type Schema } from "../../contract/contract.ts";
import {
  bodyJson,
  firstBytes,
  findRedirect,
  type Exchange,
  jsonAnswer,
  type RawResponse,
} from "../../http/exchange.ts";
import { plainRequests, absenceShown } from "../shown-sessions.ts";
import { noBodyRequirement, servedRequirements, unservedAs } from "../unserved.ts";
import { isObject } from "../../http/json.ts";
import { listOpenProbeIds } from "./open-requests.ts";

/** An operation, the first part of the ids of its checks, and its request that every run sends. */
export interface AskedOperation {
  readonly operation: Operation;
  readonly word: string;
  readonly probe: string;
}

/** The operations whose answers are JSON: those of a session. */
export const jsonOperations: readonly AskedOperation[] = [
  { operation: "page_scrape", word: "scrape", probe: "scrape/defaults" },
  { operation: "session_cookies", word: "cookies", probe: "cookies/read" },
  { operation: "session_replay", word: "replay", probe: "replay/read" },
];

/** All operations. */
export const askedOperations: readonly AskedOperation[] = [
  ...jsonOperations,
  { operation: "automation_start", word: "automation", probe: "automation/run" },
];

/** Makes a check of all answers of an operation. */
export const makeAnswersCheck = (
  { operation, word, probe }: AskedOperation,
  name: string,
  judge: Check["judge"],
): Check => makeCheck(`${word}/${name}`, [probe], judge, coverAnswers(operation));

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

const judgeRedirect: Check["judge"] = (exchange) => {
  const to = findRedirect(exchange);
  const status = exchange.response?.status ?? 0;
  if (to === undefined && status !== 200) return nothingSeen("No request was answered with 200, or with a redirect.");
  return judgeStatus(to === undefined, "200, without a redirect", `${status} to ${to}`);
};

/** Checks that valid requests are answered where they are sent. */
export const redirectChecks: readonly Check[] = askedOperations.map(({ operation, word, probe }) =>
  makeCheck(`${word}/no-redirect`, [probe], judgeRedirect, coverValidAnswers(operation)),
);

function judgeServed(exchange: Exchange, requirements: readonly string[], run: Run): Judgement {
  const unserved = unservedAs(exchange) ?? absentAs(exchange, run);
  if (unserved && requirements.includes(unserved.requirement))
    return verdict(false, { ...unserved, where: "status", expected: "200" });
  return exchange.response?.status === 200
    ? { seen: 1, findings: [] }
    : nothingSeen("No valid request was answered with 200.");
}

/** Returns the requirement that an operation violates when it is not found for a session that another operation finds. */
function absentAs(exchange: Exchange, run: Run): ReturnType<typeof unservedAs> {
  if (absenceShown(exchange, run) !== "each time") return undefined;
  const received = `${exchange.response?.status} each time, and 200 by another operation on the same session`;
  return { requirement: servedRequirements(exchange.operation)[0], received };
}

/** Makes a check of the answers to valid requests of an operation, where they may violate some requirements about its place. */
function makeServedCheck(
  { operation, word, probe }: AskedOperation,
  name: string,
  requirements: readonly string[],
): Check {
  return makeCheck(`${word}/${name}`, [probe], (exchange, _, run) => judgeServed(exchange, requirements, run), {
    ...coverValidAnswers(operation),
    requirements,
    ...(operation === "automation_start" ? {} : { consults: plainRequests }),
  });
}

/** Checks that each operation is there, as the interface says. Source: interface § Endpoints. */
export const servedChecks: readonly Check[] = [
  ...askedOperations.map((row) => makeServedCheck(row, "is-served", servedRequirements(row.operation))),
  ...askedOperations.flatMap((row) => {
    const requirement = noBodyRequirement(row.operation);
    return requirement === undefined ? [] : makeServedCheck(row, "needs-no-body", [requirement]);
  }),
];

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

function judgeListed(exchange: Exchange, schema: string): Judgement {
  const body = jsonAnswer(exchange, 200);
  if ("reason" in body) return notAbout(body.reason);
  const findings = findUnlisted(body.value, namedSchema(schema), "").map((pointer) => ({
    where: `body ${pointer}`,
    expected: `no field beyond those of ${schema}`,
    received: "a field that is not listed",
  }));
  return { seen: 1, findings };
}

/** Checks that answers contain the fields that the interface lists, and no others. Source: interface § Resources and their fields. */
export const listedFieldChecks: readonly Check[] = jsonOperations.map((operation) =>
  makeAnswersCheck(operation, "fields-are-listed", (exchange) => judgeListed(exchange, schemas[operation.word] ?? "")),
);

/** Returns whether a status means that a server can't go on, and not that it asks to wait. */
const isServerError = ({ status }: RawResponse): boolean => status >= 500 && status !== 501 && status !== 503;

/**
 * Checks that requests which the interface leaves open are answered or refused, and break nothing. Requests about which something is stated
 * have checks of their own: where one of those fails, the operation is broken, and the same cause is not reported a second time here.
 */
export const serverErrorChecks: readonly Check[] = jsonOperations.map(({ operation, word }) =>
  makeCheck(
    `${word}/no-server-error`,
    listOpenProbeIds(operation),
    ({ response }, _, run) => {
      if (response === undefined) return nothingSeen("No response came.");
      const hasFailed = isServerError(response);
      if (hasFailed && failsAtValidRequests(operation, run)) return nothingSeen("Valid requests fail as well.");
      return judgeStatus(!hasFailed, "an answer, or a refusal", response.status);
    },
    { operation },
  ),
);

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
