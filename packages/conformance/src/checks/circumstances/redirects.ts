import { makeCheck, coverValidAnswers } from "../make-check.ts";
import { judgeStatus, nothingSeen, type Check } from "../check.ts";
import { findRedirect } from "../../http/exchange.ts";
import { askedOperations } from "./asked-operations.ts";

const judgeRedirect: Check["judge"] = (exchange) => {
  const to = findRedirect(exchange);
  const status = exchange.response?.status ?? 0;
  if (to === undefined && status !== 200) return nothingSeen("No request was answered with 200, or with a redirect.");
  return judgeStatus(to === undefined, "200, without a redirect", `${status} to ${to}`);
};

/** Checks that valid requests are answered where they are sent. */
export const redirectChecks: readonly Check[] = askedOperations.map(({ operation, word, probe }) =>
  makeCheck(`${word}/no-redirect`, [probe], judgeRedirect, coverValidAnswers(operation)),
);
