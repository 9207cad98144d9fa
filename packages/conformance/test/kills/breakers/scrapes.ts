/** Answers to page scrapes that break a sentence. */
import { give, inJson, inTurn, listStatuses, mediaType, set, text, type Change } from "../../targets/changes.ts";
import type { Condition } from "../../targets/conditions.ts";
import { images, structured } from "../../targets/content.ts";
import { breakAnswers, type AnswerFault } from "../../targets/fault.ts";
import { isObject, listMembers, type Json } from "../../targets/messages.ts";
import { addWord, atPlaces, list, noJson, setKinds, together, type Ways } from "../ways.ts";

const fillImages = set("images", [...images]);
const fillStructured = set("structured", structured);

const imageKinds = (name: string): Ways =>
  atPlaces((place) =>
    setKinds(`${name}-of-${place}-image`, `images/${place}/${name}`, ["null", "a-string"], fillImages),
  );

const categories = ["banner", "DECORATIVE", "content-image", "", " icon", "constructor"];

/** Returns whether data are to be extracted. */
const isExtraction: Condition = (request) =>
  ["response_format", "instructions"].some((name) => {
    const value = JSON.stringify(listMembers(request).get(name) ?? null);
    return value !== "null" && value !== '""';
  });

/** Extracts, with other fields. */
const extract = (fields: Readonly<Record<string, Json>>): Change => set("structured", { ...structured, ...fields });

/** Returns whether the status is stated: the response to other media types, large bodies and odd values is left open. */
export const isOrdinary: Condition = (request) => {
  const { selector = null, response_format: format = null } = Object.fromEntries(listMembers(request));
  const isOdd = selector !== null && selector !== "body";
  const isFormed = format === null || (isObject(format) && Object.keys(format).length > 0);
  const isTwice = [...listMembers(request).keys()].some((name) => request.body.split(`"${name}"`).length > 2);
  const isUsual = request.headers["content-type"] === "application/json" && request.body.length < 4_096;
  const isPlain = [...request.query.keys()].every((name) => name === "update_metadata");
  return isUsual && !isOdd && !isTwice && isFormed && isPlain;
};

export const scrapeBreakers: readonly AnswerFault[] = [
  ...breakAnswers(
    "scrape",
    {
      "scrape.status-200": listStatuses("scrape", [500, 201, 202, 206, 400]),
    },
    // A finding may name the sentence about an option, where the answer fails for that option.
    { fits: isOrdinary, also: /^(scrape\.(request|header|update_metadata)\.|version\.sdk-version-header$)/ },
  ),
  ...breakAnswers("scrape", {
    "scrape.content-type": {
      "scrape-is-text": mediaType("text/plain"),
      "scrape-is-html": mediaType("text/html; charset=utf-8"),
      "scrape-is-a-stream": mediaType("text/event-stream"),
      "scrape-has-no-media-type": mediaType(),
      "scrape-is-of-a-vendor-type": mediaType("application/vnd.service+json"),
    },
    "scrape.response.body-is-json": addWord("scrape", noJson),
    "scrape.response.schema": {
      "scrape-gives-a-list": inJson((body) => [body]),
      "scrape-gives-a-string": give("# Harbour ferries"),
      "scrape-gives-null": give(null),
      "scrape-gives-a-number": give(7),
    },
    "scrape.response.markdown.required": {
      "markdown-is-missing": set("markdown"),
      "markdown-is-called-content": text((body) => body.replace('"markdown"', '"content"')),
    },
    "scrape.response.markdown.type": setKinds("markdown", "markdown", ["a-string"]),
    "scrape.response.images.type": setKinds("images", "images", ["null", "a-list"]),
    "scrape.response.images.items": atPlaces((place) =>
      setKinds(`${place}-image`, `images/${place}`, ["an-object"], fillImages),
    ),
    "image.url.type": imageKinds("url"),
    "image.category.type": imageKinds("category"),
    "image.category.values": together(
      ...categories.map((word, at) =>
        list(["first", "middle", "last"], (place) => [
          `category-${at + 1}-of-${place}-image`,
          inTurn(fillImages, set(`images/${place}/category`, word)),
        ]),
      ),
    ),
    "image.description.type": imageKinds("description"),
    "scrape.response.structured.type": setKinds("structured", "structured", ["null", "an-object"]),
    "structured.success.type": setKinds("success", "structured/success", ["a-boolean"], fillStructured),
    "structured.error.type": setKinds("error", "structured/error", ["null", "a-string"], fillStructured),
  }),
  ...breakAnswers(
    "scrape",
    {
      "scrape.response.structured.as-asked": {
        "data-that-nobody-asked-for": extract({}),
        "data-of-an-unknown-success": set("structured", { data: ["Harbour ferries"] }),
      },
    },
    { fits: (request, answer) => !isExtraction(request, answer) },
  ),
  ...breakAnswers(
    "scrape",
    {
      "structured.error.only-on-failure": {
        "error-beside-success": extract({ error: "no title on the page" }),
        "error-beside-an-unknown-success": set("structured", { error: "timeout", data: null }),
      },
      "structured.error.on-failure": {
        "failure-without-a-message": set("structured", { success: false, data: null }),
        "failure-with-a-blank-message": set("structured", { success: false, error: "\n" }),
      },
      "structured.data.only-on-success": {
        "data-beside-a-failure": extract({ success: false, error: "no title on the page" }),
        "one-value-beside-a-failure": set("structured", { success: false, error: "half", data: 0 }),
      },
    },
    { fits: isExtraction },
  ),
];
