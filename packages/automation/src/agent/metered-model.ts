import type { Model } from "@cloud-browser/page-content";
import { AutomationError } from "../automation-error.ts";
import type { CostLedger } from "./cost-ledger.ts";

/** The same model, whose questions for JSON are paid from a ledger, and are not asked beyond its budget. */
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
        ledger.requireRoomFor(inputBytes, limits.outputTokens);
      } catch (error) {
        if (error instanceof AutomationError) return { answered: false, why: "was not called: the budget is spent" };
        throw error;
      }
      const answer = await model.askForJson(question);
      if (!answer.answered) ledger.addUntold(inputBytes, 0);
      else if (answer.tokens) ledger.add(answer.tokens);
      else ledger.addUntold(inputBytes, Buffer.byteLength(answer.text));
      return answer;
    },
  };
}
