import type { Exchange } from "../../http/exchange.ts";
import { inError, type Judgement, type Run } from "../check.ts";
import { noAutomationAt } from "../unserved.ts";
import { automationOperation } from "./protected-operations.ts";

/** Returns the result for a target that answers 404 with the valid key as well: there is no automation at the address. */
export function automationMissing(exchange: Exchange): Judgement {
  return inError(`The target answered 404, and with the key as well. ${noAutomationAt(exchange)}`);
}

/** Returns whether an automation request is answered with 404, and one with the valid key as well. */
export function isAutomationMissing({ operation, response }: Exchange, run?: Run): boolean {
  if (operation !== automationOperation.operation || response?.status !== 404) return false;
  return run?.get(`${automationOperation.word}/without-query`)?.response?.status === 404;
}
