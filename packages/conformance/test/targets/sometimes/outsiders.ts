/** Servers written from the interface alone, without a look at the checks: each breaks one sentence in one circumstance. */
import { isObject, json, listMembers, type Asked, type Json } from "../asked.ts";
import { images } from "../content.ts";
import { fieldReaders } from "../service.ts";
import { answers, revise, listTargets, type SometimesRow, type SometimesTarget } from "./circumstances.ts";
import { inJson, of, other, text, type Change, type Condition } from "../parts.ts";

const good = of("scrape", 200);

/** True when a page scrape has a field whose value is such. */
const has =
  (name: string, isSuch: (value: Json) => boolean = () => true): Condition =>
  (asked) => {
    const value = listMembers(asked).get(name);
    return value !== undefined && isSuch(value);
  };

const isText = (pattern: RegExp) => (value: Json) => typeof value === "string" && pattern.test(value);
const isTrue = (value: Json): boolean => value === true;
/** True when the tags to ignore are such. */
const hasTags = (isSuch: (tags: readonly Json[]) => boolean): Condition =>
  has("ignored_tags", (value) => Array.isArray(value) && isSuch(value));
const inBody =
  (pattern: RegExp): Condition =>
  ({ body }) =>
    pattern.test(body);

const members = (more: Readonly<Record<string, Json>>): Change => inJson((value) => other(value, more));
const fails = answers(json(500, {}));

/** Names that a service might take because another service has them, or because they resemble a field. */
const names = [
  "url",
  "format",
  "timeout",
  "images",
  "structured",
  "schema",
  "onlyImages",
  "responseFormat",
  "ignored_tag",
  "instruction",
  "link_placeholders",
  "css_selector",
  "x-service-request-origin",
  "viewer_url",
];

/** A service that takes one name, and tells of every other one in one answer. */
const taken: readonly SometimesRow[] = names.map((name) => [
  `takes-the-name-${name.toLowerCase()}${/[A-Z]/.test(name) ? "-in-camel-case" : ""}`,
  `for the property \`${name}\``,
  "scrape.unknown-property-rejected",
  () => ({ knows: (given) => given === name || Object.hasOwn(fieldReaders, given) }),
]);

const broken: readonly SometimesRow[] = (
  [
    ["a-selector-of-another-engine", has("selector", isText(/^(xpath|text)=/))],
    ["a-malformed-selector", has("selector", isText(/\]\[/))],
    ["a-format-of-false", has("response_format", (value) => value === false)],
    ["a-format-in-a-list", has("response_format", Array.isArray)],
    ["a-format-in-words", has("response_format", isText(/./))],
    ["long-instructions", has("instructions", isText(/x{9000}/))],
    ["an-unknown-query", (asked) => asked.query.has("conformance_unknown")],
    ["an-empty-header", ({ headers }) => headers["x-service-request-origin"] === ""],
    ["a-member-that-comes-twice", inBody(/"scrape_links":\{\},"scrape_links"/)],
  ] as const satisfies readonly (readonly [string, Condition])[]
).map(([word, when]) => [
  `fails-on-${word}`,
  `for ${word.replaceAll("-", " ")}`,
  "answers.no-server-error",
  revise(fails, good, when),
]);

const addresses: readonly SometimesRow[] = (
  [
    ["with-a-space", "https://cdn.example/a b.mp4"],
    ["without-a-host", "https://:443/a.mp4"],
    ["with-a-line-behind", "https://cdn.example/a.mp4\n"],
    ["without-a-scheme", "//cdn.example/a.mp4"],
    ["of-a-store", "s3://bucket/a.mp4"],
    ["with-its-data", "data:video/mp4;base64,AAAA"],
  ] as const
).map(([word, url]) => [
  `mp4-address-${word}`,
  "in every read of a recording",
  "replay.mp4_url.address",
  revise(members({ mp4_url: url }), of("replay", 200)),
]);

const jsonMeaning = "scrape.response.body-is-json";

const written: readonly SometimesRow[] = (
  [
    ["has-no-number", (body: string) => `${body.slice(0, -1)},"score":NaN}`, inBody(/.{2000}/s)],
    ["has-single-quotes", (body: string) => body.replaceAll('"', "'"), hasTags((list) => list.length === 0)],
    [
      "has-a-comma-too-many",
      (body: string) => `${body.slice(0, -1)},}`,
      has("scrape_links", (value) => value === false),
    ],
    ["calls-a-function", (body: string) => `callback(${body})`, (asked: Asked) => asked.query.size > 0],
    ["begins-with-a-guard", (body: string) => `)]}'\n${body}`, (asked: Asked) => asked.onConnection > 1],
    ["is-a-stream-of-lines", (body: string) => `${body}\n${body}`, has("instructions", isText(/[\u0590-\u06ff]/))],
  ] as const satisfies readonly (readonly [string, (body: string) => string, Condition])[]
).map(([word, change, when]) => [
  `json-${word}`,
  "for one kind of request",
  jsonMeaning,
  revise(text(change), good, when),
]);

