import { json } from "../server.ts";
import {
  scraped,
  started,
  isScrape,
  isCookies,
  isReplay,
  isAutomation,
  gives,
  everyTime,
  answered,
  withHeader,
  members,
  hasUnknown,
  hasWrongSelector,
  named,
  without,
  blamed,
  knownNames,
  unknownProperty,
  wrongSelector,
  later,
  type SometimesFault,
} from "./sometimes.ts";

/** Servers that take what they must not, or fail at what they must take, and show it only sometimes. */
export const sometimesRequestFaults: readonly SometimesFault[] = [
  {
    name: "takes an unknown property in every third scrape",
    requirement: unknownProperty,
    alter: everyTime(3, (answer) => (answer.status === 422 ? scraped() : answer), isScrape, hasUnknown),
  },
  {
    name: "takes a wrong selector every third time",
    requirement: wrongSelector,
    alter: everyTime(3, scraped, isScrape, hasWrongSelector),
  },
  {
    name: "forgets `markdown` in every third scrape",
    requirement: "scrape.response.markdown.required",
    alter: everyTime(3, without("markdown"), isScrape, answered(200)),
  },
  {
    name: "fails at every third plain scrape",
    requirement: "scrape.status-200",
    alter: everyTime(
      3,
      () => json(500, {}),
      isScrape,
      ({ body }) => body === "{}",
      answered(200),
    ),
  },
  {
    name: "fails at every third cookies read",
    requirement: "cookies.status-200",
    alter: everyTime(3, () => json(500, {}), isCookies, answered(200)),
  },
  {
    name: "forgets `mp4_url` in every third replay",
    requirement: "replay.mp4_url.required",
    alter: everyTime(3, without("mp4_url"), isReplay, answered(200)),
  },
  {
    name: "answers every second broken body of an automation request with 500",
    requirement: "automation.400-invalid-json",
    alter: everyTime(
      2,
      () => json(500, {}),
      isAutomation,
      answered(400),
      ({ body }) => body.startsWith('{"query"'),
    ),
  },
  {
    name: "validates only the first request of a connection",
    requirement: unknownProperty,
    alter: gives(scraped, isScrape, later, hasUnknown),
  },
  {
    name: "forgets `markdown` in the second answer of a connection",
    requirement: "scrape.response.markdown.required",
    alter: () => (answer, request) =>
      isScrape(request, answer) && later(request, answer) && answer.status === 200
        ? without("markdown")(answer)
        : answer,
  },
  {
    name: "validates no request that tells its origin",
    requirement: unknownProperty,
    alter: gives(scraped, isScrape, withHeader("x-service-request-origin"), hasUnknown, answered(422)),
  },
  {
    name: "finds names of properties among those that objects inherit",
    requirement: unknownProperty,
    alter: gives(
      scraped,
      isScrape,
      answered(422),
      named((name) => name in {}),
    ),
  },
  {
    name: "knows the beginnings of names, too",
    requirement: unknownProperty,
    alter: gives(
      scraped,
      isScrape,
      answered(422),
      named((name) => name !== "" && !knownNames.includes(name) && knownNames.some((known) => known.startsWith(name))),
    ),
  },
  {
    name: "does not look at the case of names",
    requirement: unknownProperty,
    alter: gives(
      scraped,
      isScrape,
      answered(422),
      named((name) => !knownNames.includes(name) && knownNames.includes(name.toLowerCase())),
    ),
  },
  {
    name: "trims names",
    requirement: unknownProperty,
    alter: gives(
      scraped,
      isScrape,
      answered(422),
      named((name) => name !== name.trim() && knownNames.includes(name.trim())),
    ),
  },
  {
    name: "drops unknown properties that are null",
    requirement: unknownProperty,
    alter: gives(scraped, isScrape, (request) => members(request).get("conformance_unknown") === null),
  },
  {
    name: "validates no request that has `only_images`",
    requirement: unknownProperty,
    alter: gives(scraped, isScrape, hasUnknown, (request) => members(request).has("only_images")),
  },
  {
    name: "validates no large body",
    requirement: unknownProperty,
    alter: gives(scraped, isScrape, answered(422), ({ body }) => body.length > 65_536),
  },
  {
    name: "validates nothing when `update_metadata` is false",
    requirement: wrongSelector,
    alter: gives(scraped, isScrape, ({ url }) => url.endsWith("update_metadata=false"), hasWrongSelector),
  },
  {
    name: "validates no body whose media type has a charset",
    requirement: wrongSelector,
    alter: gives(scraped, isScrape, ({ headers }) => /charset/.test(String(headers["content-type"])), hasWrongSelector),
  },
  {
    name: "looks only at the first of the ignored tags",
    requirement: "scrape.request.ignored_tags.items",
    alter: gives(scraped, isScrape, (request) => {
      const tags = members(request).get("ignored_tags");
      return Array.isArray(tags) && typeof tags[0] === "string" && tags.some((tag) => typeof tag !== "string");
    }),
  },
  {
    name: "takes no null for `selector` beside `instructions`",
    requirement: wrongSelector,
    alter: gives(
      blamed("selector"),
      isScrape,
      answered(200),
      (request) => members(request).get("selector") === null && members(request).has("instructions"),
    ),
  },
  {
    name: "fails when images are scraped from the main content",
    requirement: "scrape.request.schema",
    alter: gives(
      () => json(500, {}),
      isScrape,
      answered(200),
      (request) => members(request).get("scrape_images") === true && members(request).get("only_main_content") === true,
    ),
  },
  {
    name: "fails when a format comes with a header",
    requirement: "scrape.request.schema",
    alter: gives(
      () => json(500, {}),
      isScrape,
      answered(200),
      withHeader("x-service-sdk-version"),
      (request) => Boolean(members(request).get("response_format")),
    ),
  },
  {
    name: "starts a run for a `Query`",
    requirement: "automation.request.query.required",
    profile: "full",
    alter: gives(started, isAutomation, answered(400), (request) => members(request).has("Query")),
  },
];
