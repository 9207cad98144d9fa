import { nothingSeen, verdict, type Check } from "../check.ts";
import { isAnswerOf, redirectOf } from "../../http/exchange.ts";
import { doublyInvalid, doublyInvalidBroken } from "./automation-request.ts";

const requirement = "automation.no-other-status";

/** The statuses that the interface lists for the automation. */
const listed: ReadonlySet<number> = new Set([200, 400, 401, 502]);

/** Statuses that ask to wait: limits of rate are not shown. */
const waiting: ReadonlySet<number> = new Set([429, 503]);

/**
 * Check of the set of statuses, where no other check says which of them is right.
 *
 * Source: interface § Endpoints, § Errors.
 */
export const listedStatusCheck: Check = {
  id: "automation/statuses-are-listed",
  title: "The automation answers with 200, 400, 401 or 502, and with no other status.",
  requirements: [requirement],
  level: "assumed",
  operation: "automation_start",
  probes: [...doublyInvalid, ...doublyInvalidBroken].map(({ word }) => `automation/${word}`),
  appliesTo: (exchange) => exchange.expects === "open" && isAnswerOf("automation_start", exchange),
  needs: [],
  judge: (exchange) => {
    const status = exchange.response?.status ?? 0;
    if (!exchange.response || waiting.has(status)) return nothingSeen("No answer came, or one that asks to wait.");
    if (redirectOf(exchange) !== undefined)
      return nothingSeen("The answer is a redirect; another check is about those.");
    return verdict(listed.has(status), {
      requirement,
      where: "status",
      expected: "200, 400, 401 or 502",
      received: String(status),
    });
  },
};
