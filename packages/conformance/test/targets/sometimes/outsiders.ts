/** Servers written from the interface alone, without a look at the checks: each breaks one sentence in one circumstance. */
import { isObject, listMembers, type ReceivedRequest, type Json } from "../messages.ts";
import { images } from "../content.ts";
import { blame } from "../faulty-target.ts";
import { inJson, of, other, text, type Change, type Condition } from "../parts.ts";
import { fieldReaders } from "../service.ts";
import { answers, later, listTargets, listRevised, type RevisedRow, type SometimesTarget } from "./circumstances.ts";

/** True when a page scrape has a field whose value is such. */
const has =
  (name: string, isSuch: (value: Json) => boolean = () => true): Condition =>
  (request) => {
    const value = listMembers(request).get(name);
    return value !== undefined && isSuch(value);
  };

const isText = (pattern: RegExp) => (value: Json) => typeof value === "string" && pattern.test(value);
const isTrue = (value: Json): boolean => value === true;
const isOfType = (type: string) => (value: Json) => isObject(value) && value["type"] === type;
/** True when the tags to ignore are such. */
const hasTags = (isSuch: (tags: readonly Json[]) => boolean): Condition =>
  has("ignored_tags", (value) => Array.isArray(value) && isSuch(value));
const inBody =
  (pattern: RegExp): Condition =>
  ({ body }) =>
    pattern.test(body);

const members = (more: Readonly<Record<string, Json>>): Change => inJson((value) => other(value, more));

/** Names that a service might take because another service has them, or because they resemble a field. */
const names =
  "url format timeout images structured schema onlyImages responseFormat ignored_tag instruction link_placeholders css_selector x-service-request-origin viewer_url".split(
    " ",
  );

/** A service that takes one name, and tells of every other one in one answer. */
const taking: readonly SometimesTarget[] = listTargets(
  names.map((name) => [
    `takes-the-name-${name.toLowerCase()}${/[A-Z]/.test(name) ? "-in-camel-case" : ""}`,
    `for the property \`${name}\``,
    "scrape.unknown-property-rejected",
    () => ({ knows: (one) => one === name || Object.hasOwn(fieldReaders, one) }),
  ]),
);

const failing: Readonly<Record<string, Condition>> = {
  "a-selector-of-another-engine": has("selector", isText(/^(xpath|text)=/)),
  "a-malformed-selector": has("selector", isText(/\]\[/)),
  "a-format-of-false": has("response_format", (value) => value === false),
  "a-format-in-a-list": has("response_format", Array.isArray),
  "a-format-in-words": has("response_format", isText(/./)),
  "long-instructions": has("instructions", isText(/x{9000}/)),
  "an-unknown-query": (request) => request.query.has("conformance_unknown"),
  "an-empty-header": ({ headers }) => headers["x-service-request-origin"] === "",
  "a-member-that-comes-twice": inBody(/"scrape_links":\{\},"scrape_links"/),
};

const addresses: Readonly<Record<string, string>> = {
  "with-a-space": "https://cdn.example/a b.mp4",
  "without-a-host": "https://:443/a.mp4",
  "with-a-line-behind": "https://cdn.example/a.mp4\n",
  "without-a-scheme": "//cdn.example/a.mp4",
  "of-a-store": "s3://bucket/a.mp4",
  "with-its-data": "data:video/mp4;base64,AAAA",
};

const notations: Readonly<Record<string, readonly [change: (body: string) => string, when: Condition]>> = {
  "has-no-number": [(body) => `${body.slice(0, -1)},"score":NaN}`, inBody(/.{2000}/s)],
  "has-single-quotes": [(body) => body.replaceAll('"', "'"), hasTags((list) => list.length === 0)],
  "has-a-comma-too-many": [(body) => `${body.slice(0, -1)},}`, has("scrape_links", (value) => value === false)],
  "calls-a-function": [(body) => `callback(${body})`, ({ query }) => query.size > 0],
  "begins-with-a-guard": [(body) => `)]}'\n${body}`, ({ onConnection }) => onConnection > 1],
  "is-a-stream-of-lines": [(body) => `${body}\n${body}`, has("instructions", isText(/[\u0590-\u06ff]/))],
};

