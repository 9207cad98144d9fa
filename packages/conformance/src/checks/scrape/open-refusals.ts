import { makeCheck } from "../make-check.ts";
import { judgeAccepted } from "../answers.ts";
import { rejectedFields } from "../blamed-fields.ts";
import { nothingSeen, type Check, type Judgement, type Exchanges, judgeStatus } from "../check.ts";
import { isAnswerTo, type Exchange } from "../../http/exchange.ts";
import { isObject } from "../../http/json.ts";
import { hasPage } from "../shown-sessions.ts";
import { hasReference } from "./value-bounds.ts";
import { readSentOptions, type SentOptions } from "./sent-options.ts";
import { findRefusedPart } from "./value-bounds.ts";

/** A valid scrape that may be refused, in one way of reading the interface. */
interface OpenRefusal {
  /** The field that is to blame. */
  readonly field: string;
  /** Returns whether the request has the value that may be refused. */
  readonly isAbout: (options: SentOptions, exchange: Exchange) => boolean;
  /** Statuses of such a refusal. */
  readonly statuses: readonly number[];
  /** Further statuses of such a refusal, where the request has no other option. Default: none. */
  readonly alone?: readonly number[];
  /** True when it depends on the other options, such as the selected part of the page: the success of the value alone shows nothing. */
  readonly dependsOnOthers?: true;
  /** Explanation of what is left open, as a sentence. */
  readonly reason: string;
}

/** Returns whether the suite knows that the page has the requested data: on its own pages, unless a part of them is chosen. */
function hasData({ id }: Exchange, { only_images: images, selector }: SentOptions): boolean {
  const isWhole = images !== true && (selector ?? null) === null;
  return id === "page/structured" || (id.startsWith("relations/") && isWhole);
}

const reference: OpenRefusal = {
  field: "response_format",
  isAbout: (options) => hasReference(options["response_format"]),
  statuses: [400, 422],
  reason: "The interface leaves open whether a schema may refer to a part of itself.",
};

const withoutData: OpenRefusal = {
  field: "response_format",
  isAbout: (options, exchange) =>
    isObject(options["response_format"]) && !reference.isAbout(options, exchange) && !hasData(exchange, options),
  statuses: [422],
  alone: [400, 404],
  dependsOnOthers: true,
  reason: "The interface leaves open how a target reports that a page has no data for the schema.",
};

const emptyInstructions: OpenRefusal = {
  field: "instructions",
  isAbout: (options) => options["instructions"] === "",
  statuses: [400, 422],
  reason: "The interface leaves open whether empty instructions are accepted.",
};

const collectOptions = (exchange: Exchange): SentOptions => readSentOptions(exchange) ?? {};

const isScrape = (exchange: Exchange): boolean => exchange.expects === "success" && isAnswerTo("page_scrape", exchange);

/**
 * Returns whether a refusal is about the field. One that names no field counts when there is no other option, when all others
 * are known to be valid, or when they may be the reason why the value is refused.
 */
function isRefusedFor(refusal: OpenRefusal, exchange: Exchange): boolean {
  const { field, isAbout, statuses, alone = [], dependsOnOthers } = refusal;
  const options = collectOptions(exchange);
  const isAlone = Object.keys(options).length === 1 || !exchange.id.startsWith("scrape/");
  const open = isAlone ? statuses.concat(alone) : statuses;
  if (!isScrape(exchange) || !open.includes(exchange.response?.status ?? 0)) return false;
  if (!isAbout(options, exchange)) return false;
  const fields = rejectedFields(exchange);
  return fields.length > 0 ? fields.every((name) => name === field) : isAlone || dependsOnOthers === true;
}

/** Returns the reason why the refusal of a valid scrape is left open; undefined for a success, and for any answer that is not open. */
export function findOpenRefusal(exchange: Exchange, run?: Exchanges): string | undefined {
  const bounded = findRefusedPart(exchange, run);
  return bounded === undefined
    ? [reference, withoutData, emptyInstructions].find((refusal) => isRefusedFor(refusal, exchange))?.reason
    : `The interface leaves open which lengths, numbers and notations of \`${bounded}\` are accepted.`;
}

/** Judges the status of a valid scrape: 200, or a refusal that is left open. */
export function judgeScraped(exchange: Exchange, run?: Exchanges, requirement?: string): Judgement {
  const reason = findOpenRefusal(exchange, run);
  return reason === undefined ? judgeAccepted(exchange, run, requirement) : nothingSeen(reason);
}

/**
 * Makes a check of the strict reading: the value is accepted.
 *
 * @param consults - Ids of scrapes that have to succeed, so that the refusal is about the value. Default: none.
 */
function makeStrictCheck(
  name: string,
  probes: readonly string[],
  refusal: OpenRefusal,
  expected: string,
  consults: readonly string[] = [],
): Check {
  const judge: Check["judge"] = (exchange, _, run) => {
    if (consults.some((id) => run?.get(id)?.response?.status !== 200))
      return nothingSeen("The same scrape without it did not succeed.");
    if (!hasPage(exchange, run)) return nothingSeen("No scrape of the session succeeded.");
    if (findRefusedPart(exchange, run) !== undefined)
      return nothingSeen("Other values are accepted; the check of bounds and notations reports that.");
    const isRefused = isRefusedFor(refusal, exchange);
    const status = exchange.response?.status;
    if (!isRefused && status !== 200) return nothingSeen("It failed for another reason.");
    return judgeStatus(!isRefused, expected, status);
  };
  return makeCheck(`scrape/${name}`, probes, judge, {
    consults,
    appliesTo: (exchange) => isScrape(exchange) && refusal.isAbout(collectOptions(exchange), exchange),
  });
}

/**
 * Returns the checks of what is accepted when nothing is left open.
 *
 * @param structured - Ids of scrapes that ask for a structure.
 */
export const listStrictChecks = (structured: readonly string[]): readonly Check[] => [
  makeStrictCheck("answers-without-data", structured, withoutData, "200: where no data is found, `structured` says so"),
  makeStrictCheck(
    "accepts-schema-reference",
    ["scrape/with-response_format-nested"],
    reference,
    "200: a schema with `$ref` is a JSON Schema",
    ["scrape/with-response_format-schema"],
  ),
  makeStrictCheck(
    "accepts-empty-instructions",
    ["scrape/with-instructions-empty"],
    emptyInstructions,
    "200: an empty text is a string",
  ),
];
