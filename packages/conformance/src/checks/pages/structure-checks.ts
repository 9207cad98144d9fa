import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { combine, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import { partlyToldSchema, productSchema, shipSchema } from "./page-probes.ts";
import { isObject } from "../../http/json.ts";
import { productFacts, productPage } from "../../site/pages/product.ts";
import { markers } from "../../site/pages/markers.ts";
import { foldText, readMember, type Scrape, makeScrapeCheck } from "./scrape.ts";

const probes = ["page/structured", "page/structured-of-no-ship", "page/structured-partly"];

/** Probes that ask for data which the page has. */
const withData = ["page/structured", "page/structured-partly"];

const schemas: ReadonlyMap<string, object> = new Map<string, object>([
  ["page/structured", productSchema],
  ["page/structured-of-no-ship", shipSchema],
  ["page/structured-partly", partlyToldSchema],
]);

/** Validator of our own schemas, which are not validated themselves. */
const ajv = new Ajv2020({ allErrors: true, validateSchema: false });

/** The validator of the schema that a probe sends; compiled once, when it is needed. */
function findValidator(probe: string): ValidateFunction | undefined {
  const schema = schemas.get(probe);
  return schema && ajv.compile(schema); // ajv keeps what it has compiled, by the schema
}

function judgeGiven({ structured }: Scrape): Judgement {
  const says = isObject(structured) && ["success", "error", "data"].some((name) => Object.hasOwn(structured, name));
  return verdict(says, {
    where: "body /structured",
    expected: "structured data, or the error of an extraction that failed",
    received: isObject(structured)
      ? "an object without `success`, `error` and `data`"
      : structured === undefined
        ? "nothing"
        : structured === null
          ? "null"
          : `a value of the type ${typeof structured}`,
  });
}

/** Judges structured data. A failed extraction has none; `success` counts as true when absent. */
function onData({ structured }: Scrape, judge: (data: unknown) => Judgement): Judgement {
  if (!isObject(structured)) return nothingSeen("The response has no structured data.");
  const { success = true, data } = structured;
  if (success !== true) return nothingSeen("The extraction did not succeed.");
  return data === undefined || data === null ? nothingSeen("No data came.") : judge(data);
}

/** Returns whether data holds nothing at all, so that an extraction which calls itself successful has extracted nothing. */
const isEmpty = (data: unknown): boolean => typeof data === "object" && data !== null && Object.keys(data).length === 0;

function judgeFollows({ id }: Exchange, data: unknown): Judgement {
  const validate = findValidator(id);
  if (!validate) return nothingSeen("No schema was sent.");
  const fits = validate(data);
  const problems = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
  return verdict(fits, {
    requirement: isEmpty(data) ? "structured.success.meaning" : undefined,
    where: "body /structured/data",
    expected: "data that follows the schema in `response_format`, since the extraction succeeded",
    received: `data that does not: ${problems.slice(0, 3).join("; ")}`,
  });
}

/** Facts that the page states about its product: a value of the right type in the data must agree with them. */
const statedFacts: readonly (readonly [
  where: string,
  value: (data: unknown) => unknown,
  fits: (value: unknown) => boolean,
])[] = [
  ["name", (data) => readMember(data, "name"), isName],
  ["offers", (data) => readMember(data, "offers"), isOffers],
];

/** Words of the page of the product. */
const productWords = new Set(listWords(productPage({ address: "", script: "", changeAfterMs: 0, mark: 0 })));

function listWords(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns whether every offer is the one that the page has, however many there are. */
function isOffers(offers: unknown): boolean {
  const all = Array.isArray(offers) ? offers : [];
  return all.every((offer) => {
    const [price, currency] = [readMember(offer, "price"), readMember(offer, "currency")];
    const isPrice = typeof price !== "number" || price === productFacts.price;
    return isPrice && (typeof currency !== "string" || currency === "" || currency === productFacts.currency);
  });
}

/** Fields that the page says nothing about: any value is made up. */
const absentFields = ["captain", "homePort", "grossTonnage", "imoNumber", "decks"];

function isName(value: unknown): boolean {
  if (typeof value !== "string") return true;
  const words = listWords(value);
  return words.includes(markers.product["name of the product"]) && words.every((word) => productWords.has(word));
}

/** Returns whether a value says anything: empty texts and zeros do not. */
function isValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== 0 && !(typeof value === "string" && value.trim() === "");
}

const formatPlace = (name: string): string => `body /structured/data/${name}`;

function judgeOfPage(data: unknown): Judgement {
  const right = statedFacts.flatMap(([name, value, fits]) => {
    const received = value(data);
    if (!isValue(received)) return [];
    return verdict(fits(received), {
      where: formatPlace(name),
      expected: "what the page says",
      received: JSON.stringify(received),
    });
  });
  const invented = absentFields.flatMap((name) => {
    const received = readMember(data, name);
    if (received === undefined) return [];
    return verdict(!isValue(received), {
      requirement: "scrape.response.structured.meaning",
      where: formatPlace(name),
      expected: "no value: the page says nothing of it",
      received: JSON.stringify(received),
    });
  });
  return combine([...right, ...invented], "The data has nothing that the page says, or does not.");
}

/** Judges that an extraction that reports success by name has data, where the page has them. */
function judgeHasData({ structured }: Scrape): Judgement {
  if (!isObject(structured) || structured["success"] !== true)
    return nothingSeen("No extraction said by name that it succeeded.");
  const { data = null, error } = structured;
  if (data === null && typeof error === "string" && error.trim() !== "")
    return nothingSeen("The error message gives the reason; another check judges that.");
  return verdict(data !== null, {
    where: "body /structured/data",
    expected: "the extracted data, since the page has it and the extraction succeeded",
    received: "none",
  });
}

/** Returns whether data are complete: they follow the schema, and agree with the page. */
function isWhatWasAsked({ id }: Exchange, data: unknown): boolean {
  const judgement = judgeOfPage(data);
  return findValidator(id)?.(data) === true && judgement.assertions > 0 && judgement.findings.length === 0;
}

/** Judges that an extraction does not report what the rest of the answer contradicts, where the page has the data. */
function judgeTold({ structured }: Scrape, exchange: Exchange): Judgement {
  if (!isObject(structured)) return nothingSeen("The response has no structured data.");
  const { success, error, data = null } = structured;
  const where = "body /structured/success";
  if (success === false)
    return verdict(!isWhatWasAsked(exchange, data), {
      where,
      expected: "true, since the data are those of the page and follow the schema in `response_format`",
      received: "false",
    });
  if (success !== true) return nothingSeen("No extraction said by name whether it succeeded.");
  const message = typeof error === "string" ? error.trim() : "";
  return verdict(data !== null || message === "", {
    where,
    expected: "false, since there is an error message and no data",
    received: `true, beside ${JSON.stringify(message)}`,
  });
}

/** Checks of structured data. What an extraction finds is left open; that it follows the schema is not. Source: interface § StructuredData. */
export const structureChecks: readonly Check[] = [
  makeScrapeCheck("structured-on-request", probes, judgeGiven),
  makeScrapeCheck("structured-follows-schema", probes, (scrape, exchange) =>
    onData(scrape, (data) => judgeFollows(exchange, data)),
  ),
  {
    ...makeScrapeCheck("structured-is-of-page", probes, (scrape) => onData(scrape, judgeOfPage)),
    requirements: ["structured.data.meaning", "scrape.response.structured.meaning"],
  },
  makeScrapeCheck("structured-success-is-true", withData, judgeTold),
  makeScrapeCheck("structured-has-data", withData, judgeHasData),
];
