import { rejectedFields } from "./blamed-fields.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Operation } from "../contract/contract.ts";

/** Words of the operations in the ids of requirements. */
const words = {
  page_scrape: "scrape",
  session_cookies: "cookies",
  session_replay: "replay",
  automation_start: "automation",
} as const satisfies Record<Operation, string>;

/** Returns the requirements about the place of an operation: its method and path, its address, and, but for the automation, that it is offered. */
export const listServedRequirements = (
  operation: Operation,
): readonly [methodAndPath: string, address: string, ...offered: string[]] => {
  const word = words[operation];
  return word === "automation"
    ? ["automation.method-and-path", "address.automation_url"]
    : [`${word}.method-and-path`, "address.base_url", `service.offers-${word}`];
};

/** Returns the requirement that an operation needs no body; undefined for those that have one. */
export const findNoBodyRequirement = (operation: Operation): string | undefined =>
  operation === "session_cookies" || operation === "session_replay" ? `${words[operation]}.no-body` : undefined;

/**
 * Returns the requirement that the status of an answer to a valid request violates, when it means that the operation is not there, or asks
 * for a body that it does not have. Undefined for every other answer, 404 among them: it may mean an unknown session.
 *
 * Source: RFC 9110, sections 15.5.6 (405), 15.5.20 (421), 15.6.2 (501), 15.5.12 (411) and 15.5.16 (415).
 */
export function findUnserved(
  exchange: Exchange,
): { readonly requirement: string; readonly received: string } | undefined {
  const [methodAndPath, address, offered] = listServedRequirements(exchange.operation);
  const noBody = findNoBodyRequirement(exchange.operation);
  const status = exchange.response?.status ?? 0;
  const received = String(status);
  if (status === 405) return { requirement: methodAndPath, received };
  if (status === 421) return { requirement: address, received };
  if (status === 501 && offered !== undefined) return { requirement: offered, received };
  if (noBody !== undefined && asksForBody(exchange)) return { requirement: noBody, received };
  return undefined;
}

/** Returns whether an answer asks for a body: for its length, for its media type, or as a part that is missing. */
function asksForBody(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0;
  return status === 411 || status === 415 || rejectedFields(exchange).includes("body");
}

/** Returns a hint for an automation that answers every request with 404: its address, and the word in its path. */
export function explainNoAutomation({ url }: Exchange): string {
  const address = url.split("?", 1)[0];
  return `Nothing is at ${address}: is the automation URL right, and the service's own word in its path (--automation-word)?`;
}
