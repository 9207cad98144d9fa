import { judgeRefused, judgeRejected } from "../answers.ts";
import type { Check } from "../check.ts";
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
type Rule = readonly [name: string, title: string, refused: readonly RunlessRequest[], refusal?: Refusal];

/**
 * Makes a check of refusals. The first requirement is about their status, the second one about a success. Default of the second: the first.
 */
function check(requirements: readonly [string, ...string[]], what: string, [name, title, names, refusal]: Rule): Check {
  const [requirement, onSuccess = requirement] = requirements;
  const brokenBy = (exchange: Exchange): string => (succeeded(exchange) ? onSuccess : requirement);
  return {
    id: `automation/${name}`,
    title,
    requirements,
    probes: names.map(({ word }) => `automation/${word}`),
    judge: (exchange) =>
      refusal === undefined || (refusal === "client-error" && exchange.response?.status === 500)
        ? judgeRejected(exchange, 400, brokenBy(exchange), what)
        : judgeRefused(exchange, brokenBy(exchange), `of ${what}`),
  };
}

const missingRules: readonly Rule[] = [
  ["400-query-missing", "A request without `query` is answered with 400.", [plain]],
  [
    "400-query-elsewhere",
    "A `query` of another spelling, or inside another field, does not count: such a request is refused.",
    disguised,
    "client-error",
  ],
  [
    "refuses-missing-query-beside-others",
    "A request without `query` that has other fields is refused.",
    withOtherFields,
    "client-error",
  ],
  [
    "400-query-missing-every-time",
    "A request without `query` is answered with 400 each time, whatever its headers.",
    [withHeaders, ...repeat(plain), ...listRepetitions(plain)],
  ],
  [
    "refuses-missing-query-in-any-form",
    "A request without `query` does not succeed, whatever its size, charset and address.",
    doublyInvalid,
    "any",
  ],
  ["refuses-a-body-without-fields", "A body that is a text, a list, a number or null starts no run.", noObjects, "any"],
];

const invalidRules: readonly Rule[] = [
  ["400-invalid-json", "A body that is not valid JSON is answered with 400.", brokenJson],
  [
    "400-lenient-json",
    "A body that is not valid JSON is answered with 400, also when a lenient reader finds a `query` in it.",
    lenientJson,
  ],
  [
    "400-invalid-json-every-time",
    "A body that is not valid JSON is answered with 400 each time.",
    [...repeat(plainBroken), ...listRepetitions(plainBroken)],
  ],
  [
    "refuses-invalid-json-in-any-form",
    "A body that is not valid JSON does not succeed, whatever its size, charset and address.",
    doublyInvalidBroken,
    "any",
  ],
];

/** Checks of requests that start no run. Source: interface § Errors. */
export const refusedAutomationChecks: readonly Check[] = [
  ...missingRules.map((rule) =>
    check(["automation.400-query-missing", "automation.request.query.required"], "a missing `query`", rule),
  ),
  ...invalidRules.map((rule) => check(["automation.400-invalid-json"], "a body that is not valid JSON", rule)),
];
