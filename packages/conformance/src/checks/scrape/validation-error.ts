import { judgeJson } from "../answers.ts";
import type { Probe } from "../../http/probe.ts";
import { planRead } from "../../http/request-plan.ts";
import type { Check } from "../check.ts";
import { fieldChecks } from "../fields/field-rules.ts";
import { rejectedScrapeIds } from "./request.ts";
import { makeCheck, coverAnswers } from "../make-check.ts";

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
  ...fieldChecks("validation-error", [...rejectedScrapeIds, ...exampleIds]),
];
