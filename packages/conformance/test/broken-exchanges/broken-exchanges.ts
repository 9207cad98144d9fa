/** For every check one fault: an exchange of a conforming server, changed so that it breaks one sentence of the interface. */
import type { Exchange } from "../../src/http/exchange.ts";
import { scrapeAnswerFaults, validationErrorFaults } from "./answers.ts";
import { authenticationFaults } from "./authentication.ts";
import type { Fault } from "./change.ts";
import { cookiesFaults, replayFaults } from "./reads.ts";
import { scrapeFaults } from "./scrape.ts";
import { eventFaults, streamFaults } from "./stream.ts";

/** The exchange with its response changed. */
export function applyFault(exchange: Exchange, fault: Fault): Exchange {
  if (!exchange.response) throw new Error(`${exchange.id} has no response to change`);
  return { ...exchange, response: fault.change(exchange.response) };
}

/** The fault of each check, by the check's id. */
export const faults: ReadonlyMap<string, Fault> = new Map(
  [
    ...scrapeFaults,
    ...scrapeAnswerFaults,
    ...validationErrorFaults,
    ...cookiesFaults,
    ...replayFaults,
    ...authenticationFaults,
    ...streamFaults,
    ...eventFaults,
  ].map(([check, probe, change]) => [check, { probe, change }]),
);
