/** Targets that read a field of a page scrape otherwise than its row in the table says. */
import { isObject, json, type Json } from "../asked.ts";
import { breaking, refusing, type FaultyTarget } from "../faulty-target.ts";
import type { Reader } from "../service.ts";
import { revising } from "../parts.ts";

const texts = ["selector", "instructions"];
const booleans = ["scrape_links", "scrape_images", "only_main_content", "only_images", "use_link_placeholders"];
const nullable = [...texts, "ignored_tags", "response_format"];
const all = [...nullable, ...booleans];

const anything: Reader = () => undefined;
const only =
  (right: (value: Json) => boolean): Reader =>
  (value) =>
    right(value) ? undefined : [];
const isText = (value: Json): boolean => typeof value === "string" || value === null;
const isBoolean = (value: Json): boolean => typeof value === "boolean";
const isList = (value: Json): value is Json[] => Array.isArray(value);
const isTags = (value: Json): boolean =>
  value === null || (isList(value) && value.every((tag) => typeof tag === "string"));

const type = (field: string): string => `scrape.request.${field}.type`;
const slug = (field: string): string => field.replaceAll("_", "-");
const reads = (field: string, reader: Reader): { fields: Record<string, Reader> } => ({ fields: { [field]: reader } });

/** Fields that take what they must not. */
const lenient: readonly FaultyTarget[] = [
  ...texts.flatMap((field) =>
    breaking(type(field), {
      [`${slug(field)}-takes-anything`]: reads(field, anything),
      [`${slug(field)}-takes-objects`]: reads(
        field,
        only((value) => isText(value) || isObject(value)),
      ),
    }),
  ),
  ...booleans.flatMap((field) =>
    breaking(type(field), {
      [`${slug(field)}-takes-every-word`]: reads(
        field,
        only((value) => isBoolean(value) || typeof value === "string"),
      ),
      [`${slug(field)}-takes-objects`]: reads(
        field,
        only((value) => isBoolean(value) || isObject(value)),
      ),
      [`${slug(field)}-takes-arrays`]: reads(
        field,
        only((value) => isBoolean(value) || isList(value)),
      ),
    }),
  ),
  ...breaking(type("ignored_tags"), {
    "ignored-tags-takes-objects": reads(
      "ignored_tags",
      only((value) => isObject(value) || isTags(value)),
    ),
  }),
  ...breaking("scrape.request.ignored_tags.items", {
    "ignored-tags-takes-any-element": reads(
      "ignored_tags",
      only((value) => isList(value) || value === null),
    ),
    "ignored-tags-takes-null-elements": reads(
      "ignored_tags",
      only((value) => value === null || (isList(value) && value.every(isText))),
    ),
    "ignored-tags-takes-lists-in-lists": reads(
      "ignored_tags",
      only((value) => value === null || (isList(value) && value.flat().every((tag) => typeof tag === "string"))),
    ),
    "ignored-tags-looks-at-the-first-element": reads(
      "ignored_tags",
      only((value) => value === null || (isList(value) && (value.length === 0 || typeof value[0] === "string"))),
    ),
  }),
];

/** Fields that do not take what they must. */
const strict: readonly FaultyTarget[] = [
  ...nullable.flatMap((field) =>
    breaking(type(field), {
      [`${slug(field)}-refuses-null`]: refusing(field, (options) => options.get(field) === null),
    }),
  ),
  ...booleans.flatMap((field) =>
    breaking(type(field), {
      [`${slug(field)}-refuses-false`]: refusing(field, (options) => options.get(field) === false),
    }),
  ),
  ...all.flatMap((field) =>
    breaking(`scrape.request.${field}.optional`, { [`${slug(field)}-is-required`]: { required: [field] } }),
  ),
  ...breaking(type("scrape_images"), {
    "scrape-images-refuses-true": refusing("scrape_images", (options) => options.get("scrape_images") === true),
  }),
  ...breaking("scrape.request.ignored_tags.any-value", {
    "ignored-tags-refuses-an-empty-list": reads(
      "ignored_tags",
      only((value) => isTags(value) && JSON.stringify(value) !== "[]"),
    ),
    "ignored-tags-refuses-names-of-own-elements": refusing("ignored_tags", (options) =>
      JSON.stringify(options.get("ignored_tags") ?? null).includes("x-"),
    ),
  }),
  ...breaking(type("ignored_tags"), {
    "ignored-tags-takes-one-at-most": refusing("ignored_tags", (options) => {
      const value = options.get("ignored_tags") ?? null;
      return isList(value) && value.length > 1;
    }),
  }),
  ...breaking("scrape.request.response_format.any-value", {
    "response-format-refuses-descriptions": refusing("response_format", (options) =>
      JSON.stringify(options.get("response_format") ?? null).includes('"description"'),
    ),
    "response-format-refuses-the-name-of-a-draft": refusing("response_format", (options) =>
      JSON.stringify(options.get("response_format") ?? null).includes('"$schema"'),
    ),
    "response-format-refuses-combinations": refusing("response_format", (options) =>
      /"(all|any|one)Of"/.test(JSON.stringify(options.get("response_format") ?? null)),
    ),
  }),
  ...breaking(
    "scrape.request.response_format.any-value",
    Object.fromEntries(
      ["writeOnly", "dependentSchemas", "contentEncoding", "unevaluatedItems"].map((keyword) => [
        `response-format-refuses-${keyword.toLowerCase()}`,
        refusing("response_format", (options) =>
          JSON.stringify(options.get("response_format") ?? null).includes(`"${keyword}"`),
        ),
      ]),
    ),
  ),
  ...breaking(type("response_format"), {
    "response-format-fails-at-dependencies": revising("scrape", 200, (answer, { body }) =>
      body.includes('"dependencies"') ? json(500, { detail: "unknown keyword" }) : answer,
    ),
  }),
  ...breaking("scrape.request.response_format.without-data", {
    "response-format-takes-null-only": refusing("response_format", (options) =>
      isObject(options.get("response_format")),
    ),
  }),
  ...breaking("scrape.request.response_format.reference", {
    "response-format-refuses-definitions": refusing("response_format", (options) =>
      JSON.stringify(options.get("response_format") ?? null).includes("$defs"),
    ),
  }),
  ...breaking(type("instructions"), {
    "instructions-refuses-letters-outside-ascii": refusing("instructions", (options) =>
      /\P{ASCII}/u.test(JSON.stringify(options.get("instructions") ?? "")),
    ),
  }),
  ...breaking("scrape.request.selector.any-value", {
    "selector-refuses-more-than-a-thousand-letters": refusing("selector", (options) => {
      const value = options.get("selector");
      return typeof value === "string" && value.length > 1_000;
    }),
  }),
  ...breaking(type("selector"), {
    "selector-refuses-every-text": refusing("selector", (options) => typeof options.get("selector") === "string"),
  }),
];

/** Options that are right alone, and refused together. */
const together: readonly FaultyTarget[] = breaking("scrape.request.schema", {
  "only-images-excludes-main-content": refusing(
    "*",
    (options) => options.get("only_images") === true && options.get("only_main_content") === true,
  ),
  "instructions-need-a-response-format": refusing(
    "*",
    (options) => typeof options.get("instructions") === "string" && options.get("selector") === null,
  ),
});

export const scrapeFieldFaults: readonly FaultyTarget[] = [...lenient, ...strict, ...together];
