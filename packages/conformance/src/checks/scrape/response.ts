import { judgeJson, judgeMediaType, noEventsHere } from "../answers.ts";
import type { Probe } from "../../http/probe.ts";
import { planScrape } from "../../http/request-plan.ts";
import type { Check } from "../check.ts";
import { isAnswerOf, type Exchange } from "../../http/exchange.ts";
import type { Operation } from "../../contract/contract.ts";
import { fieldChecks } from "../fields/field-rules.ts";
import { acceptedScrapeIds } from "./request.ts";

const operation: Operation = "page_scrape";

/** Probes that ask a mock for one of its examples. */
export const scrapeExampleProbes: readonly Probe[] = [
  "markdown",
  "images",
  "structured",
  "extraction-failed",
  "nulls",
].map((name) => ({
  id: `scrape/example-${name}`,
  operation,
  needs: ["chooses-answers"],
  expects: "success",
  request: ({ sessionId }) => planScrape(sessionId, {}, { headers: { prefer: `example=${name}` } }),
}));

const probes = [...acceptedScrapeIds, ...scrapeExampleProbes.map(({ id }) => id)];
const base = {
  probes,
  appliesTo: (exchange: Exchange) => isAnswerOf(operation, exchange),
} as const;

/** Checks of the response of a scrape. Source: interface § Endpoints, § Resources and their fields. */
export const scrapeResponseChecks: readonly Check[] = [
  {
    ...base,
    id: "scrape/content-type",
    title: "A scrape is answered with application/json.",
    requirements: ["scrape.content-type"],
    judge: (exchange) => judgeMediaType(exchange, 200, "application/json", "scrape.content-type"),
  },
  {
    ...base,
    id: "scrape/json",
    title: "A scrape is answered with a JSON body.",
    requirements: ["scrape.response.body-is-json", noEventsHere],
    judge: (exchange) => judgeJson(exchange, 200, "scrape.response.body-is-json", noEventsHere),
  },
  ...fieldChecks("scrape", probes),
];
