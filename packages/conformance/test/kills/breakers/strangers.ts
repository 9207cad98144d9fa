/** Answers to those who have no key, or another one, and to runs that can't be, that break a sentence. */
import { instead, listStatuses, refuse, streamError, type Change } from "../../targets/changes.ts";
import {
  authorization,
  has,
  isBroken,
  isEmptyKey,
  isKeyless,
  lacksQuery,
  token,
  type Condition,
} from "../../targets/conditions.ts";
import { cookies, markdown, recording } from "../../targets/content.ts";
import { breakAnswers, type AnswerFault } from "../../targets/fault.ts";
import { json, listMembers, type ReceivedRequest } from "../../targets/messages.ts";
import { apiKey } from "../../targets/service.ts";

const countAlike = (request: ReceivedRequest): number =>
  apiKey.split("").filter((letter, at) => letter === token(request)[at]).length;

/** Strangers without the key, by what they have in its place. */
const strangers: Readonly<Record<string, Condition>> = {
  "without-a-header": isKeyless,
  "with-an-empty-key": isEmptyKey,
  "with-another-key": (request) => token(request) !== "" && countAlike(request) < 4,
  "with-part-of-the-key": (request) =>
    token(request) !== "" && token(request) !== apiKey && apiKey.startsWith(token(request)),
  "with-a-longer-key": (request) => token(request).length > apiKey.length && token(request).startsWith(apiKey),
  "with-one-letter-changed": (request) =>
    token(request).length === apiKey.length &&
    token(request).toLowerCase() !== apiKey.toLowerCase() &&
    countAlike(request) === apiKey.length - 1,
};

const letIn: Readonly<Record<"scrape" | "cookies" | "replay", Change>> = {
  scrape: instead(json(200, { markdown })),
  cookies: instead(json(200, { cookies: [...cookies] })),
  replay: instead(json(200, recording)),
};

const stream = streamError("unauthorized", "no key");

/** Returns whether the status is stated. For other media types and large bodies any refusal is correct. */
const isUsual: Condition = ({ headers, body, query }) =>
  headers["content-type"] === "application/json" && body.length < 32_768 && query.size === 0;

/** What is answered to a run that is wrong in two ways, or has a query, is not shown. */
const isRun: Condition = (request, before) => has("query")(request, before) && request.query.size === 0;

const runBreakers = Object.entries(strangers).flatMap(([who, comes]) => {
  const requirement = /header|empty/.test(who) ? "automation.401-missing-key" : "automation.401-invalid-key";
  const word = `run-${who}`;
  const fits: Condition = (request, before) => comes(request, before) && isRun(request, before);
  return [
    breakAnswers(
      "run-stranger",
      // A header without a key may be a malformed one.
      { [requirement]: listStatuses(word, [403, 404, 500, ...(/empty/.test(who) ? [] : [400])], refuse) },
      { fits: (request, before) => fits(request, before) && isUsual(request, before) },
    ),
    breakAnswers("run-stranger", { [`${requirement} ${word}-gets-a-stream`]: stream }, { fits }),
  ].flat();
});

const isObject: Condition = ({ body }) => body.trim().startsWith("{");

/** The key itself under another scheme, or under none, is another matter: that it should be refused is inferred. */
const hasOtherScheme: Condition = (request) => {
  const header = authorization(request);
  return token(request) === "" && header.includes(apiKey) && header.replace(/^\S+\s+/, "") !== apiKey;
};

/** The table. */
export const strangerBreakers: readonly AnswerFault[] = [
  ...(["scrape", "cookies", "replay"] as const).flatMap((door) =>
    breakAnswers(`${door}-stranger`, {
      [`${door}.requires-authentication`]: Object.fromEntries(
        Object.entries(strangers).map(([who, comes]) => [`${door}-open-${who}`, [letIn[door], comes]] as const),
      ),
    }),
  ),
  ...runBreakers,
  // What is answered where something stands in place of `query` is not shown: other fields may be refused as such.
  ...breakAnswers(
    "run-refused",
    { "automation.400-query-missing": listStatuses("missing-query", [422, 500, 401, 404], refuse) },
    {
      fits: (request, before) =>
        isObject(request, before) &&
        lacksQuery(request, before) &&
        listMembers(request).size === 0 &&
        isUsual(request, before),
    },
  ),
  ...breakAnswers("run-refused", {
    "automation.request.query.required missing-query-gets-a-stream": [stream, lacksQuery, isObject],
  }),
  ...breakAnswers(
    "run-refused",
    { "automation.400-invalid-json": listStatuses("broken-json", [422, 500, 415, 404], refuse) },
    { fits: (request, before) => isBroken(request, before) && isUsual(request, before) },
  ),
  ...breakAnswers("run-refused", {
    "automation.400-invalid-json broken-json-gets-a-stream": [stream, isBroken],
  }),
  ...breakAnswers("run-stranger", {
    "automation.requires-authorization run-with-another-scheme": [stream, hasOtherScheme],
  }),
];
