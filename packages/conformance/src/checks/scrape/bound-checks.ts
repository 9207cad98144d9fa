import { nothingSeen, verdict, type Check } from "../check.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import { keywordSchemas } from "../../contract/schema-keywords.ts";
import { combinedScrapeIds } from "./combined.ts";
import { boundedPartRefused, hasBoundedValue } from "./value-bounds.ts";
import { optionalHeaders } from "./scrape-probe.ts";

/** A part of a scrape, the last part of the id of its check, its requirement, and the probes that show it. */
interface Row {
  readonly part: string;
  readonly word: string;
  readonly requirement: string;
  readonly probes: readonly string[];
}

const bounded = new Set(["selector", "instructions", "ignored_tags", "response_format"]);

const rows: readonly Row[] = [
  ...scrapeFields
    .filter(({ name }) => bounded.has(name))
    .map(({ name, valid }) => ({
      part: name,
      word: name,
      requirement: `scrape.request.${name}.any-value`,
      probes: [...valid, ...(name === "response_format" ? keywordSchemas : [])].flatMap(({ word, value }) =>
        value === null ? [] : `scrape/with-${name}-${word}`,
      ),
    })),
  ...optionalHeaders.map(({ word, headers }) => ({
    part: Object.keys(headers)[0] ?? "",
    word,
    requirement: `scrape.header.${Object.keys(headers)[0] ?? ""}.any-value`,
    probes: [`scrape/with-${word}`],
  })),
];

/** Checks that no valid value is refused for its length, its number or its notation. Source: interface § ScrapeRequest, § Endpoints. */
export const boundChecks: readonly Check[] = rows.map(({ part, word, requirement, probes }) => ({
  id: `scrape/accepts-any-${word}`,
  title: `No value of \`${part}\` is refused for its length, its number or its notation.`,
  requirements: [requirement],
  probes: [...probes, ...combinedScrapeIds],
  appliesTo: (exchange) => hasBoundedValue(exchange, part),
  judge: (exchange, _, run) => {
    if (!hasBoundedValue(exchange, part)) return nothingSeen("The request has no value that may be refused.");
    const refused = boundedPartRefused(exchange, run);
    if (exchange.response?.status !== 200 && refused !== part) return nothingSeen("It failed for another reason.");
    return verdict(refused === undefined, {
      requirement,
      where: "status",
      expected: `200: the value of \`${part}\` is valid`,
      received: String(exchange.response?.status),
    });
  },
}));
