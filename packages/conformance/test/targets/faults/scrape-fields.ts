/** Targets that read a field of a page scrape otherwise than its row in the table says. */
import { isObject, json, type Json } from "../messages.ts";
import { listBreaking, listFaults, refuse, type FaultRow, type FaultyTarget } from "../faulty-target.ts";
import type { Service } from "../service.ts";
import { revise } from "../parts.ts";

const texts = ["selector", "instructions"];
const booleans = ["scrape_links", "scrape_images", "only_main_content", "only_images", "use_link_placeholders"];
const nullable = [...texts, "ignored_tags", "response_format"];
const all = [...nullable, ...booleans];

const isText = (value: Json): boolean => typeof value === "string" || value === null;
const isBoolean = (value: Json): boolean => typeof value === "boolean";
const isList = (value: Json): value is Json[] => Array.isArray(value);
const isTag = (value: Json): boolean => typeof value === "string";
const isTags = (value: Json): boolean => value === null || (isList(value) && value.every(isTag));

const type = (field: string): string => `scrape.request.${field}.type`;
const slug = (field: string): string => field.replaceAll("_", "-");
/** Takes what is right for a field, and turns down all else. */
const takes = (field: string, right: (value: Json) => boolean): Partial<Service> => ({
  fields: { [field]: (value) => (right(value) ? undefined : []) },
});
/** Turns down what is wrong for a field. */
const refuses = (field: string, wrong: (value: Json) => boolean): Partial<Service> =>
  refuse(field, (options) => options.has(field) && wrong(options.get(field) ?? null));
/** Turns down a field whose JSON has some text in it. */
const refusesText = (field: string, wrong: RegExp): Partial<Service> =>
  refuses(field, (value) => wrong.test(JSON.stringify(value)));

const tags = "ignored_tags";
const schema = "response_format";
const anySchema = `scrape.request.${schema}.any-value`;
/** Takes null, and lists that are right. */
const takesTags = (right: (value: readonly Json[]) => boolean): Partial<Service> =>
  takes(tags, (value) => value === null || (isList(value) && right(value)));

/** Fields that take what they must not. */
const lenient = listFaults([
  ...texts.flatMap((field): FaultRow[] => [
    [`${slug(field)}-takes-anything`, type(field), takes(field, () => true)],
    [`${slug(field)}-takes-objects`, type(field), takes(field, (value) => isText(value) || isObject(value))],
  ]),
  ...booleans.flatMap((field): FaultRow[] => [
    [`${slug(field)}-takes-every-word`, type(field), takes(field, (value) => isBoolean(value) || isTag(value))],
    [`${slug(field)}-takes-objects`, type(field), takes(field, (value) => isBoolean(value) || isObject(value))],
    [`${slug(field)}-takes-arrays`, type(field), takes(field, (value) => isBoolean(value) || isList(value))],
  ]),
  ["ignored-tags-takes-objects", type(tags), takes(tags, (value) => isObject(value) || isTags(value))],
]);
const lenientTags = listBreaking("scrape.request.ignored_tags.items", {
  "ignored-tags-takes-any-element": takesTags(() => true),
  "ignored-tags-takes-null-elements": takesTags((value) => value.every(isText)),
  "ignored-tags-takes-lists-in-lists": takesTags((value) => value.flat().every(isTag)),
  "ignored-tags-looks-at-the-first-element": takesTags(([first]) => first === undefined || isTag(first)),
});

/** Fields that do not take what they must. */
const strict = listFaults([
  ...nullable.map((field): FaultRow => [
    `${slug(field)}-refuses-null`,
    type(field),
    refuses(field, (value) => value === null),
  ]),
  ...booleans.map((field): FaultRow => [
    `${slug(field)}-refuses-false`,
    type(field),
    refuses(field, (value) => value === false),
  ]),
  ...all.map((field): FaultRow => [
    `${slug(field)}-is-required`,
    `scrape.request.${field}.optional`,
    { required: [field] },
  ]),
  ["scrape-images-refuses-true", type("scrape_images"), refuses("scrape_images", (value) => value === true)],
  [
    "ignored-tags-refuses-an-empty-list",
    "scrape.request.ignored_tags.any-value",
    takes(tags, (value) => isTags(value) && JSON.stringify(value) !== "[]"),
  ],
  ["ignored-tags-refuses-names-of-own-elements", "scrape.request.ignored_tags.any-value", refusesText(tags, /x-/)],
  ["ignored-tags-takes-one-at-most", type(tags), refuses(tags, (value) => isList(value) && value.length > 1)],
  ["response-format-refuses-descriptions", anySchema, refusesText(schema, /"description"/)],
  ["response-format-refuses-the-name-of-a-draft", anySchema, refusesText(schema, /"\$schema"/)],
  ["response-format-refuses-combinations", anySchema, refusesText(schema, /"(all|any|one)Of"/)],
  ...["writeOnly", "dependentSchemas", "contentEncoding", "unevaluatedItems"].map((keyword): FaultRow => [
    `response-format-refuses-${keyword.toLowerCase()}`,
    anySchema,
    refusesText(schema, new RegExp(`"${keyword}"`)),
  ]),
  [
    "response-format-fails-at-dependencies",
    type(schema),
    revise("scrape", 200, (answer, { body }) =>
      body.includes('"dependencies"') ? json(500, { detail: "unknown keyword" }) : answer,
    ),
  ],
  ["response-format-takes-null-only", `scrape.request.${schema}.without-data`, refuses(schema, isObject)],
  ["response-format-refuses-definitions", `scrape.request.${schema}.reference`, refusesText(schema, /\$defs/)],
  ["instructions-refuses-letters-outside-ascii", type("instructions"), refusesText("instructions", /\P{ASCII}/u)],
  [
    "selector-refuses-more-than-a-thousand-letters",
    "scrape.request.selector.any-value",
    refuses("selector", (value) => typeof value === "string" && value.length > 1_000),
  ],
  ["selector-refuses-every-text", type("selector"), refuses("selector", isTag)],
]);

/** Options that are right alone, and refused together. */
const together = listBreaking("scrape.request.schema", {
  "only-images-excludes-main-content": refuse(
    "*",
    (options) => options.get("only_images") === true && options.get("only_main_content") === true,
  ),
  "instructions-need-a-response-format": refuse(
    "*",
    (options) => isTag(options.get("instructions") ?? null) && options.get("selector") === null,
  ),
});

export const scrapeFieldFaults: readonly FaultyTarget[] = [...lenient, ...lenientTags, ...strict, ...together];
