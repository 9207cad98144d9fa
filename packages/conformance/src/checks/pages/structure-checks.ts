import { Ajv2020 } from "ajv/dist/2020.js";
import { nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import { productSchema, shipSchema } from "./page-probes.ts";
import { isObject } from "../../http/json.ts";
import { onScraped, type Scraped } from "./scraped.ts";

const base = { level: "stated", operation: "page_scrape", needs: [] } as const;
const probes = ["page/structured", "page/structured-of-no-ship"];

const ajv = new Ajv2020({ allErrors: true });
const validators = {
  "page/structured": ajv.compile(productSchema),
  "page/structured-of-no-ship": ajv.compile(shipSchema),
};

function judgeGiven({ structured }: Scraped): Judgement {
  return verdict(isObject(structured), {
    requirement: "scrape.optional-structure",
    where: "body /structured",
    expected: "structured data, or the error of an extraction that failed",
    received:
      structured === undefined ? "nothing" : structured === null ? "null" : `a value of the type ${typeof structured}`,
  });
}

/** An extraction that failed has no data to follow anything; `success` is true unless something else is said. */
function judgeFollows({ id }: Exchange, { structured }: Scraped): Judgement {
  const validate = validators[id === "page/structured" ? id : "page/structured-of-no-ship"];
  if (!isObject(structured)) return nothingSeen("No structured data came.");
  const { success = true, data } = structured;
  if (success !== true) return nothingSeen("The extraction did not succeed.");
  if (data === undefined || data === null) return nothingSeen("No data came.");
  const fits = validate(data);
  const problems = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
  return verdict(fits, {
    requirement: "scrape.request.response_format.meaning",
    where: "body /structured/data",
    expected: "data that follows the schema in `response_format`, since the extraction succeeded",
    received: `data that does not: ${problems.slice(0, 3).join("; ")}`,
  });
}

/** Checks of structured data. What an extraction finds is left open; that it follows the schema is not. Source: interface § StructuredData. */
export const structureChecks: readonly Check[] = [
  {
    ...base,
    id: "page/structured-on-request",
    title: "With `response_format` the answer has structured data, or says that the extraction failed.",
    requirements: ["scrape.optional-structure", "scrape.response.structured.meaning"],
    probes,
    judge: (exchange) => onScraped(exchange, judgeGiven),
  },
  {
    ...base,
    id: "page/structured-follows-schema",
    title: "Structured data of an extraction that succeeded follows the schema in `response_format`.",
    requirements: ["scrape.request.response_format.meaning", "structured.success.meaning", "structured.data.meaning"],
    probes,
    judge: (exchange) => onScraped(exchange, (seen) => judgeFollows(exchange, seen)),
  },
];
