import { makeCheck } from "../make-check.ts";
import { nothingSeen, type Check, judgeStatus } from "../check.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import { keywordSchemas } from "../../contract/value-classes.ts";
import { combinedScrapeIds } from "./combined.ts";
import { findRefusedPart, hasBoundedValue } from "./value-bounds.ts";
import { optionalHeaders } from "./scrape-probe.ts";

/** A part of a scrape, the last part of the id of its check, and the probes that show it. */
interface Row {
  readonly part: string;
  readonly word: string;
  readonly probes: readonly string[];
}

const bounded = new Set(["selector", "instructions", "ignored_tags", "response_format"]);

const rows: readonly Row[] = [
  ...scrapeFields
    .filter(({ name }) => bounded.has(name))
    .map(({ name, valid }) => ({
      part: name,
      word: name,
      probes: [...valid, ...(name === "response_format" ? keywordSchemas : [])].flatMap(({ word, value }) =>
        value === null ? [] : `scrape/with-${name}-${word}`,
      ),
    })),
  ...optionalHeaders.map(({ word, headers }) => ({
    part: Object.keys(headers)[0] ?? "",
    word,
    probes: [`scrape/with-${word}`],
  })),
];

/** Makes the check that no valid value of a part is refused for its length, its number or its notation. */
const makeBoundCheck = ({ part, word, probes }: Row): Check =>
  makeCheck(
    `scrape/accepts-any-${word}`,
    [...probes, ...combinedScrapeIds],
    (exchange, _, run) => {
      if (!hasBoundedValue(exchange, part)) return nothingSeen("The request has no value that may be refused.");
      const refused = findRefusedPart(exchange, run);
      const status = exchange.response?.status;
      if (status !== 200 && refused !== part) return nothingSeen("It failed for another reason.");
      return judgeStatus(refused === undefined, `200: the value of \`${part}\` is valid`, status);
    },
    {
      title: `No value of \`${part}\` is refused for its length, its number or its notation.`,
      appliesTo: (exchange) => hasBoundedValue(exchange, part),
    },
  );

/** Checks of values that may have bounds. Source: interface § ScrapeRequest, § Endpoints. */
export const boundChecks: readonly Check[] = rows.map(makeBoundCheck);
