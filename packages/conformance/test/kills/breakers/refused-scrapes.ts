/** Page scrapes that are valid, and refused. */
import { listMembers, type ReceivedRequest, type Json } from "../../targets/messages.ts";
import { blame } from "../../targets/faulty-target.ts";
import { fieldReaders } from "../../targets/service.ts";
import { breaking, where, type Breaker } from "../breaker.ts";
import { isOrdinary } from "./scrapes.ts";

/** Valid values of each kind of field, by a word for them. */
const valid: Readonly<Record<string, Readonly<Record<string, (value: Json) => boolean>>>> = {
  text: {
    null: (value) => value === null,
    "an-empty-text": (value) => value === "",
    "a-text": (value) => typeof value === "string" && value !== "",
    "a-text-outside-ascii": (value) => typeof value === "string" && /\P{ASCII}/u.test(value),
  },
  boolean: { true: (value) => value === true, false: (value) => value === false },
  tags: {
    null: (value) => value === null,
    "no-tag": (value) => Array.isArray(value) && value.length === 0,
    "several-tags": (value) => Array.isArray(value) && value.length > 1,
    "a-tag-in-capitals": (value) => Array.isArray(value) && /[A-Z]/.test(JSON.stringify(value)),
  },
  format: {
    null: (value) => value === null,
    "an-object": (value) => typeof value === "object" && value !== null,
  },
};

const kinds: Readonly<Record<string, keyof typeof valid>> = {
  selector: "text",
  instructions: "text",
  ignored_tags: "tags",
  response_format: "format",
};

const dashed = (name: string): string => name.replaceAll("_", "-");
const value = (request: ReceivedRequest, name: string): Json | undefined => listMembers(request).get(name);

/** Refuses one field when something is true of the request. */
const refusing = (
  requirement: string,
  id: string,
  place: readonly string[],
  when: (request: ReceivedRequest) => boolean,
): Breaker[] =>
  where(
    (request) => isOrdinary(request) && when(request),
    breaking("scrape", requirement, { [id]: () => blame(...place) }),
  );

const names = Object.keys(fieldReaders);

/** A value that is refused each time may be one of a bound or a notation, which is another sentence. */
const asValue = (breaker: Breaker): Breaker => Object.assign({ also: /\.any-value$/ }, breaker);

/** The sentence that a refusal breaks, where that is another than the one about the type. */
const sentences: Readonly<Record<string, string>> = {
  "response_format an-object": "scrape.request.response_format.without-data",
  "instructions an-empty-text": "scrape.request.instructions.empty",
};

const typeBreakers = names.flatMap((name) =>
  Object.entries(valid[kinds[name] ?? "boolean"] ?? {}).flatMap(([kind, isSuch]) =>
    refusing(
      sentences[`${name} ${kind}`] ?? `scrape.request.${name}.type`,
      `${dashed(name)}-refuses-${kind}`,
      ["body", name],
      (request) => {
        const content = value(request, name);
        return content !== undefined && isSuch(content);
      },
    ),
  ),
);

const optionalBreakers = names.flatMap((name) =>
  refusing(
    `scrape.request.${name}.optional`,
    `${dashed(name)}-is-required`,
    ["body", name],
    (request) => value(request, name) === undefined,
  ),
);

const headers = ["x-service-request-origin", "x-service-sdk-version"];

const headerBreakers = headers.flatMap((name) =>
  [true, false].flatMap((isThere) =>
    refusing(
      `scrape.header.${name}.${isThere ? "type" : "optional"}`,
      isThere ? `takes-no-${name}` : `${name}-is-required`,
      ["header", name],
      // Whether the word null stands for nothing is left open.
      ({ headers: { [name]: content } }) =>
        isThere ? !["", "null"].includes(String(content ?? "")) : content === undefined,
    ),
  ),
);

const metadata = "update_metadata";

/** The table. */
export const refusedBreakers: readonly Breaker[] = [
  ...typeBreakers.map(asValue),
  ...optionalBreakers,
  ...headerBreakers.map(asValue),
  ...["true", "false"].flatMap((word) =>
    refusing(
      "scrape.update_metadata.type",
      `update-metadata-refuses-${word}`,
      ["query", metadata],
      ({ query }) => query.get(metadata) === word,
    ),
  ),
  ...refusing(
    "scrape.update_metadata.optional",
    "update-metadata-is-required",
    ["query", metadata],
    ({ query }) => !query.has(metadata),
  ),
];
