/** Parts of servers that violate a requirement only sometimes. */
import { isObject } from "../../src/http/json.ts";
import type { Profile } from "../../src/http/profile.ts";
import { replay, example, json, type Alter, type Answer, type Asked } from "../server.ts";

/** One faulty server. Counts are its own: each run needs a new one. */
export interface SometimesFault {
  /** When the fault shows, as the end of a sentence about a server that breaks something. */
  readonly name: string;
  /** The one requirement that is broken. */
  readonly requirement: string;
  /** Makes the server. */
  readonly alter: () => Alter;
  /** Only seen with billed runs allowed. Default: `free`. */
  readonly profile?: Profile;
}

export type When = (request: Asked, answer: Answer) => boolean;

export const scraped = (): Answer => example("scrape.200.markdown", 200);
export const cookiesRead = (): Answer => example("cookies.200.typical", 200);
export const replayRead = (): Answer => replay();
export const started = (): Answer => ({
  ...example("automation.200.error", 200, "sse"),
  headers: { "content-type": "text/event-stream" },
});

export const isScrape: When = ({ url }) => url.includes("/page/scrape");
export const isCookies: When = ({ url }) => url.endsWith("/cookies");
export const isReplay: When = ({ url }) => url.endsWith("/replay");
export const isAutomation: When = ({ url }) => url.startsWith("/api/automation");

/** Gives another answer when all conditions hold. */
export function gives(to: () => Answer, ...when: readonly When[]): () => Alter {
  return () => (answer, request) => (when.every((holds) => holds(request, answer)) ? to() : answer);
}

/** Gives another answer to every n-th request for which the conditions hold. */
export function everyTime(n: number, to: (answer: Answer) => Answer, ...when: readonly When[]): () => Alter {
  return () => {
    let count = 0;
    return (answer, request) => {
      if (!when.every((holds) => holds(request, answer))) return answer;
      count += 1;
      return count % n === 0 ? to(answer) : answer;
    };
  };
}

export const answered =
  (...statuses: readonly number[]): When =>
  (_, { status }) =>
    statuses.includes(status);

export const authorization = ({ headers }: Asked): string => headers.authorization ?? "";
export const token = (request: Asked): string => /^Bearer (.*)$/.exec(authorization(request))?.[1] ?? "";
export const keyless: When = (request) => authorization(request) === "";
export const wrongKey: When = (request) => token(request).startsWith("cloud-browser-conformance");
export const withHeader =
  (name: string): When =>
  ({ headers }) =>
    headers[name] !== undefined;

/** The members of a JSON body; none for another body. */
export function members({ body }: Asked): Map<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return new Map(isObject(value) ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
}

export const hasUnknown: When = (request) => members(request).has("conformance_unknown");
export const hasWrongSelector: When = (request) =>
  typeof members(request).get("selector") === "object" && members(request).get("selector") !== null;
export const named =
  (test: (name: string) => boolean): When =>
  (request) =>
    [...members(request).keys()].some(test);

export const without =
  (field: string) =>
  (answer: Answer): Answer => {
    const body: Record<string, unknown> = JSON.parse(answer.body);
    delete body[field];
    return { ...answer, body: JSON.stringify(body) };
  };

export const blamed = (field: string) => (): Answer =>
  json(422, { detail: [{ loc: ["body", field], msg: "no", type: "value" }] });

export const knownNames = ["selector", "scrape_links", "ignored_tags", "instructions", "use_link_placeholders"];
export const unknownProperty = "scrape.unknown-property-rejected";
export const wrongSelector = "scrape.request.selector.type";
export const scrapeKey = "scrape.requires-authentication";
export const later: When = ({ onConnection }) => onConnection > 1;
