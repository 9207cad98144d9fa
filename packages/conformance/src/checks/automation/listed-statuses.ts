import { judgeStatus, nothingSeen, type Check, type Exchanges } from "../check.ts";
import { isAnswerTo, findRedirect } from "../../http/exchange.ts";
import { disguised, doublyInvalid, doublyInvalidBroken, withOtherFields } from "./automation-request.ts";
import { makeCheck } from "../make-check.ts";

/** The statuses that the interface lists for the automation. */
const statuses: ReadonlySet<number> = new Set([200, 400, 401, 502]);

/** Statuses that ask to wait: limits of rate are not shown. */
const waiting: ReadonlySet<number> = new Set([429, 503]);

const openIds: readonly string[] = [...doublyInvalid, ...doublyInvalidBroken, ...withOtherFields, ...disguised].map(
  ({ word }) => `automation/${word}`,
);

/** Returns whether this status was the answer to a request that must be refused with a stated one. */
const isGivenElsewhere = (status: number, run: Exchanges): boolean =>
  [...(run?.values() ?? [])].some(
    ({ id, operation, expects, response }) =>
      operation === "automation_start" && expects === "refusal" && !openIds.includes(id) && response?.status === status,
  );

/** Check that a status is a listed one, where no other check judges which of them is right. Source: interface § Endpoints, § Errors. */
export const listedStatusCheck: Check = makeCheck(
  "automation/statuses-are-listed",
  openIds,
  (exchange, _, run) => {
    const status = exchange.response?.status ?? 0;
    if (!exchange.response || waiting.has(status)) return nothingSeen("No answer came, or one that asks to wait.");
    if (findRedirect(exchange) !== undefined)
      return nothingSeen("The answer is a redirect; another check is about those.");
    if (!statuses.has(status) && isGivenElsewhere(status, run))
      return nothingSeen(
        "Requests of which a status is stated are answered with the same one; their checks report that.",
      );
    return judgeStatus(statuses.has(status), "200, 400, 401 or 502", status);
  },
  { appliesTo: (exchange) => exchange.expects === "open" && isAnswerTo("automation_start", exchange) },
);
