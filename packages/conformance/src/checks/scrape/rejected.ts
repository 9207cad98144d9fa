import { type Probe } from "../../http/probe.ts";
import { nothingSeen, type Check, type Judgement } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import { scrapeFields, type RequestField } from "../../contract/request-fields.ts";
import type { NamedValue } from "../../contract/value-classes.ts";
import { judgeInvalid, judgeNotTaken, status422 } from "./judge-invalid.ts";
import { scrapeProbe, type ScrapeProbeOptions } from "./scrape-probe.ts";

const wrongName = ({ name }: RequestField, { word }: NamedValue): string => `wrong-${name}-${word}`;
const wrongItemsName = ({ name }: RequestField, { word }: NamedValue): string => `wrong-${name}-items-${word}`;

/** Returns a valid value for every field but one. */
function allBut(field: RequestField): readonly (readonly [string, unknown])[] {
  return scrapeFields.flatMap(({ name, valid: [first] }) =>
    name !== field.name && first ? [[name, first.value]] : [],
  );
}

function refusedProbe(name: string, options: ScrapeProbeOptions): Probe {
  return scrapeProbe(name, { ...options, expects: "refusal" });
}

/**
 * Kind of a wrong value that is sent beside valid values of all other fields: a server may leave out the validation of a field when it
 * finds another one. The other kinds are sent alone.
 */
const amongAll = "filled-object";

/** Returns the members of a request with one wrong value. */
const wrongMembers = (field: RequestField, { word, value }: NamedValue): readonly (readonly [string, unknown])[] => [
  ...(word === amongAll ? allBut(field) : []),
  [field.name, value],
];

/** JSON bodies that are not objects. */
const otherBodies: readonly NamedValue[] = [
  { word: "array", value: [] },
  { word: "array-of-object", value: [{ scrape_links: true }] },
  { word: "string", value: '{"scrape_links":true}' },
  { word: "number", value: 7 },
  { word: "null", value: null },
];

/** Values of `update_metadata` that are not a boolean in any reading. */
const wrongMetadata: readonly NamedValue[] = [
  { word: "update-metadata-wrong", value: "neither" },
  { word: "update-metadata-wrong-cut", value: "tru" },
  { word: "update-metadata-wrong-longer", value: "truefalse" },
  { word: "update-metadata-wrong-list", value: "true,false" },
  { word: "update-metadata-wrong-fraction", value: "0.5" },
  { word: "update-metadata-wrong-object", value: "%7B%7D" },
];

/** A valid value for every field: every second one of these values stands beside it. */
const everyField: readonly (readonly [string, unknown])[] = scrapeFields.flatMap(({ name, valid: [first] }) =>
  first ? [[name, first.value]] : [],
);

/** Bodies that are not JSON, most of which a lenient parser reads as valid options. A truncated one is sent by a probe that is also observed. */
const noJson: Readonly<Record<string, string>> = {
  words: "scrape the page, please",
  "trailing-comma": '{"scrape_links": true,}',
  "single-quotes": "{'scrape_links': true}",
  "names-without-quotes": "{scrape_links: true}",
  comment: '{"scrape_links": true /* as always */}',
  "no-number": '{"response_format": NaN}',
  more: '{"scrape_links": true}}',
  "two-values": '{"scrape_links": true} {"scrape_links": true}',
  "raw-line-break": '{"instructions": "Keep\nthe titles."}',
  "unknown-escape": String.raw`{"instructions": "Keep the \x74itles."}`,
};

const reading = ["open-session", "reads-any-body"] as const;

/** Requests that a conforming target answers with 422, or refuses for another reason. */
export const rejectedScrapeProbes: readonly Probe[] = [
  ...scrapeFields.flatMap((field) => [
    ...field.wrong.map((value) => refusedProbe(wrongName(field, value), { members: wrongMembers(field, value) })),
    ...(field.nullable ? [] : [refusedProbe(`wrong-${field.name}-null`, { members: [[field.name, null]] })]),
    ...field.wrongItems.map((value) =>
      refusedProbe(wrongItemsName(field, value), { members: [[field.name, value.value]] }),
    ),
  ]),
  refusedProbe("without-body", { body: null }),
  ...otherBodies.map(({ word, value }) => refusedProbe(`body-${word}`, { body: JSON.stringify(value) })),
  ...wrongMetadata.map(({ word, value }, at) =>
    refusedProbe(word, {
      query: `?update_metadata=${String(value)}`,
      ...(at % 2 === 0 ? {} : { members: everyField }),
    }),
  ),
];

