/** Answers to those who have no key, or another one, and to runs that can't be, that break a sentence. */
import { isJson, json, listMembers, type Answer, type Asked, type Json } from "../../targets/asked.ts";
import { cookies, markdown, recording } from "../../targets/content.ts";
import { apiKey } from "../../targets/service.ts";
import { breaking, where, type Breaker, type Subject, type Ways } from "../breaker.ts";

const header = ({ headers }: Asked): string => headers.authorization ?? "";
const token = (asked: Asked): string => /^Bearer (.*)$/.exec(header(asked))?.[1] ?? "";
const alike = (asked: Asked): number => apiKey.split("").filter((letter, at) => letter === token(asked)[at]).length;

/** Who comes without the key: by what they have in its place. */
const strangers: Readonly<Record<string, (asked: Asked) => boolean>> = {
  "without-a-header": (asked) => header(asked) === "",
  "with-an-empty-key": (asked) => /^bearer\s*$/i.test(header(asked)),
  "with-another-key": (asked) => token(asked) !== "" && alike(asked) < 4,
  "with-part-of-the-key": (asked) => token(asked) !== "" && token(asked) !== apiKey && apiKey.startsWith(token(asked)),
  "with-a-longer-key": (asked) => token(asked).length > apiKey.length && token(asked).startsWith(apiKey),
  "with-one-letter-changed": (asked) =>
    token(asked).length === apiKey.length &&
    token(asked).toLowerCase() !== apiKey.toLowerCase() &&
    alike(asked) === apiKey.length - 1,
};

const given: Readonly<Record<"scrape" | "cookies" | "replay", Json>> = {
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
        [`${door}-open-${who}`]: () => json(200, given[door]),
      }),
    ),
  ),
);

const error = 'data: {"type":"error","error":"unauthorized","detail":"no key"}\n\n';
const stream: Answer = { status: 200, headers: { "content-type": "text/event-stream" }, pieces: [error] };
const instead = (word: string, ...statuses: readonly number[]): Ways =>
  Object.fromEntries(statuses.map((to) => [`${word}-answers-${to}`, () => json(to, { detail: "no" })]));
const aStream = (word: string): Ways => ({ [`${word}-gets-a-stream`]: () => stream });

const isKeyless = (asked: Asked): boolean => token(asked) === "" && /^(bearer\s*)?$/i.test(header(asked));

/** Tells whether the status is stated. For other media types and large bodies any refusal is correct. */
const isUsual = ({ headers, body, query }: Asked): boolean =>
  headers["content-type"] === "application/json" && body.length < 32_768 && query.size === 0;

/** Ways to break a sentence about runs that are refused: with another status in the usual form, and by starting one in any. */
const refusalsBroken = (
  [subject, requirement, word, onSuccess = requirement]: readonly [Subject, string, string, onSuccess?: string],
  isSuch: (asked: Asked) => boolean,
  ...statuses: readonly number[]
): Breaker[] => [
  ...where((asked) => isSuch(asked) && isUsual(asked), breaking(subject, requirement, instead(word, ...statuses))),
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
    (asked) => isSuch(asked) && listMembers(asked).has("query") && asked.query.size === 0,
    403,
    404,
    500,
    // A header without a key may be a malformed one.
    ...(/empty/.test(who) ? [] : [400]),
  ),
);

const isObject = ({ body }: Asked): boolean => body.trim().startsWith("{");

const isMissing = (asked: Asked): boolean => isJson(asked) && isObject(asked) && !listMembers(asked).has("query");

const refusedBreakers: readonly Breaker[] = [
  // What is answered where something stands in place of `query` is not shown: other fields may be refused as such.
  ...where(
    (asked) => isMissing(asked) && listMembers(asked).size === 0 && isUsual(asked),
    breaking("run-refused", "automation.400-query-missing", instead("missing-query", 422, 500, 401, 404)),
  ),
  ...where(isMissing, breaking("run-refused", "automation.request.query.required", aStream("missing-query"))),
  ...refusalsBroken(
    ["run-refused", "automation.400-invalid-json", "broken-json"],
    (asked) => !isJson(asked) && asked.body !== "",
    422,
    500,
    415,
    404,
  ),
];

/** The key itself under another scheme, or under none, is another matter: that it should be refused is inferred. */
const isKeyAlone = (asked: Asked): boolean => header(asked).replace(/^\S+\s+/, "") === apiKey;

const schemes = where(
  (asked) => !isKeyless(asked) && token(asked) === "" && header(asked).includes(apiKey) && !isKeyAlone(asked),
  breaking("run-stranger", "automation.requires-authorization", { "run-with-another-scheme": () => stream }),
);

/** The table. */
export const strangerBreakers: readonly Breaker[] = [...doorBreakers, ...runBreakers, ...refusedBreakers, ...schemes];
