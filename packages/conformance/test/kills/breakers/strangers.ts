/** Answers to those who have no key, or another one, and to runs that can't be, that break a sentence. */
import { isJson, json, listMembers, type Answer, type ReceivedRequest, type Json } from "../../targets/messages.ts";
import { cookies, markdown, recording } from "../../targets/content.ts";
import { apiKey } from "../../targets/service.ts";
import { breaking, where, type Breaker, type Subject, type Ways } from "../breaker.ts";

const header = ({ headers }: ReceivedRequest): string => headers.authorization ?? "";
const token = (request: ReceivedRequest): string => /^Bearer (.*)$/.exec(header(request))?.[1] ?? "";
const alike = (request: ReceivedRequest): number =>
  apiKey.split("").filter((letter, at) => letter === token(request)[at]).length;

/** Strangers without the key, by what they have in its place. */
const strangers: Readonly<Record<string, (request: ReceivedRequest) => boolean>> = {
  "without-a-header": (request) => header(request) === "",
  "with-an-empty-key": (request) => /^bearer\s*$/i.test(header(request)),
  "with-another-key": (request) => token(request) !== "" && alike(request) < 4,
  "with-part-of-the-key": (request) =>
    token(request) !== "" && token(request) !== apiKey && apiKey.startsWith(token(request)),
  "with-a-longer-key": (request) => token(request).length > apiKey.length && token(request).startsWith(apiKey),
  "with-one-letter-changed": (request) =>
    token(request).length === apiKey.length &&
    token(request).toLowerCase() !== apiKey.toLowerCase() &&
    alike(request) === apiKey.length - 1,
};

const values: Readonly<Record<"scrape" | "cookies" | "replay", Json>> = {
  scrape: { markdown },
  cookies: { cookies: [...cookies] },
  replay: recording,
};

const doors = ["scrape", "cookies", "replay"] as const;

const doorBreakers = doors.flatMap((door) =>
  Object.entries(strangers).flatMap(([who, isSuch]) =>
    where(
      isSuch,
      breaking(`${door}-stranger`, `${door}.requires-authentication`, {
        [`${door}-open-${who}`]: () => json(200, values[door]),
      }),
    ),
  ),
);

const error = 'data: {"type":"error","error":"unauthorized","detail":"no key"}\n\n';
const stream: Answer = { status: 200, headers: { "content-type": "text/event-stream" }, pieces: [error] };
const instead = (word: string, ...statuses: readonly number[]): Ways =>
  Object.fromEntries(statuses.map((to) => [`${word}-answers-${to}`, () => json(to, { detail: "no" })]));
const aStream = (word: string): Ways => ({ [`${word}-gets-a-stream`]: () => stream });

const isKeyless = (request: ReceivedRequest): boolean =>
  token(request) === "" && /^(bearer\s*)?$/i.test(header(request));

/** Returns whether the status is stated. For other media types and large bodies any refusal is correct. */
const isUsual = ({ headers, body, query }: ReceivedRequest): boolean =>
  headers["content-type"] === "application/json" && body.length < 32_768 && query.size === 0;

/** Ways to break a sentence about runs that are refused: with another status in the usual form, and by starting one in any. */
const refusalsBroken = (
  [subject, requirement, word, onSuccess = requirement]: readonly [Subject, string, string, onSuccess?: string],
  isSuch: (request: ReceivedRequest) => boolean,
  ...statuses: readonly number[]
): Breaker[] => [
  ...where(
    (request) => isSuch(request) && isUsual(request),
    breaking(subject, requirement, instead(word, ...statuses)),
  ),
  ...where(isSuch, breaking(subject, onSuccess, aStream(word))),
];

const runBreakers = Object.entries(strangers).flatMap(([who, isSuch]) =>
  refusalsBroken(
    [
      "run-stranger",
      /header|empty/.test(who) ? "automation.401-missing-key" : "automation.401-invalid-key",
      `run-${who}`,
    ],
    // What is answered to a request that is wrong in two ways, or has a query, is not shown.
    (request) => isSuch(request) && listMembers(request).has("query") && request.query.size === 0,
    403,
    404,
    500,
    // A header without a key may be a malformed one.
    ...(/empty/.test(who) ? [] : [400]),
  ),
);

const isObject = ({ body }: ReceivedRequest): boolean => body.trim().startsWith("{");

const isMissing = (request: ReceivedRequest): boolean =>
  isJson(request) && isObject(request) && !listMembers(request).has("query");

const refusedBreakers: readonly Breaker[] = [
  // What is answered where something stands in place of `query` is not shown: other fields may be refused as such.
  ...where(
    (request) => isMissing(request) && listMembers(request).size === 0 && isUsual(request),
    breaking("run-refused", "automation.400-query-missing", instead("missing-query", 422, 500, 401, 404)),
  ),
  ...where(isMissing, breaking("run-refused", "automation.request.query.required", aStream("missing-query"))),
  ...refusalsBroken(
    ["run-refused", "automation.400-invalid-json", "broken-json"],
    (request) => !isJson(request) && request.body !== "",
    422,
    500,
    415,
    404,
  ),
];

/** The key itself under another scheme, or under none, is another matter: that it should be refused is inferred. */
const isKeyAlone = (request: ReceivedRequest): boolean => header(request).replace(/^\S+\s+/, "") === apiKey;

const schemes = where(
  (request) => !isKeyless(request) && token(request) === "" && header(request).includes(apiKey) && !isKeyAlone(request),
  breaking("run-stranger", "automation.requires-authorization", { "run-with-another-scheme": () => stream }),
);

/** The table. */
export const strangerBreakers: readonly Breaker[] = [...doorBreakers, ...runBreakers, ...refusedBreakers, ...schemes];
