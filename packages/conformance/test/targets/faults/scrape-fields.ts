/** Servers that read a field of a page scrape otherwise than its row in the table says. */
import { blame, refuse } from "../changes.ts";
import {
  has,
  inBody,
  isBoolean,
  isFalse,
  isList,
  isNull,
  isNullOrText,
  isTags,
  isText,
  isTrue,
} from "../conditions.ts";
import { breakAnswers, breakService, dash, type Fault, type Way } from "../fault.ts";
import { isObject, type Json } from "../messages.ts";
import { takes } from "../parts.ts";
import { booleans, texts } from "../service.ts";

const tags = "ignored_tags";
const schema = "response_format";
const nullable = [...texts, tags, schema];

const type = (field: string): string => `scrape.request.${field}.type`;
const anyValue = (field: string): string => `scrape.request.${field}.any-value`;

/** Takes null, and lists that are right. */
const takesTags = (right: (value: readonly Json[]) => boolean): ReturnType<typeof takes> =>
  takes(tags, (value) => value === null || (isList(value) && right(value)));
/** Turns down what is wrong for a field. */
const refuses = (field: string, isWrong: (value: Json) => boolean): Way => [blame("body", field), has(field, isWrong)];
/** Turns down a field whose JSON has some text in it. */
const refusesText = (field: string, wrong: RegExp): Way => refuses(field, (value) => wrong.test(JSON.stringify(value)));

/** Fields that take what they must not. */
const lenient = breakService([
  ...texts.map((field) => ({
    [type(field)]: {
      [`${dash(field)}-takes-anything`]: takes(field, () => true),
      [`${dash(field)}-takes-objects`]: takes(field, (value) => isNullOrText(value) || isObject(value)),
    },
  })),
  ...booleans.map((field) => ({
    [type(field)]: {
      [`${dash(field)}-takes-every-word`]: takes(field, (value) => isBoolean(value) || typeof value === "string"),
      [`${dash(field)}-takes-objects`]: takes(field, (value) => isBoolean(value) || isObject(value)),
      [`${dash(field)}-takes-arrays`]: takes(field, (value) => isBoolean(value) || isList(value)),
    },
  })),
  {
    [type(tags)]: { "ignored-tags-takes-objects": takes(tags, (value) => isObject(value) || isTags(value)) },
    "scrape.request.ignored_tags.items": {
      "ignored-tags-takes-any-element": takesTags(() => true),
      "ignored-tags-takes-null-elements": takesTags((value) => value.every(isNullOrText)),
      "ignored-tags-takes-lists-in-lists": takesTags((value) => value.flat().every(isText())),
      "ignored-tags-looks-at-the-first-element": takesTags(([first = ""]) => typeof first === "string"),
    },
  },
]);

/** Fields that do not take what they must. */
const strict = breakAnswers("scrape", [
  ...nullable.map((field) => ({ [type(field)]: { [`${dash(field)}-refuses-null`]: refuses(field, isNull) } })),
  ...booleans.map((field) => ({ [type(field)]: { [`${dash(field)}-refuses-false`]: refuses(field, isFalse) } })),
]);

const required = breakService([
  ...[...nullable, ...booleans].map((field) => ({
    [`scrape.request.${field}.optional`]: { [`${dash(field)}-is-required`]: { required: [field] } },
  })),
  {
    [anyValue(tags)]: {
      "ignored-tags-refuses-an-empty-list": takes(tags, (value) => isTags(value) && JSON.stringify(value) !== "[]"),
    },
  },
]);

const particular = breakAnswers("scrape", {
  [type("scrape_images")]: { "scrape-images-refuses-true": refuses("scrape_images", isTrue) },
  [anyValue(tags)]: {
    "ignored-tags-refuses-names-of-own-elements": refusesText(tags, /x-/),
  },
  [type(tags)]: { "ignored-tags-takes-one-at-most": refuses(tags, (value) => isList(value) && value.length > 1) },
  [anyValue(schema)]: {
    "response-format-refuses-descriptions": refusesText(schema, /"description"/),
    "response-format-refuses-the-name-of-a-draft": refusesText(schema, /"\$schema"/),
    "response-format-refuses-combinations": refusesText(schema, /"(all|any|one)Of"/),
    ...Object.fromEntries(
      ["writeOnly", "dependentSchemas", "contentEncoding", "unevaluatedItems"].map((keyword) => [
        `response-format-refuses-${keyword.toLowerCase()}`,
        refusesText(schema, new RegExp(`"${keyword}"`)),
      ]),
    ),
  },
  [type(schema)]: {
    "response-format-fails-at-dependencies": [refuse(500, "unknown keyword"), inBody(/"dependencies"/)],
  },
  [`scrape.request.${schema}.without-data`]: { "response-format-takes-null-only": refuses(schema, isObject) },
  [`scrape.request.${schema}.reference`]: { "response-format-refuses-definitions": refusesText(schema, /\$defs/) },
  [type("instructions")]: { "instructions-refuses-letters-outside-ascii": refusesText("instructions", /\P{ASCII}/u) },
  [anyValue("selector")]: {
    "selector-refuses-more-than-a-thousand-letters": refuses("selector", isText(/^.{1001}/s)),
  },
  [type("selector")]: { "selector-refuses-every-text": refuses("selector", isText()) },
  // Options that are right alone, and refused together.
  "scrape.request.schema": {
    "only-images-excludes-main-content": [
      blame("body", "*"),
      has("only_images", isTrue),
      has("only_main_content", isTrue),
    ],
    "instructions-need-a-response-format": [blame("body", "*"), has("instructions", isText()), has("selector", isNull)],
  },
});

export const scrapeFieldFaults: readonly Fault[] = [...lenient, ...strict, ...required, ...particular];
