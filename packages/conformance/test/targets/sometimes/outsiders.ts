/** Servers written from the interface alone, without a look at the checks: each breaks one sentence in one circumstance. */
import { blame, instead, inTurn, set, text, type Change } from "../changes.ts";
import { later } from "../circumstances.ts";
import { has, inBody, inHeader, inQuery, isFalse, isList, isText, isTrue, type Condition } from "../conditions.ts";
import { breakAnswers, breakService, type Fault, type Way } from "../fault.ts";
import { isObject, json, type Json } from "../messages.ts";
import { fieldReaders } from "../service.ts";

const isOfType = (type: string) => (value: Json) => isObject(value) && value["type"] === type;
/** True when the tags to ignore are such. */
const hasTags = (isSuch: (tags: readonly Json[]) => boolean): Condition =>
  has("ignored_tags", (value) => isList(value) && isSuch(value));

/** Names that a service might take because another service has them, or because they resemble a field. */
const names =
  "url format timeout images structured schema onlyImages responseFormat ignored_tag instruction link_placeholders css_selector x-service-request-origin viewer_url".split(
    " ",
  );

/** A service that takes one name, and tells of every other one in one answer. */
const listTakers = (name: string): Fault[] => {
  const id = `takes-the-name-${name.toLowerCase()}${/[A-Z]/.test(name) ? "-in-camel-case" : ""}`;
  const knows = (one: string): boolean => one === name || Object.hasOwn(fieldReaders, one);
  return breakService(
    { "scrape.unknown-property-rejected": { [id]: { knows } } },
    { when: `for the property \`${name}\`` },
  );
};

const fail = instead(json(500, {}));
const refuse = (field: string, when: Condition): Way => [blame("body", field), when];
/** Sixty cookies, the last of which is wrong. */
const addToJar = (field: string, value: Json): Change =>
  inTurn(
    set(
      "cookies",
      Array.from({ length: 60 }, (_, at) => ({ name: at === 59 ? "z" : String(at) })),
    ),
    set(`cookies/last/${field}`, value),
  );

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

