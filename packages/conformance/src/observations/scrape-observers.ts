import { isAnswerTo, jsonAnswer, type Exchange } from "../http/exchange.ts";
import { describeStatus } from "./http-observers.ts";
import { isObject } from "../http/json.ts";
import { listExtraFields, listObjects, nameType } from "./json-fields.ts";
import { observeEach, observePair, observeProbes, type Observer } from "../checks/observer.ts";

/** Kinds of objects in answers: their names, and their places. */
const kindsOfObjects = [
  { word: "scrape", operation: "page_scrape", status: 200, schema: "DataSpace", path: [] },
  { word: "image", operation: "page_scrape", status: 200, schema: "DataSpace", path: ["images", "*"] },
  { word: "structured", operation: "page_scrape", status: 200, schema: "DataSpace", path: ["structured"] },
  { word: "cookies", operation: "session_cookies", status: 200, schema: "CookiesResponse", path: [] },
  { word: "cookie", operation: "session_cookies", status: 200, schema: "CookiesResponse", path: ["cookies", "*"] },
  { word: "replay", operation: "session_replay", status: 200, schema: "ReplayResponse", path: [] },
  { word: "422", operation: "page_scrape", status: 422, schema: "HTTPValidationError", path: [] },
  { word: "problem", operation: "page_scrape", status: 422, schema: "HTTPValidationError", path: ["detail", "*"] },
] as const;

function describeExtraFields(exchange: Exchange): string[] {
  return kindsOfObjects.flatMap(({ word, operation, status, schema, path }) => {
    if (!isAnswerTo(operation, exchange)) return [];
    const names = listObjects(exchange, status, path).flatMap((value) => listExtraFields(value, schema, path));
    return [...new Set(names)].map((name) => `${word}: ${name}`);
  });
}

/** Describes the fields of images, and whether `url` identifies them. */
function describeImages(exchange: Exchange): string[] {
  if (!isAnswerTo("page_scrape", exchange)) return [];
  const images = listObjects(exchange, 200, ["images", "*"]);
  if (images.length === 0) return [];
  const fields = [...new Set(images.flatMap((image) => Object.keys(image)))].sort();
  const urls = images.map((image) => image["url"]).filter((url) => typeof url === "string");
  const unique = new Set(urls).size === urls.length ? "each url only once" : "a url more than once";
  return [`fields: ${fields.join(", ")}`, unique];
}

/** Describes a field of a scrape that did not ask for it: `null`, `absent`, or its type. */
function describeUnasked(field: string): (exchange: Exchange) => string[] {
  return (exchange) => {
    const body = jsonAnswer(exchange, 200);
    if (!("value" in body) || !isObject(body.value)) return [];
    return [Object.hasOwn(body.value, field) ? nameType(body.value[field]) : "absent"];
  };
}

/** Scrapes that fail validation for one reason each, with that reason. */
const knownFaults: ReadonlyMap<string, string> = new Map([
  ["scrape/unknown-stranger", "unknown property"],
  ["scrape/wrong-selector-object", "selector is an object"],
  ["scrape/wrong-scrape_links-object", "scrape_links is an object"],
  ["scrape/body-array", "body is an array"],
  ["scrape/without-body", "no body"],
]);

/** Two faults in one body. */
const twoFaults = ["scrape/two-faults"];

function listReportedProblems(exchange: Exchange): Readonly<Record<string, unknown>>[] {
  return listObjects(exchange, 422, ["detail", "*"]);
}

function observeFaults(id: string, field: string): Observer {
  return observeEach(id, (exchange) => {
    const what = knownFaults.get(exchange.id);
    if (what === undefined) return [];
    return listReportedProblems(exchange).map((problem) => `${what}: ${JSON.stringify(problem[field]) ?? "absent"}`);
  });
}

/** Returns status, media type and names of fields, in one text. */
function describeOutline(exchange: Exchange): string {
  const [body = {}] = listObjects(exchange, 200, []);
  return [...describeStatus(exchange), ...Object.keys(body).sort()].join(" ");
}

/** Returns whether status and fields of an answer change with a header. */
function describeDifference(one: Exchange, other: Exchange): string[] {
  if (!one.response || !other.response) return [];
  return [
    `with the header, status ${describeOutline(one) === describeOutline(other) ? "and fields stay the same" : "or fields change"}`,
  ];
}

/** Observers of what the interface leaves open about the page scrape and its errors. */
export const scrapeObservers: readonly Observer[] = [
  observeEach("open.response.extra-fields", describeExtraFields),
  observeEach("open.image.identifier", describeImages),
  observeProbes("open.scrape.malformed-json", ["scrape/with-broken-json"], describeStatus),
  observeProbes("open.scrape.images-null-or-absent", ["scrape/defaults"], describeUnasked("images")),
  observeProbes("open.scrape.structured-null-or-absent", ["scrape/defaults"], describeUnasked("structured")),
  observeFaults("open.validation-error.type-values", "type"),
  observeFaults("open.validation-error.loc-root", "loc"),
  observeProbes("open.validation-error.order", twoFaults, (exchange) => {
    const places = listReportedProblems(exchange).map(({ loc }) => JSON.stringify(loc) ?? "absent");
    return places.length > 1 ? [places.join(", then ")] : [];
  }),
  observeProbes("open.validation-error.number", twoFaults, (exchange) =>
    exchange.response?.status === 422 ? [`${listReportedProblems(exchange).length} problems for two faults`] : [],
  ),
  observePair(
    "open.scrape.request-origin-meaning",
    ["scrape/defaults", "scrape/with-request-origin"],
    describeDifference,
  ),
  observePair("open.scrape.sdk-version-meaning", ["scrape/defaults", "scrape/with-sdk-version"], describeDifference),
];