const answered: readonly SometimesRow[] = (
  [
    ["markdown-null-for-only-images", "scrape.response.markdown.type", { markdown: null }, has("only_images", isTrue)],
    [
      "structured-list-for-a-list",
      "scrape.response.structured.type",
      { structured: [1] },
      has("response_format", (value) => isObject(value) && value["type"] === "array"),
    ],
    [
      "structured-text-for-a-text",
      "scrape.response.structured.type",
      { structured: "x" },
      has("response_format", (value) => isObject(value) && value["type"] === "string"),
    ],
    [
      "error-object-for-choices",
      "structured.error.type",
      { structured: { success: false, error: { code: 1 } } },
      inBody(/oneOf|anyOf/),
    ],
    [
      "success-null-on-failure",
      "structured.success.type",
      { structured: { success: null, error: "e" } },
      has("response_format", isObject),
    ],
    ["url-number-in-the-last-image", "image.url.type", { images: [...images, { url: 7 }] }, has("only_images", isTrue)],
    [
      "category-in-capitals",
      "image.category.values",
      { images: [{ category: "Icon" }] },
      has("use_link_placeholders", isTrue),
    ],
    ["category-empty", "image.category.values", { images: [{ category: "" }] }, has("scrape_images", isTrue)],
    [
      "description-list",
      "image.description.type",
      { images: [{ description: ["x"] }] },
      (asked: Asked) => asked.query.get("update_metadata") === "false",
    ],
    ["images-by-id", "scrape.response.images.type", { images: { a: {} } }, has("ignored_tags", Array.isArray)],
    [
      "images-are-addresses",
      "scrape.response.images.items",
      { images: ["https://x.example/1.png"] },
      has("only_images", isTrue),
    ],
  ] as const satisfies readonly (readonly [string, string, Readonly<Record<string, Json>>, Condition])[]
).map(([word, requirement, more, when]) => [
  `outsider-${word}`,
  "for one kind of request",
  requirement,
  revise(members(more), good, when),
]);

const cookies: readonly SometimesRow[] = (
  [
    ["partition-key-object", "partitionKey", { topLevelSite: "https://x.example" }],
    ["value-number", "value", 42],
    ["same-site-false", "sameSite", false],
    ["host-only-1", "hostOnly", 1],
    ["expires-in-words", "expires", "Wed, 21 Oct 2036 07:28:00 GMT"],
  ] as const satisfies readonly (readonly [string, string, Json])[]
).map(([word, field, value]) => [
  `outsider-cookie-${word}`,
  "in the sixtieth cookie",
  `cookies.cookie.${field}.type`,
  revise(
    members({
      cookies: [...Array.from({ length: 59 }, (_, at) => ({ name: String(at) })), { name: "z", [field]: value }],
    }),
    of("cookies", 200),
  ),
]);

const expiries: readonly SometimesRow[] = [
  "2036-02-30T09:30:00Z",
  "2036-02-20T25:30:00Z",
  "2036-02-20T05:30:00+25:00",
  "2036-02-20T05:30:00 UTC",
  "2090000000",
  "Thu, 20 Nov 2036 09:30:05 GMT",
  "2036-02-20T05:30:00+00:00Z",
  "2036-02-20T05:60:00Z",
  "2036-02-20T05:30:00[Europe/Berlin]",
  "2036-02-20T05:30:00Z\n",
].map((expires, at) => [
  `outsider-expiry-${at + 1}`,
  "on a connection that was used before",
  "replay.expires_at.iso-8601-with-offset",
  revise(members({ expires_at: expires }), of("replay", 200), ({ onConnection }) => onConnection > 1),
]);

const refused: readonly SometimesRow[] = (
  [
    ["tags-with-dashes", "ignored_tags", hasTags((list) => list.some(isText(/-/)))],
    ["tags-in-capitals", "ignored_tags", hasTags((list) => list.some(isText(/[A-Z]/)))],
    ["tags-that-come-twice", "ignored_tags", hasTags((list) => new Set(list).size < list.length)],
    ["a-hundred-tags", "ignored_tags", hasTags((list) => list.length > 100)],
    ["selectors-beyond-the-first-plane", "selector", has("selector", isText(/[\u{10000}-\u{10FFFF}]/u))],
  ] as const satisfies readonly (readonly [string, string, Condition])[]
).map(([word, field, when]) => [
  `refuses-${word}`,
  "for one kind of value",
  `scrape.request.${field}.any-value`,
  revise(answers(json(422, { detail: [{ loc: ["body", field], msg: "no", type: "value_error" }] })), good, when),
]);

/** The table. */
export const outsiders: readonly SometimesTarget[] = listTargets([
  ...taken,
  ...broken,
  ...addresses,
  ...written,
  ...answered,
  ...cookies,
  ...expiries,
  ...refused,
]);