/** Requests that must not succeed; the status of the refusal is left open. */
export const untakenScrapeProbes: readonly Probe[] = [
  refusedProbe("body-empty", { body: "", needs: reading }),
  ...Object.entries(noJson).map(([word, body]) => refusedProbe(`body-${word}`, { body, needs: reading })),
];

/** Judges a scrape without a body. It names no media type either, so a refusal for that is right as well. */
const judgeMissingBody: typeof judgeInvalid = (exchange, ...about) =>
  exchange.response?.status === 415
    ? nothingSeen("It was refused because it names no media type.")
    : judgeInvalid(exchange, ...about);

type Judge = (exchange: Exchange, requirement: string, what: string) => Judgement;

function rejects(
  name: string,
  title: string,
  requirements: readonly [main: string, ...also: string[]],
  probes: readonly string[],
  what: string,
  judge: Judge = judgeInvalid,
): Check {
  return {
    id: `scrape/${name}`,
    title,
    requirements: judge === judgeNotTaken ? requirements : [...requirements, status422],
    probes: probes.map((id) => `scrape/${id}`),
    judge: (exchange) => judge(exchange, requirements[0], what),
  };
}

const wrongTypeChecks = scrapeFields
  .filter((field) => field.wrong.length > 0)
  .map((field) =>
    rejects(
      `rejects-wrong-${field.name}`,
      `A wrong type of \`${field.name}\` is rejected with 422.`,
      [`scrape.request.${field.name}.type`],
      field.wrong.map((value) => wrongName(field, value)),
      `a wrong type of \`${field.name}\``,
    ),
  );

/** Makes the check that null is not accepted for a boolean: whether it stands for the default, as where the option is left out, is a reading. */
function rejectsNull({ name }: RequestField): Check {
  return rejects(
    `rejects-null-${name}`,
    `\`${name}\` may not be null.`,
    ["scrape.request.boolean-not-null"],
    [`wrong-${name}-null`],
    `\`${name}\` is null`,
    judgeNotTaken,
  );
}

const nullChecks = scrapeFields.filter((field) => !field.nullable).map(rejectsNull);

const itemChecks = scrapeFields
  .filter((field) => field.wrongItems.length > 0)
  .map((field) =>
    rejects(
      `rejects-wrong-${field.name}-items`,
      `An \`${field.name}\` with an element that is not a string is rejected with 422.`,
      [`scrape.request.${field.name}.items`],
      field.wrongItems.map((value) => wrongItemsName(field, value)),
      `an \`${field.name}\` with an element that is not a string`,
    ),
  );

/** Checks that invalid scrapes are rejected. Source: interface § Endpoints, § Resources and their fields, § Errors. */
export const scrapeRejectedChecks: readonly Check[] = [
  ...wrongTypeChecks,
  ...nullChecks,
  ...itemChecks,
  rejects(
    "rejects-missing-body",
    "A scrape without a body is rejected with 422.",
    ["scrape.request.body-required"],
    ["without-body"],
    "a missing body",
    judgeMissingBody,
  ),
  rejects(
    "refuses-empty-body",
    "An empty body is not accepted.",
    ["scrape.request.body-required"],
    ["body-empty"],
    "the body is empty",
    judgeNotTaken,
  ),
  rejects(
    "refuses-broken-json",
    "A body that is not JSON is not accepted.",
    ["scrape.request.body-is-json"],
    ["body-words", "with-broken-json"],
    "the body is not JSON",
    judgeNotTaken,
  ),
  rejects(
    "refuses-lenient-json",
    "A body that only a lenient parser reads as JSON is not accepted.",
    ["scrape.request.body-is-strict-json"],
    Object.keys(noJson).flatMap((word) => (word === "words" ? [] : [`body-${word}`])),
    "the body is not JSON",
    judgeNotTaken,
  ),
  rejects(
    "rejects-array-body",
    "A body that is not an object is not accepted.",
    ["scrape.request.object"],
    otherBodies.map(({ word }) => `body-${word}`),
    "the body is not an object",
    judgeNotTaken,
  ),
  rejects(
    "rejects-wrong-update_metadata",
    "An `update_metadata` that is not a boolean is rejected with 422.",
    ["scrape.update_metadata.type"],
    wrongMetadata.map(({ word }) => word),
    "an `update_metadata` that is not a boolean",
  ),
];
