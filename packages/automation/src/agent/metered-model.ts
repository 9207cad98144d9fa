import type { Model } from "@cloud-browser/page-content";
import { AutomationError } from "../automation-error.ts";
import type { CostLedger } from "./cost-ledger.ts";

/** Wraps a model so that its requests for JSON are charged to a ledger, and not sent beyond the budget. */
export function meterModel(model: Model, ledger: CostLedger): Model {
  const { name, prices, limits, language } = model;
  return {
    name,
    prices,
    limits,
    language,
    async askForJson(question) {
      const { system, messages, schema } = question;
      const inputBytes = Buffer.byteLength(JSON.stringify([system, messages, schema]));
      try {
        ledger.checkBudget(inputBytes, limits.outputTokens);
      } catch (error) {
        if (error instanceof AutomationError)
          return { answered: false, why: "was not called: the budget is spent", isRefused: true };
        throw error;
      }
      const answer = await model.askForJson(question);
      // The same rule as for the messages of an agent: a refusal costs nothing, usage what is reported, the rest at most what was allowed.
      if (!answer.answered && answer.isRefused) return answer;
      if (answer.answered && answer.tokens) ledger.add(answer.tokens);
      else
        ledger.addEstimate(
          inputBytes,
          answer.answered ? Math.min(Buffer.byteLength(answer.text), limits.outputTokens) : 0,
        );
      return answer;
    },
  };
}
