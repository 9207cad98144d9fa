/** Answers to page scrapes that break a sentence. */
import { isObject, listMembers, type ReceivedRequest, type Json } from "../../targets/messages.ts";
import { images, structured } from "../../targets/content.ts";
import {
  atPlaces,
  breaking,
  changedAt,
  kindsBut,
  addWord,
  noJson,
  together,
  where,
  withField,
  type Breaker,
  type Place,
  type Ways,
} from "../breaker.ts";
import { field, inJson, mediaType, status, text } from "../../targets/parts.ts";

/** A field of the answer with every value that is of another type. */
const wrong = (name: string, ...right: readonly string[]): Ways => kindsBut(name, right, (to) => field(name, to));

/** The images, one of which is changed. */
const image = (place: Place, change: (image: Json) => Json): Breaker["breaks"] =>
  field("images", changedAt(images, place, change));

const imageField = (name: string, to: Json): Ways =>
  atPlaces("image", (place) => image(place, (one) => withField(one, name, to)));

const imageKinds = (name: string): Ways =>
  together(
    ...(["first", "middle", "last"] as const).map((place) =>
      kindsBut(`${name}-of-${place}-image`, ["null", "a-string"], (to) =>
        image(place, (one) => withField(one, name, to)),
      ),
    ),
  );

const extraction = (name: string, ...right: readonly string[]): Ways =>
  kindsBut(name, right, (to) => field("structured", { ...structured, [name]: to }));

const categories = ["banner", "DECORATIVE", "content-image", "", " icon", "constructor"];

/** Returns whether data are to be extracted. */
const isAsked = (request: ReceivedRequest): boolean =>
  ["response_format", "instructions"].some((name) => {
    const value = JSON.stringify(listMembers(request).get(name) ?? null);
    return value !== "null" && value !== '""';
  });

const extracted = (fields: Readonly<Record<string, Json>>): Breaker["breaks"] =>
  field("structured", { ...structured, ...fields });

/** Returns whether the status is stated: the response to other media types, large bodies and odd values is left open. */
export function isOrdinary(request: ReceivedRequest): boolean {
  const { selector = null, response_format: format = null } = Object.fromEntries(listMembers(request));
  const isOdd = selector !== null && selector !== "body";
  const isFormed = format === null || (isObject(format) && Object.keys(format).length > 0);
  const isTwice = [...listMembers(request).keys()].some((name) => request.body.split(`"${name}"`).length > 2);
  const isUsual = request.headers["content-type"] === "application/json" && request.body.length < 4_096;
  return (
    isUsual && !isOdd && !isTwice && isFormed && [...request.query.keys()].every((name) => name === "update_metadata")
  );
}

/** Lets a finding name the sentence about an option, where the answer fails for that option. */
const asPart = (breaker: Breaker): Breaker =>
  Object.assign({ also: /^(scrape\.(request|header|update_metadata)\.|version\.sdk-version-header$)/ }, breaker);

export const scrapeBreakers: readonly Breaker[] = [
  ...where(
    isOrdinary,
    breaking("scrape", "scrape.status-200", {
      "scrape-answers-500": status(500),
      "scrape-answers-201": status(201),
      "scrape-answers-202": status(202),
      "scrape-answers-206": status(206),
      "scrape-answers-400": status(400),
    }),
  ).map(asPart),
  ...breaking("scrape", "scrape.content-type", {
    "scrape-is-text": mediaType("text/plain"),
    "scrape-is-html": mediaType("text/html; charset=utf-8"),
    "scrape-is-a-stream": mediaType("text/event-stream"),
    "scrape-has-no-media-type": mediaType(undefined),
    "scrape-is-of-a-vendor-type": mediaType("application/vnd.service+json"),
  }),
  ...breaking("scrape", "scrape.response.body-is-json", addWord("scrape", noJson)),
  ...breaking("scrape", "scrape.response.schema", {
    "scrape-gives-a-list": inJson((body) => [body]),
    "scrape-gives-a-string": inJson(() => "# Harbour ferries"),
    "scrape-gives-null": inJson(() => null),
    "scrape-gives-a-number": inJson(() => 7),
  }),
  ...breaking("scrape", "scrape.response.markdown.required", {
    "markdown-is-missing": field("markdown"),
    "markdown-is-called-content": text((body) => body.replace('"markdown"', '"content"')),
  }),
  ...breaking("scrape", "scrape.response.markdown.type", wrong("markdown", "a-string")),
  ...breaking("scrape", "scrape.response.images.type", wrong("images", "null", "a-list")),
  ...breaking(
    "scrape",
    "scrape.response.images.items",
    together(
      ...(["first", "middle", "last"] as const).map((place) =>
        kindsBut(`${place}-image`, ["an-object"], (to) => image(place, () => to)),
      ),
    ),
  ),
  ...breaking("scrape", "image.url.type", imageKinds("url")),
  ...breaking("scrape", "image.category.type", imageKinds("category")),
  ...breaking(
    "scrape",
    "image.category.values",
    together(...categories.map((word, at) => addWord(`category-${at + 1}-of`, imageField("category", word)))),
  ),
  ...breaking("scrape", "image.description.type", imageKinds("description")),
  ...breaking("scrape", "scrape.response.structured.type", wrong("structured", "null", "an-object")),
  ...breaking("scrape", "structured.success.type", extraction("success", "a-boolean")),
  ...breaking("scrape", "structured.error.type", extraction("error", "null", "a-string")),
  ...where(
    (request) => !isAsked(request),
    breaking("scrape", "scrape.response.structured.as-asked", {
      "data-that-nobody-asked-for": extracted({}),
      "data-of-an-unknown-success": field("structured", { data: ["Harbour ferries"] }),
    }),
  ),
  ...where(
    isAsked,
    breaking("scrape", "structured.error.only-on-failure", {
      "error-beside-success": extracted({ error: "no title on the page" }),
      "error-beside-an-unknown-success": field("structured", { error: "timeout", data: null }),
    }),
  ),
  ...where(
    isAsked,
    breaking("scrape", "structured.error.on-failure", {
      "failure-without-a-message": field("structured", { success: false, data: null }),
      "failure-with-a-blank-message": field("structured", { success: false, error: "\n" }),
    }),
  ),
  ...where(
    isAsked,
    breaking("scrape", "structured.data.only-on-success", {
      "data-beside-a-failure": extracted({ success: false, error: "no title on the page" }),
      "one-value-beside-a-failure": field("structured", { success: false, error: "half", data: 0 }),
    }),
  ),
];