const isOfFalse = ({ query }: ReceivedRequest): boolean => query.get("update_metadata") === "false";
const answered: readonly (readonly [string, string, Readonly<Record<string, Json>>, Condition])[] = [
  ["markdown-null-for-only-images", "scrape.response.markdown.type", { markdown: null }, has("only_images", isTrue)],
  [
    "structured-list-for-a-list",
    "scrape.response.structured.type",
    { structured: [1] },
    has("response_format", isOfType("array")),
  ],
  [
    "structured-text-for-a-text",
    "scrape.response.structured.type",
    { structured: "x" },
    has("response_format", isOfType("string")),
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
  ["description-list", "image.description.type", { images: [{ description: ["x"] }] }, isOfFalse],
  ["images-by-id", "scrape.response.images.type", { images: { a: {} } }, has("ignored_tags", Array.isArray)],
  [
    "images-are-addresses",
    "scrape.response.images.items",
    { images: ["https://x.example/1.png"] },
    has("only_images", isTrue),
  ],
];

const refusing: readonly (readonly [string, string, Condition])[] = [
  ["tags-with-dashes", "ignored_tags", hasTags((list) => list.some(isText(/-/)))],
  ["tags-in-capitals", "ignored_tags", hasTags((list) => list.some(isText(/[A-Z]/)))],
  ["tags-that-come-twice", "ignored_tags", hasTags((list) => new Set(list).size < list.length)],
  ["a-hundred-tags", "ignored_tags", hasTags((list) => list.length > 100)],
  ["selectors-beyond-the-first-plane", "selector", has("selector", isText(/[\u{10000}-\u{10FFFF}]/u))],
];

const cookies: readonly (readonly [string, string, Json])[] = [
  ["partition-key-object", "partitionKey", { topLevelSite: "https://x.example" }],
  ["value-number", "value", 42],
  ["same-site-false", "sameSite", false],
  ["host-only-1", "hostOnly", 1],
  ["expires-in-words", "expires", "Wed, 21 Oct 2036 07:28:00 GMT"],
];
/** Sixty cookies, the last of which is wrong. */
const jar = (fields: Readonly<Record<string, Json>>): Change =>
  members({ cookies: [...Array.from({ length: 59 }, (_, at) => ({ name: String(at) })), { name: "z", ...fields }] });

const expiries = [
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
];

const rows = <One>(list: readonly One[], make: (one: One, at: number) => RevisedRow): RevisedRow[] => list.map(make);

/** The table. */
export const outsiders: readonly SometimesTarget[] = [
  ...taking,
  ...listRevised(of("scrape", 200), [
    ...rows(Object.entries(failing), ([word, when]) => [
      `fails-on-${word}`,
      "answers.no-server-error",
      answers(500),
      when,
    ]),
    ...rows(Object.entries(notations), ([word, [change, when]]) => [
      `json-${word}`,
      "scrape.response.body-is-json",
      text(change),
      when,
    ]),
    ...rows(answered, ([word, requirement, more, when]) => [`outsider-${word}`, requirement, members(more), when]),
    ...rows(refusing, ([word, field, when]) => [
      `refuses-${word}`,
      `scrape.request.${field}.any-value`,
      () => blame("body", field),
      when,
    ]),
  ]),
  ...listRevised(
    of("cookies", 200),
    rows(cookies, ([word, field, value]) => [
      `outsider-cookie-${word}`,
      `cookies.cookie.${field}.type`,
      jar({ [field]: value }),
    ]),
  ),
  ...listRevised(of("replay", 200), [
    ...rows(Object.entries(addresses), ([word, url]) => [
      `mp4-address-${word}`,
      "replay.mp4_url.address",
      members({ mp4_url: url }),
    ]),
    ...rows(expiries, (expires, at) => [
      `outsider-expiry-${at + 1}`,
      "replay.expires_at.iso-8601-with-offset",
      members({ expires_at: expires }),
      later,
    ]),
  ]),
];
