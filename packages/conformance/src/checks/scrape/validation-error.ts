import { judgeJson } from "../answers.ts";
import type { Probe } from "../../http/probe.ts";
import type { Check } from "../check.ts";
import { isAnswerOf } from "../../http/exchange.ts";
import type { Operation } from "../../contract/contract.ts";
import { bodyCheck, fieldRules } from "../fields.ts";
import { rejectedScrapeIds } from "./request.ts";

const operation: Operation = "page_scrape";

/**
 * Probes that ask a mock for its 422 example. A cookies request has no part that could be invalid.
 */
export const validationErrorProbes: readonly Probe[] = [
  {
    id: "cookies/example-422",
    operation: "session_cookies",
    needs: ["chooses-answers"],
    expects: "open",
    startsRun: false,
    request: (target) => ({
      method: "GET",
      path: `/sessions/${encodeURIComponent(target.sessionId)}/cookies`,
      credentials: "key",
      headers: { prefer: "code=422, example=two-problems" },
    }),
  },
];

/** The operations whose failed validation is described; that of the replay is not shown. */
const operations: readonly Operation[] = [operation, "session_cookies"];

const probes = [...rejectedScrapeIds, ...validationErrorProbes.map(({ id }) => id)];

const rules = fieldRules("HTTPValidationError", [
  ["body-type", "", "scrape.422-body", "The body of a 422 is an object."],
  ["detail-present", "detail", "validation-error.detail.required", "The body of a 422 has `detail`."],
  ["detail-type", "detail", "validation-error.detail", "`detail` is an array."],
  ["problem-type", "detail/*", "validation-error.detail.items", "Each entry of `detail` is an object."],
  ["loc-present", "detail/*/loc", "validation-error.loc.required", "Each problem has `loc`."],
  ["loc-type", "detail/*/loc", "validation-error.loc", "`loc` is an array."],
  ["loc-items-type", "detail/*/loc/*", "validation-error.loc", "`loc` holds strings and integers."],
  ["msg-present", "detail/*/msg", "validation-error.msg.required", "Each problem has `msg`."],
  ["msg-type", "detail/*/msg", "validation-error.msg", "`msg` is a string."],
  ["type-present", "detail/*/type", "validation-error.type.required", "Each problem has `type`."],
  ["type-type", "detail/*/type", "validation-error.type", "`type` is a string."],
  ["ctx-type", "detail/*/ctx", "validation-error.ctx", "`ctx` is an object."],
]);

/** Checks of the body of validation errors (422). Source: interface § Resources and their fields. */
export const validationErrorChecks: readonly Check[] = [
  {
    id: "validation-error/json",
    title: "A 422 of the page scrape has a JSON body.",
    requirements: ["scrape.422-body"],
    level: "stated",
    operation,
    probes: rejectedScrapeIds,
    appliesTo: (exchange) => isAnswerOf("page_scrape", exchange),
    needs: [],
    judge: (exchange) => judgeJson(exchange, 422, "scrape.422-body"),
  },
  {
    id: "cookies/422-body",
    title: "A 422 of the cookies read has a JSON body.",
    requirements: ["cookies.422-body"],
    level: "stated",
    operation: "session_cookies",
    probes: validationErrorProbes.map(({ id }) => id),
    appliesTo: (exchange) => isAnswerOf("session_cookies", exchange),
    needs: [],
    judge: (exchange) => judgeJson(exchange, 422, "cookies.422-body"),
  },
  ...rules.map((rule) => bodyCheck(rule, { operation, operations, word: "validation-error", status: 422, probes })),
];
