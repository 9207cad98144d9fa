import { judgeMediaType, judgeSessionJson } from "../answers.ts";
import type { Probe } from "../../http/probe.ts";
import { planScrape } from "../../http/request-plan.ts";
import type { Check } from "../check.ts";
import type { Operation } from "../../contract/contract.ts";
import { fieldChecks } from "../fields/field-rules.ts";
import { acceptedScrapeIds } from "./request.ts";
import { makeCheck, coverAnswers } from "../make-check.ts";

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

/** Checks of the response of a scrape. Source: interface § Endpoints, § Resources and their fields. */
export const scrapeResponseChecks: readonly Check[] = [
  makeCheck(
    "scrape/content-type",
    probes,
    (exchange) => judgeMediaType(exchange, "application/json"),
    coverAnswers(operation),
  ),
  makeCheck("scrape/json", probes, judgeSessionJson, coverAnswers(operation)),
  ...fieldChecks("scrape", probes),
];
