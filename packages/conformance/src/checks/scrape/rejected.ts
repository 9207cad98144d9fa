import type { Member } from "../generation/json-object.ts";
import { makeCheck } from "../make-check.ts";
import type { Probe } from "../../http/probe.ts";
import { nothingSeen, type Check } from "../check.ts";
import { scrapeFields, type RequestField } from "../../contract/request-fields.ts";
import { type NamedValue, nameValues } from "../../contract/value-classes.ts";
import { judgeInvalid, judgeNotTaken } from "./judge-invalid.ts";
import { makeScrapeProbe, type ScrapeProbeOptions, validMembers, unknownMember } from "./scrape-probe.ts";
import { succeeded } from "../../http/exchange.ts";

const nameWrong = ({ name }: RequestField, { word }: NamedValue): string => `wrong-${name}-${word}`;
const nameWrongItems = ({ name }: RequestField, { word }: NamedValue): string => `wrong-${name}-items-${word}`;

function makeRefusedProbe(name: string, options: ScrapeProbeOptions): Probe {
  return makeScrapeProbe(name, { ...options, expects: "refusal" });
}

/**
 * Kind of a wrong value that is sent beside valid values of all other fields: a server may leave out the validation of a field when it
 * finds another one. The other kinds are sent alone.
 */
const amongAll = "filled-object";

/** Returns the members of a request with one wrong value. */
const listWrongMembers = (field: RequestField, { word, value }: NamedValue): readonly Member[] => [
  ...(word === amongAll ? validMembers.filter(([name]) => name !== field.name) : []),
  [field.name, value],
];

/** JSON bodies that are not objects. */
const otherBodies: readonly NamedValue[] = nameValues({
  array: [],
  "array-of-object": [{ scrape_links: true }],
  string: '{"scrape_links":true}',
  number: 7,
  null: null,
});

/** Values of `update_metadata` that are not a boolean in any reading: every second one stands beside a valid value for every field. */
const wrongMetadata: readonly NamedValue[] = nameValues({
  "update-metadata-wrong": "neither",
  "update-metadata-wrong-cut": "tru",
  "update-metadata-wrong-longer": "truefalse",
  "update-metadata-wrong-list": "true,false",
  "update-metadata-wrong-fraction": "0.5",
  "update-metadata-wrong-object": "%7B%7D",
});

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
    ...field.wrong.map((value) =>
      makeRefusedProbe(nameWrong(field, value), { members: listWrongMembers(field, value) }),
    ),
    ...(field.nullable ? [] : [makeRefusedProbe(`wrong-${field.name}-null`, { members: [[field.name, null]] })]),
    ...field.wrongItems.map((value) =>
      makeRefusedProbe(nameWrongItems(field, value), { members: [[field.name, value.value]] }),
    ),
  ]),
  makeRefusedProbe("without-body", { body: null }),
  ...otherBodies.map(({ word, value }) => makeRefusedProbe(`body-${word}`, { body: JSON.stringify(value) })),
  ...wrongMetadata.map(({ word, value }, at) =>
    makeRefusedProbe(word, {
      query: `?update_metadata=${String(value)}`,
      ...(at % 2 === 0 ? {} : { members: validMembers }),
    }),
  ),
];

/** Requests that must not succeed; the status of the refusal is left open. */
export const untakenScrapeProbes: readonly Probe[] = [
  makeRefusedProbe("body-empty", { body: "", needs: reading }),
  ...Object.entries(noJson).map(([word, body]) => makeRefusedProbe(`body-${word}`, { body, needs: reading })),
];

/** Judges a scrape without a body. It names no media type either, so a refusal for that is right as well. */
const judgeMissingBody: typeof judgeInvalid = (exchange, ...about) =>
  exchange.response?.status === 415
    ? nothingSeen("It was refused because it names no media type.")
    : judgeInvalid(exchange, ...about);

/** Makes the check that some scrapes are rejected. */
const makeRejectCheck = (
  name: string,
  probes: readonly string[],
  what: string,
  judge = judgeInvalid,
  title?: string,
): Check =>
  makeCheck(
    `scrape/${name}`,
    probes.map((id) => `scrape/${id}`),
    (exchange) => judge(exchange, what),
    title === undefined ? {} : { title },
  );

const wrongTypeChecks = scrapeFields
  .filter((field) => field.wrong.length > 0)
  .map((field) =>
    makeRejectCheck(
      `rejects-wrong-${field.name}`,
      field.wrong.map((value) => nameWrong(field, value)),
      `a wrong type of \`${field.name}\``,
      judgeInvalid,
      `A wrong type of \`${field.name}\` is rejected with 422.`,
    ),
  );

/** Checks that null is not accepted for a boolean: whether it stands for the default, as where the option is left out, is a reading. */
const nullChecks = scrapeFields
  .filter((field) => !field.nullable)
  .map(({ name }) =>
    makeRejectCheck(
      `rejects-null-${name}`,
      [`wrong-${name}-null`],
      `\`${name}\` is null`,
      judgeNotTaken,
      `\`${name}\` may not be null.`,
    ),
  );

