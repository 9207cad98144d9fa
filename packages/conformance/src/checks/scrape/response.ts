import { judgeJson, judgeMediaType, noEventsHere } from "../answers.ts";
import type { Probe } from "../../http/probe.ts";
import type { Check } from "../check.ts";
import { isAnswerOf, type Exchange } from "../../http/exchange.ts";
import type { Operation } from "../../contract/contract.ts";
import { bodyCheck, fieldRules } from "../fields.ts";
import { acceptedScrapeIds } from "./request.ts";

const operation: Operation = "page_scrape";

/** A mock answers with the example that is asked for. */
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
  startsRun: false,
  request: ({ sessionId }) => ({
    method: "POST",
    path: `/sessions/${encodeURIComponent(sessionId)}/page/scrape`,
    credentials: "key",
    headers: { prefer: `example=${name}` },
    body: "{}",
  }),
}));

const probes = [...acceptedScrapeIds, ...scrapeExampleProbes.map(({ id }) => id)];
const base = {
  operation,
  probes,
  appliesTo: (exchange: Exchange) => isAnswerOf(operation, exchange),
  needs: [],
  level: "stated",
} as const;

const rules = fieldRules("DataSpace", [
  ["body-type", "", "scrape.response.schema", "A scrape is answered with a JSON object."],
  ["markdown-present", "markdown", "scrape.response.markdown.required", "`markdown` is there."],
  ["markdown-type", "markdown", "scrape.response.markdown.type", "`markdown` is a string."],
  ["images-type", "images", "scrape.response.images.type", "`images` is an array or null."],
  ["image-type", "images/*", "scrape.response.images.items", "Each image is an object."],
  ["image-url-type", "images/*/url", "image.url.type", "`url` of an image is a string or null."],
  ["image-category-type", "images/*/category", "image.category.type", "`category` of an image is a string or null."],
  ["image-category-valid", "images/*/category", "image.category.values", "`category` of an image is one of six."],
  ["image-description-type", "images/*/description", "image.description.type", "`description` is a string or null."],
  ["structured-type", "structured", "scrape.response.structured.type", "`structured` is an object or null."],
  ["structured-success-type", "structured/success", "structured.success.type", "`success` is a boolean."],
  ["structured-error-type", "structured/error", "structured.error.type", "`error` is a string or null."],
]);

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
  ...rules.map((rule) => bodyCheck(rule, { operation, word: "scrape", status: 200, probes })),
];
