import { judgeMediaType, judgeSessionJson, judgeJson } from "../answers.ts";
import type { Probe } from "../../http/probe.ts";
import { planScrape, planRead } from "../../http/request-plan.ts";
import { type Check, nothingSeen, verdict, type Judgement } from "../check.ts";
import type { Operation } from "../../contract/contract.ts";
import { listFieldChecks } from "../fields/field-rules.ts";
import { acceptedScrapeIds, rejectedScrapeIds } from "./request.ts";
import { makeCheck, coverAnswers } from "../make-check.ts";
import { jsonAnswer, type Exchange } from "../../http/exchange.ts";
import { isObject } from "../../http/json.ts";
import type { Target } from "../../target/target.ts";
import { readSentOptions } from "./sent-options.ts";

const operation: Operation = "page_scrape";

/** Probes that ask a mock for one of its examples. */
export const scrapeExampleProbes: readonly Probe[] = [
  "markdown",
  "images",
  "structured",
  "extraction-failed",
  "nulls",
].map((name) => ({
  id: `scrape/example-${name}`,
  operation,
  needs: ["chooses-answers"],
  expects: "success",
  request: ({ sessionId }) => planScrape(sessionId, {}, { headers: { prefer: `example=${name}` } }),
}));

const probes = [...acceptedScrapeIds, ...scrapeExampleProbes.map(({ id }) => id)];

/** Checks of the response of a scrape. Source: interface § Endpoints, § Resources and their fields. */
export const scrapeResponseChecks: readonly Check[] = [
  makeCheck(
    "scrape/content-type",
    probes,
    (exchange) => judgeMediaType(exchange, "application/json"),
    coverAnswers(operation),
  ),
  makeCheck("scrape/json", probes, judgeSessionJson, coverAnswers(operation)),
  ...listFieldChecks("scrape", probes),
];

/** Structured data whose fields are of the right types. */
interface Structured {
  /** True when the extraction succeeded, or the answer does not say. */
  readonly success: boolean;
  /** Message of a failure; an empty string for none. */
  readonly error: string;
  /** Extracted data; null for none. */
  readonly data: unknown;
}

const own = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Returns the structured data of an answer; undefined if the answer lacks it, or a field has a wrong type, which other checks report. */
function findStructured(exchange: Exchange): Structured | undefined {
  const body = jsonAnswer(exchange, 200);
  const structured = "value" in body && isObject(body.value) ? own(body.value, "structured") : undefined;
  if (!isObject(structured)) return undefined;
  const success = own(structured, "success") ?? true;
  const error = own(structured, "error") ?? "";
  if (typeof success !== "boolean" || typeof error !== "string" || own(structured, "success") === null)
    return undefined;
  return { success, error: error.trim(), data: own(structured, "data") ?? null };
}

/** Returns whether a request asks for no extraction: it has neither a structure nor instructions. */
function asksForNone(exchange: Exchange): boolean {
  const options = readSentOptions(exchange);
  if (options === undefined) return false;
  const requests = [own(options, "response_format") ?? null, own(options, "instructions") ?? null];
  return requests.every((value) => value === null || value === "");
}

const none = nothingSeen("No answer carried structured data of the right form.");

/** Judges that an extraction that succeeded carries no error message. */
function judgeSuccess(exchange: Exchange): Judgement {
  const structured = findStructured(exchange);
  if (!structured) return none;
  if (!structured.success) return nothingSeen("The extraction did not succeed.");
  return verdict(structured.error === "", {
    where: "body /structured/error",
    expected: "no message of a failure, since the extraction succeeded",
    received: "a text",
  });
}

/** Returns whether data hold nothing: neither a value nor anything in a list or an object. */
const isNothing = (data: unknown): boolean =>
  data === null || data === "" || (typeof data === "object" && Object.keys(data).length === 0);

/** Judges that an extraction that failed has an error message. */
function judgeMessage(exchange: Exchange): Judgement {
  const structured = findStructured(exchange);
  if (!structured) return none;
  if (structured.success) return nothingSeen("No extraction failed.");
  return verdict(structured.error !== "", {
    where: "body /structured/error",
    expected: "the message of the failure",
    received: "no text",
  });
}

/** Judges that an extraction that failed has extracted nothing. */
function judgeFailure(exchange: Exchange): Judgement {
  const structured = findStructured(exchange);
  if (!structured) return none;
  if (structured.success) return nothingSeen("No extraction failed.");
  return verdict(isNothing(structured.data), {
    where: "body /structured/data",
    expected: "nothing, since the extraction failed",
    received: "data",
  });
}

/** Judges that nothing is extracted without a request for it. Whether an empty structure is sent then is left open. */
function judgeUnasked(exchange: Exchange, { kind }: Target): Judgement {
  if (kind === "mock" || exchange.plan.headers?.["prefer"] !== undefined)
    return nothingSeen("The example of a mock does not depend on the request.");
  if (exchange.response?.status !== 200 || !asksForNone(exchange))
    return nothingSeen("No scrape without a structure and instructions succeeded.");
  const { data = null } = findStructured(exchange) ?? {};
  return verdict(data === null, {
    where: "body /structured/data",
    expected: "nothing, since the request has no structure that data could be extracted into",
    received: "data",
  });
}

const makeStructuredCheck = (name: string, probe: string, judge: Check["judge"]): Check =>
  makeCheck(`scrape/structured-${name}`, [probe], judge, coverAnswers("page_scrape"));

/** Checks that the fields of structured data agree with each other, and with the request. Source: interface § StructuredData. */
export const structuredChecks: readonly Check[] = [
  makeStructuredCheck("as-asked", "scrape/defaults", judgeUnasked),
  makeStructuredCheck("error-only-on-failure", "scrape/with-response_format-schema", judgeSuccess),
  makeStructuredCheck("error-on-failure", "scrape/with-response_format-schema", judgeMessage),
  makeStructuredCheck("data-only-on-success", "scrape/with-response_format-schema", judgeFailure),
];

/** Probes that ask a mock for its 422 example. A cookies request has no part that could be invalid. */
export const validationErrorProbes: readonly Probe[] = [
  {
    id: "cookies/example-422",
    operation: "session_cookies",
    needs: ["chooses-answers"],
    expects: "open",
    request: ({ sessionId }) =>
      planRead("cookies", sessionId, { headers: { prefer: "code=422, example=two-problems" } }),
  },
];

const exampleIds = validationErrorProbes.map(({ id }) => id);
const judge422: Check["judge"] = (exchange) => judgeJson(exchange, 422);

/** Checks of the body of validation errors (422). Source: interface § Resources and their fields. */
export const validationErrorChecks: readonly Check[] = [
  makeCheck("validation-error/json", rejectedScrapeIds, judge422, coverAnswers("page_scrape")),
  makeCheck("cookies/422-body", exampleIds, judge422, coverAnswers("session_cookies")),
  ...listFieldChecks("validation-error", [...rejectedScrapeIds, ...exampleIds]),
];