const itemChecks = scrapeFields
  .filter((field) => field.wrongItems.length > 0)
  .map((field) =>
    makeRejectCheck(
      `rejects-wrong-${field.name}-items`,
      field.wrongItems.map((value) => nameWrongItems(field, value)),
      `an \`${field.name}\` with an element that is not a string`,
    ),
  );

const lenientWords = Object.keys(noJson).flatMap((word) => (word === "words" ? [] : [`body-${word}`]));
const otherWords = otherBodies.map(({ word }) => `body-${word}`);
const metadataWords = wrongMetadata.map(({ word }) => word);
const brokenWords = ["body-words", "with-broken-json"];

/** Checks that invalid scrapes are rejected. Source: interface § Endpoints, § Resources and their fields, § Errors. */
export const scrapeRejectedChecks: readonly Check[] = [
  ...wrongTypeChecks,
  ...nullChecks,
  ...itemChecks,
  makeRejectCheck("rejects-missing-body", ["without-body"], "a missing body", judgeMissingBody),
  makeRejectCheck("refuses-empty-body", ["body-empty"], "the body is empty", judgeNotTaken),
  makeRejectCheck("refuses-broken-json", brokenWords, "the body is not JSON", judgeNotTaken),
  makeRejectCheck("refuses-lenient-json", lenientWords, "the body is not JSON", judgeNotTaken),
  makeRejectCheck("rejects-array-body", otherWords, "the body is not an object", judgeNotTaken),
  makeRejectCheck("rejects-wrong-update_metadata", metadataWords, "an `update_metadata` that is not a boolean"),
];

/** A fault of a scrape, and the probe that has only this fault. */
export interface ScrapeFault {
  /** Word in the ids of probes. */
  readonly word: string;
  /** Id of the probe that has only this fault. */
  readonly alone: string;
  /** Requirement that it violates. */
  readonly requirement: string;
  /** Description, in findings. */
  readonly what: string;
  /** Member of the body that is at fault. */
  readonly member?: Member;
  /** Query that is at fault. */
  readonly query?: string;
}

/** A property that no schema has. */
export const unknownFault = {
  word: "unknown",
  alone: "scrape/unknown-stranger",
  requirement: "scrape.unknown-property-rejected",
  what: "an unknown property",
  member: unknownMember,
} as const satisfies ScrapeFault;

/** A value of a wrong type. */
export const wrongFault = {
  word: "wrong",
  alone: "scrape/wrong-selector-object",
  requirement: "scrape.request.selector.type",
  what: "a `selector` that is an object",
  member: ["selector", {}],
} as const satisfies ScrapeFault;

/** One fault of each kind. */
const faults: readonly ScrapeFault[] = [
  wrongFault,
  unknownFault,
  {
    word: "boolean",
    alone: "scrape/wrong-scrape_links-object",
    requirement: "scrape.request.scrape_links.type",
    what: "a `scrape_links` that is an object",
    member: ["scrape_links", {}],
  },
  {
    word: "element",
    alone: "scrape/wrong-ignored_tags-items-object-second",
    requirement: "scrape.request.ignored_tags.items",
    what: "an `ignored_tags` with an object in it",
    member: ["ignored_tags", ["nav", { tag: "footer" }]],
  },
  {
    word: "query",
    alone: "scrape/update-metadata-wrong",
    requirement: "scrape.update_metadata.type",
    what: "an `update_metadata` that is not a boolean",
    query: "?update_metadata=neither",
  },
];

/** Every pair of faults, by the id of its probe. The first pair is also observed. */
const pairs: ReadonlyMap<string, readonly [ScrapeFault, ScrapeFault]> = new Map(
  faults.flatMap((one, at) =>
    faults.slice(at + 1).map((other): [string, readonly [ScrapeFault, ScrapeFault]] => {
      const suffix = at === 0 && other === unknownFault ? "" : `-${one.word}-and-${other.word}`;
      return [`scrape/two-faults${suffix}`, [one, other]];
    }),
  ),
);

/** Scrapes with two faults. */
export const twoFaultsProbes: readonly Probe[] = [...pairs].map(([id, pair]) => {
  const query = pair.find((fault) => fault.query !== undefined)?.query;
  return makeScrapeProbe(id.replace("scrape/", ""), {
    members: pair.flatMap(({ member }) => (member ? [member] : [])),
    ...(query === undefined ? {} : { query }),
    expects: "refusal",
  });
});

/** Checks of scrapes with two faults. Other checks report a fault that is accepted alone. */
export const twoFaultsChecks: readonly Check[] = [
  makeCheck(
    "scrape/rejects-two-faults",
    [...pairs.keys()],
    (exchange, _, run) => {
      const pair = pairs.get(exchange.id);
      if (!pair) return nothingSeen("The request does not have two faults.");
      const isTaken = pair.some(({ alone }) => {
        const other = run?.get(alone);
        return other !== undefined && succeeded(other);
      });
      const main = pair.find((fault) => fault === unknownFault) ?? pair[0];
      return isTaken
        ? nothingSeen("One of the faults is accepted alone.")
        : judgeInvalid(exchange, pair.map(({ what }) => what).join(", and "), main.requirement);
    },
    { consults: faults.map(({ alone }) => alone) },
  ),
];
