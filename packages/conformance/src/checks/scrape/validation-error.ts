import { judgeJson } from "../answers.ts";
import type { Probe } from "../../http/probe.ts";
import { planRead } from "../../http/request-plan.ts";
import type { Check } from "../check.ts";
import { isAnswerOf } from "../../http/exchange.ts";
import { fieldChecks } from "../fields/field-rules.ts";
import { rejectedScrapeIds } from "./request.ts";

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

const probes = [...rejectedScrapeIds, ...validationErrorProbes.map(({ id }) => id)];

/** Checks of the body of validation errors (422). Source: interface § Resources and their fields. */
export const validationErrorChecks: readonly Check[] = [
  {
    id: "validation-error/json",
    title: "A 422 of the page scrape has a JSON body.",
    requirements: ["scrape.422-body"],
    probes: rejectedScrapeIds,
    appliesTo: (exchange) => isAnswerOf("page_scrape", exchange),
    judge: (exchange) => judgeJson(exchange, 422, "scrape.422-body"),
  },
  {
    id: "cookies/422-body",
    title: "A 422 of the cookies read has a JSON body.",
    requirements: ["cookies.422-body"],
    probes: validationErrorProbes.map(({ id }) => id),
    appliesTo: (exchange) => isAnswerOf("session_cookies", exchange),
    judge: (exchange) => judgeJson(exchange, 422, "cookies.422-body"),
  },
  ...fieldChecks("validation-error", probes),
];
