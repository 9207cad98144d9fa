import type { Exchange } from "../../http/exchange.ts";
import { inError } from "../check.ts";
import { automationOperation } from "./protected-operations.ts";

/** Result for a target that answers 404 with the valid key as well: there is no automation at the address. */
export const automationMissing = inError(
  "The target answered 404, and with the key as well. Is the automation URL right?",
);

/** Returns whether an automation request is answered with 404, and one with the valid key as well. */
export function isAutomationMissing({ operation, response }: Exchange, run?: ReadonlyMap<string, Exchange>): boolean {
  const withKey = run?.get(`${automationOperation.word}/without-query`);
  return operation === automationOperation.operation && response?.status === 404 && withKey?.response?.status === 404;
}
