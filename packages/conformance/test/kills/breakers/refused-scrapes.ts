/** Page scrapes that are valid, and refused. */
import { blame } from "../../targets/changes.ts";
import {
  has,
  inHeader,
  inQuery,
  isFalse,
  isList,
  isNull,
  isText,
  isTrue,
  lacks,
  type Condition,
} from "../../targets/conditions.ts";
import { breakAnswers, dash, type AnswerFault } from "../../targets/fault.ts";
import { isObject, type Json } from "../../targets/messages.ts";
import { booleans, fieldReaders, texts } from "../../targets/service.ts";
import { isOrdinary } from "./scrapes.ts";

type Kinds = Readonly<Record<string, (value: Json) => boolean>>;

/** Valid values of each kind of field, by a word for them. */
const text: Kinds = {
  null: isNull,
  "an-empty-text": isText(/^$/),
  "a-text": isText(/[^]/),
  "a-text-outside-ascii": isText(/\P{ASCII}/u),
};
const boolean: Kinds = { true: isTrue, false: isFalse };
const valid: Readonly<Record<string, Kinds>> = {
  ...Object.fromEntries(texts.map((name) => [name, text])),
  ...Object.fromEntries(booleans.map((name) => [name, boolean])),
  ignored_tags: {
    null: isNull,
    "no-tag": (value) => isList(value) && value.length === 0,
    "several-tags": (value) => isList(value) && value.length > 1,
    "a-tag-in-capitals": (value) => isList(value) && /[A-Z]/.test(JSON.stringify(value)),
  },
  response_format: { null: isNull, "an-object": (value) => isObject(value) || isList(value) },
};

/** Refuses one field when something is true of the request. */
const refuse = (
  requirement: string,
  id: string,
  place: readonly string[],
  when: Condition,
  more: Partial<AnswerFault> = {},
): AnswerFault[] =>
  breakAnswers("scrape", { [requirement]: { [id]: [blame(...place), when] } }, { fits: isOrdinary, ...more });

/** A value that is refused each time may be one of a bound or a notation, which is another sentence. */
const asValue: Partial<AnswerFault> = { also: /\.any-value$/ };

/** The sentence that a refusal breaks, where that is another than the one about the type. */
const sentences: Readonly<Record<string, string>> = {
  "response_format an-object": "scrape.request.response_format.without-data",
  "instructions an-empty-text": "scrape.request.instructions.empty",
};

const names = Object.keys(fieldReaders);
const headers = ["x-service-request-origin", "x-service-sdk-version"];
const metadata = "update_metadata";
const atMetadata = ["query", metadata];

/** The table. */
export const refusalBreakers: readonly AnswerFault[] = [
  ...names.flatMap((name) =>
    Object.entries(valid[name] ?? {}).flatMap(([kind, isSuch]) => {
      const requirement = sentences[`${name} ${kind}`] ?? `scrape.request.${name}.type`;
      return refuse(requirement, `${dash(name)}-refuses-${kind}`, ["body", name], has(name, isSuch), asValue);
    }),
  ),
  ...names.flatMap((name) =>
    refuse(`scrape.request.${name}.optional`, `${dash(name)}-is-required`, ["body", name], lacks(name)),
  ),
  ...headers.flatMap((name) =>
    [
      // Whether the word null stands for nothing is left open.
      refuse(
        `scrape.header.${name}.type`,
        `takes-no-${name}`,
        ["header", name],
        inHeader(name, /^(?!null$)./),
        asValue,
      ),
      refuse(
        `scrape.header.${name}.optional`,
        `${name}-is-required`,
        ["header", name],
        (request) => request.headers[name] === undefined,
        asValue,
      ),
    ].flat(),
  ),
  ...["true", "false"].flatMap((word) =>
    refuse(`scrape.${metadata}.type`, `update-metadata-refuses-${word}`, atMetadata, inQuery(metadata, word)),
  ),
  ...refuse(
    `scrape.${metadata}.optional`,
    "update-metadata-is-required",
    atMetadata,
    ({ query }) => !query.has(metadata),
  ),
];
