import { judgeStatus, nothingSeen, type Check } from "../check.ts";
import { isAnswerOf, findRedirect } from "../../http/exchange.ts";
import { askedOperations } from "./asked-operations.ts";

const requirement = "answers.no-redirect";

/** Checks that valid requests are answered where they are sent. */
export const redirectChecks: readonly Check[] = askedOperations.map(({ operation, word, probe }) => ({
  id: `${word}/no-redirect`,
  title: "A valid request is answered where it is sent, and not by a redirect.",
  requirements: [requirement],
  operation,
  probes: [probe],
  appliesTo: (exchange) => exchange.expects === "success" && isAnswerOf(operation, exchange),
  judge: (exchange) => {
    const to = findRedirect(exchange);
    const status = exchange.response?.status ?? 0;
    if (to === undefined && status !== 200) return nothingSeen("No request was answered with 200, or with a redirect.");
    return judgeStatus(to === undefined, requirement, "200, without a redirect", `${status} to ${to}`);
  },
}));
