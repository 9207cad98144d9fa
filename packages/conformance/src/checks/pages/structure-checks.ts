import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { combine, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import { partlyToldSchema, productSchema, shipSchema } from "./page-probes.ts";
import { isObject } from "../../http/json.ts";
import { productFacts } from "../../site/pages/product.ts";
import { markers } from "../../site/pages/markers.ts";
import { foldedText, memberOf, onScraped, type Scraped } from "./scraped.ts";

const base = { level: "stated", operation: "page_scrape", needs: [] } as const;
const probes = ["page/structured", "page/structured-of-no-ship", "page/structured-partly"];

const ajv = new Ajv2020({ allErrors: true });
const validators: ReadonlyMap<string, ValidateFunction> = new Map([
  ["page/structured", ajv.compile(productSchema)],
  ["page/structured-of-no-ship", ajv.compile(shipSchema)],
  ["page/structured-partly", ajv.compile(partlyToldSchema)],
]);

function judgeGiven({ structured }: Scraped): Judgement {
  return verdict(isObject(structured), {
    requirement: "scrape.optional-structure",
    where: "body /structured",
    expected: "structured data, or the error of an extraction that failed",
    received:
      structured === undefined ? "nothing" : structured === null ? "null" : `a value of the type ${typeof structured}`,
  });
}

/**
 * Judges structured data. A failed extraction has none; `success` counts as true when absent.
 */
function onData({ structured }: Scraped, judge: (data: unknown) => Judgement): Judgement {
  if (!isObject(structured)) return nothingSeen("The response has no structured data.");
  const { success = true, data } = structured;
  if (success !== true) return nothingSeen("The extraction did not succeed.");
  return data === undefined || data === null ? nothingSeen("No data came.") : judge(data);
}

const successRequirement = "structured.success.meaning";
const extractedRequirement = "scrape.response.structured.meaning";

/** Tells whether data holds nothing at all, so that an extraction which calls itself successful has extracted nothing. */
const isEmpty = (data: unknown): boolean => typeof data === "object" && data !== null && Object.keys(data).length === 0;

function judgeFollows({ id }: Exchange, data: unknown): Judgement {
  const validate = validators.get(id);
  if (!validate) return nothingSeen("No schema was sent.");
  const fits = validate(data);
  const problems = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
  return verdict(fits, {
    requirement: isEmpty(data) ? successRequirement : "scrape.request.response_format.meaning",
    where: "body /structured/data",
    expected: "data that follows the schema in `response_format`, since the extraction succeeded",
    received: `data that does not: ${problems.slice(0, 3).join("; ")}`,
  });
}

/** Facts that the page states about its product: a value of the right type in the data must equal them. */
const statedFacts: readonly (readonly [
  where: string,
  value: (data: unknown) => unknown,
  fits: (value: unknown) => boolean,
])[] = [
  ["name", (data) => memberOf(data, "name"), isName],
  [
    "offers/0/price",
    (data) => memberOf(firstOffer(data), "price"),
    (price) => typeof price !== "number" || price === productFacts.price,
  ],
  [
    "offers/0/currency",
    (data) => memberOf(firstOffer(data), "currency"),
    (code) => typeof code !== "string" || code === productFacts.currency,
  ],
];

/** Fields that the page says nothing about: any value is made up. */
const absentFields = ["captain", "homePort", "grossTonnage", "imoNumber", "decks"];

function isName(value: unknown): boolean {
  return typeof value !== "string" || foldedText(value).includes(markers.product["name of the product"]);
}

function firstOffer(data: unknown): unknown {
  const offers = memberOf(data, "offers");
  return Array.isArray(offers) ? offers[0] : undefined;
}

/** Tells whether a value says anything: empty texts and zeros do not. */
function isValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== 0 && !(typeof value === "string" && value.trim() === "");
}

function about(name: string, requirement: string): { requirement: string; where: string } {
  return { requirement, where: `body /structured/data/${name}` };
}

function judgeOfPage(data: unknown): Judgement {
  const right = statedFacts.flatMap(([name, value, fits]) => {
    const got = value(data);
    if (!isValue(got)) return [];
    return verdict(fits(got), {
      ...about(name, "structured.data.meaning"),
      expected: "what the page says",
      received: JSON.stringify(got),
    });
  });
  const invented = absentFields.flatMap((name) => {
    const got = memberOf(data, name);
    if (got === undefined) return [];
    const expected = "no value: the page says nothing of it";
    return verdict(!isValue(got), { ...about(name, extractedRequirement), expected, received: JSON.stringify(got) });
  });
  return combine([...right, ...invented], "The data has nothing that the page says, or does not.");
}

/** Checks of structured data. What an extraction finds is left open; that it follows the schema is not. Source: interface § StructuredData. */
export const structureChecks: readonly Check[] = [
  {
    ...base,
    id: "page/structured-on-request",
    title: "With `response_format` the answer has structured data, or says that the extraction failed.",
    requirements: ["scrape.optional-structure"],
    probes,
    judge: (exchange) => onScraped(exchange, judgeGiven),
  },
  {
    ...base,
    id: "page/structured-follows-schema",
    title: "Structured data of an extraction that succeeded follows the schema in `response_format`.",
    requirements: ["scrape.request.response_format.meaning", successRequirement],
    probes,
    judge: (exchange) => onScraped(exchange, (seen) => onData(seen, (data) => judgeFollows(exchange, data))),
  },
  {
    ...base,
    id: "page/structured-is-of-page",
    title: "Structured data of an extraction that succeeded is what the page says, and nothing is made up.",
    requirements: ["structured.data.meaning", extractedRequirement],
    probes,
    judge: (exchange) => onScraped(exchange, (seen) => onData(seen, judgeOfPage)),
  },
];
