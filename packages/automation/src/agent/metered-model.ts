import type { Model } from "@cloud-browser/page-content";
import { AutomationError } from "../automation-error.ts";
import type { CostLedger } from "./cost-ledger.ts";

/** Wraps a model so that its requests for JSON are charged to a ledger, and not sent beyond the budget. */
export function meteredModel(model: Model, ledger: CostLedger): Model {
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
        if (error instanceof AutomationError) return { answered: false, why: "was not called: the budget is spent" };
        throw error;
      }
      const answer = await model.askForJson(question);
      if (!answer.answered) ledger.addEstimate(inputBytes, 0);
      else if (answer.tokens) ledger.add(answer.tokens);
      else ledger.addEstimate(inputBytes, Buffer.byteLength(answer.text));
      return answer;
    },
  };
}
