import { judgeRefused } from "../answers.ts";
import { nothingSeen, type Check, type Exchanges } from "../check.ts";
import { conversionProbeIds, listOpenProbeIds } from "./open-requests.ts";
import { namedSchema } from "../../contract/contract.ts";
import { judgeValue } from "../../contract/request-fields.ts";
import { isAnswerTo, succeeded, type Exchange } from "../../http/exchange.ts";
import { readSentOptions } from "../scrape/sent-options.ts";
import { makeCheck } from "../make-check.ts";
import { isObject } from "../../http/json.ts";

const { properties = {} } = namedSchema("ScrapeRequest");

/** Returns the fields of a page scrape whose value is of another type, and that a lenient server converts. */
function listConvertedFields(exchange: Exchange): string[] {
  return Object.entries(readSentOptions(exchange) ?? {}).flatMap(([name, value]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return schema && judgeValue(value, schema) === "open" ? [name] : [];
  });
}

/** Returns whether the type of a value is all that is wrong with a request, if anything is. */
const isAbout = (exchange: Exchange): boolean =>
  exchange.expects === "open" &&
  exchange.plan.credentials === "key" &&
  isAnswerTo("page_scrape", exchange) &&
  listConvertedFields(exchange).length > 0;

/** Returns whether a field accepts values that are wrong under every reading, as null may be: the checks of its type report that. */
const takesAnything = (field: string, run: Exchanges): boolean =>
  [...(run?.values() ?? [])].some(
    (other) => other.id.startsWith(`scrape/wrong-${field}-`) && !other.id.endsWith("-null") && succeeded(other),
  );

/**
 * Check that values of another type are not converted. Other checks judge the status of the rejection.
 *
 * Source: interface § ScrapeRequest (types).
 */
export const conversionCheck: Check = makeCheck(
  "scrape/converts-nothing",
  conversionProbeIds,
  (exchange, _, run) => {
    if (!isAbout(exchange)) return nothingSeen("The request has no value that would have to be converted.");
    const fields = listConvertedFields(exchange).filter((field) => !takesAnything(field, run));
    if (fields.length === 0) return nothingSeen("Values of any type are accepted; another check reports that.");
    return judgeRefused(exchange, `of the type of ${fields.map((name) => `\`${name}\``).join(" and ")}`);
  },
  { appliesTo: isAbout },
);

/** Returns whether the body of a request has a `query`, or is broken in a way that other checks are about. */
function hasQuery({ plan: { body = "" } }: Exchange): boolean {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) && Object.hasOwn(value, "query");
  } catch {
    return body.trim() !== "";
  }
}

/** Returns whether a request with the key lacks `query`, in a form whose status is left open. */
const lacksQuery = (exchange: Exchange): boolean =>
  exchange.operation === "automation_start" &&
  exchange.expects === "open" &&
  exchange.plan.method === "POST" &&
  exchange.plan.credentials === "key" &&
  !hasQuery(exchange);

/**
 * Check that a body without `query` starts no run, in whatever form. The status of the refusal is judged by other checks, or left open.
 *
 * Source: interface § Automation request.
 */
export const runWithoutQueryCheck: Check = makeCheck(
  "automation/starts-no-run-without-query",
  listOpenProbeIds("automation_start"),
  (exchange) =>
    lacksQuery(exchange)
      ? judgeRefused(exchange, "`query` is missing")
      : nothingSeen("The request does not lack `query`."),
  { appliesTo: lacksQuery },
);
