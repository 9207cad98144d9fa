import { makeCheck } from "../make-check.ts";
import { judgeRefused, judgeRejected } from "../answers.ts";
import type { Check, Judgement } from "../check.ts";
import { succeeded, type Exchange } from "../../http/exchange.ts";
import {
  listRepetitions,
  brokenJson,
  disguised,
  lenientJson,
  noObjects,
  plain,
  plainBroken,
  repeat,
  doublyInvalid,
  doublyInvalidBroken,
  withHeaders,
  withOtherFields,
  type RunlessRequest,
} from "./automation-request.ts";

/** Accepted refusals other than 400, where the request may be invalid for another reason: any, or only one that blames the request. */
type Refusal = "any" | "client-error";

/** Expectation for a group of invalid requests. */
type Rule = readonly [name: string, refused: readonly RunlessRequest[], refusal?: Refusal];

/**
 * Makes a check of refusals, which have one fault in common.
 *
 * @param onSuccess - Requirement that a success violates. Default: the one about the status.
 */
function makeRefusalCheck([name, requests, refusal]: Rule, what: string, onSuccess?: string): Check {
  const judge = (exchange: Exchange): Judgement => {
    const requirement = succeeded(exchange) ? onSuccess : undefined;
    return refusal === undefined || (refusal === "client-error" && exchange.response?.status === 500)
      ? judgeRejected(exchange, 400, what, requirement)
      : judgeRefused(exchange, `of ${what}`, requirement);
  };
  return makeCheck(
    `automation/${name}`,
    requests.map(({ word }) => `automation/${word}`),
    judge,
    onSuccess === undefined ? {} : { requirements: ["automation.400-query-missing", onSuccess] },
  );
}

const missingRules: readonly Rule[] = [
  ["400-query-missing", [plain]],
  ["400-query-elsewhere", disguised, "client-error"],
  ["refuses-missing-query-beside-others", withOtherFields, "client-error"],
  ["400-query-missing-every-time", [withHeaders, ...repeat(plain), ...listRepetitions(plain)]],
  ["refuses-missing-query-in-any-form", doublyInvalid, "any"],
  ["refuses-a-body-without-fields", noObjects, "any"],
];

const invalidRules: readonly Rule[] = [
  ["400-invalid-json", brokenJson],
  ["400-lenient-json", lenientJson],
  ["400-invalid-json-every-time", [...repeat(plainBroken), ...listRepetitions(plainBroken)]],
  ["refuses-invalid-json-in-any-form", doublyInvalidBroken, "any"],
];

/** Checks of requests that start no run. Source: interface § Errors. */
export const refusedAutomationChecks: readonly Check[] = [
  ...missingRules.map((rule) => makeRefusalCheck(rule, "a missing `query`", "automation.request.query.required")),
  ...invalidRules.map((rule) => makeRefusalCheck(rule, "a body that is not valid JSON")),
];