const onScrapes = breakAnswers("scrape", {
  "answers.no-server-error": {
    "fails-on-a-selector-of-another-engine": [fail, has("selector", isText(/^(xpath|text)=/))],
    "fails-on-a-malformed-selector": [fail, has("selector", isText(/\]\[/))],
    "fails-on-a-format-of-false": [fail, has("response_format", isFalse)],
    "fails-on-a-format-in-a-list": [fail, has("response_format", isList)],
    "fails-on-a-format-in-words": [fail, has("response_format", isText(/./))],
    "fails-on-long-instructions": [fail, has("instructions", isText(/x{9000}/))],
    "fails-on-an-unknown-query": [fail, inQuery("conformance_unknown")],
    "fails-on-an-empty-header": [fail, inHeader("x-service-request-origin", /^$/)],
    "fails-on-a-member-that-comes-twice": [fail, inBody(/"scrape_links":\{\},"scrape_links"/)],
  },
  "scrape.response.body-is-json": {
    "json-has-no-number": [text((body) => `${body.slice(0, -1)},"score":NaN}`), inBody(/.{2000}/s)],
    "json-has-single-quotes": [text((body) => body.replaceAll('"', "'")), hasTags((list) => list.length === 0)],
    "json-has-a-comma-too-many": [text((body) => `${body.slice(0, -1)},}`), has("scrape_links", isFalse)],
    "json-calls-a-function": [text((body) => `callback(${body})`), ({ query }) => query.size > 0],
    "json-begins-with-a-guard": [text((body) => `)]}'\n${body}`), ({ onConnection }) => onConnection > 1],
    "json-is-a-stream-of-lines": [text((body) => `${body}\n${body}`), has("instructions", isText(/[\u0590-\u06ff]/))],
  },
  "scrape.response.markdown.type": {
    "outsider-markdown-null-for-only-images": [set("markdown", null), has("only_images", isTrue)],
  },
  "scrape.response.structured.type": {
    "outsider-structured-list-for-a-list": [set("structured", [1]), has("response_format", isOfType("array"))],
    "outsider-structured-text-for-a-text": [set("structured", "x"), has("response_format", isOfType("string"))],
  },
  "structured.error.type outsider-error-object-for-choices": [
    set("structured", { success: false, error: { code: 1 } }),
    inBody(/oneOf|anyOf/),
  ],
  "structured.success.type outsider-success-null-on-failure": [
    set("structured", { success: null, error: "e" }),
    has("response_format", isObject),
  ],
  "image.url.type outsider-url-number-in-the-last-image": [set("images/+", { url: 7 }), has("only_images", isTrue)],
  "image.category.values": {
    "outsider-category-in-capitals": [set("images", [{ category: "Icon" }]), has("use_link_placeholders", isTrue)],
    "outsider-category-empty": [set("images", [{ category: "" }]), has("scrape_images", isTrue)],
  },
  "image.description.type": {
    "outsider-description-list": [set("images", [{ description: ["x"] }]), inQuery("update_metadata", "false")],
  },
  "scrape.response.images.type outsider-images-by-id": [set("images", { a: {} }), has("ignored_tags", isList)],
  "scrape.response.images.items": {
    "outsider-images-are-addresses": [set("images", ["https://x.example/1.png"]), has("only_images", isTrue)],
  },
  "scrape.request.ignored_tags.any-value": {
    "refuses-tags-with-dashes": refuse(
      "ignored_tags",
      hasTags((list) => list.some(isText(/-/))),
    ),
    "refuses-tags-in-capitals": refuse(
      "ignored_tags",
      hasTags((list) => list.some(isText(/[A-Z]/))),
    ),
    "refuses-tags-that-come-twice": refuse(
      "ignored_tags",
      hasTags((list) => new Set(list).size < list.length),
    ),
    "refuses-a-hundred-tags": refuse(
      "ignored_tags",
      hasTags((list) => list.length > 100),
    ),
  },
  "scrape.request.selector.any-value": {
    "refuses-selectors-beyond-the-first-plane": refuse("selector", has("selector", isText(/[\u{10000}-\u{10FFFF}]/u))),
  },
});

/** The table. */
export const outsiders: readonly Fault[] = [
  ...names.flatMap(listTakers),
  ...onScrapes,
  ...breakAnswers("cookies", {
    "cookies.cookie.partitionKey.type": {
      "outsider-cookie-partition-key-object": addToJar("partitionKey", { topLevelSite: "https://x.example" }),
    },
    "cookies.cookie.value.type outsider-cookie-value-number": addToJar("value", 42),
    "cookies.cookie.sameSite.type outsider-cookie-same-site-false": addToJar("sameSite", false),
    "cookies.cookie.hostOnly.type outsider-cookie-host-only-1": addToJar("hostOnly", 1),
    "cookies.cookie.expires.type": {
      "outsider-cookie-expires-in-words": addToJar("expires", "Wed, 21 Oct 2036 07:28:00 GMT"),
    },
  }),
  ...breakAnswers("replay", {
    "replay.mp4_url.address": {
      "mp4-address-with-a-space": set("mp4_url", "https://cdn.example/a b.mp4"),
      "mp4-address-without-a-host": set("mp4_url", "https://:443/a.mp4"),
      "mp4-address-with-a-line-behind": set("mp4_url", "https://cdn.example/a.mp4\n"),
      "mp4-address-without-a-scheme": set("mp4_url", "//cdn.example/a.mp4"),
      "mp4-address-of-a-store": set("mp4_url", "s3://bucket/a.mp4"),
      "mp4-address-with-its-data": set("mp4_url", "data:video/mp4;base64,AAAA"),
    },
    "replay.expires_at.iso-8601-with-offset": Object.fromEntries(
      expiries.map((expires, at) => [`outsider-expiry-${at + 1}`, [set("expires_at", expires), later]] as const),
    ),
  }),
];
