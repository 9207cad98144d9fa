/** Targets that are all correct, and whose answers about sessions differ. */
import { gzipSync } from "node:zlib";
import { addHeaders, extend, inTurn, instead, set, text, type Change } from "../changes.ts";
import { inHeader, type Condition } from "../conditions.ts";
import { cookies, images, markdown, structured } from "../content.ts";
import { asksImages, leaveMarkdown } from "../markdown-left.ts";
import { findOperation, isJson, joinBody, json, words, type Answer, type Json } from "../messages.ts";
import { ending, film, headers, reviseAll, takes, turnAway, writes } from "../parts.ts";
import { apiKey, booleans, texts, type Parts } from "../service.ts";
import { correct, isStream, type CorrectTarget } from "./correct-target.ts";

const turnAwayFromSessions = (answer: Answer): Parts =>
  turnAway(answer, (request) => findOperation(request) !== "automation");
const answerUnknown = (answer: Answer): Parts =>
  reviseAll(instead(answer), (request, { status }) => status === 404 && findOperation(request) !== undefined);

const isText = (value: Json): boolean => typeof value === "string" || typeof value === "number" || value === null;
const isLenientText = (value: Json): boolean => isText(value) || typeof value === "boolean";
const isLenientBoolean = (value: Json): boolean => /^"?(true|false|1|0|yes|no|on|off)"?$/.test(JSON.stringify(value));
const areLenientTags = (value: Json): boolean =>
  isText(value) || (Array.isArray(value) && value.every((tag) => tag !== null && isText(tag)));

const answerProblem: Change = ({ status }) => ({
  ...json(status, { type: "https://errors.example/no", title: "No", status, instance: "/" }),
  headers: { "Content-Type": "application/problem+json" },
});
const tellProblem = inTurn(set("type", "about:blank"), set("title", "Invalid"), set("status", 422), (answer) => ({
  ...answer,
  headers: { "content-type": "application/problem+json" },
}));
const compress: Change = (answer) => ({
  ...answer,
  headers: { ...answer.headers, "content-encoding": "gzip" },
  pieces: [gzipSync(joinBody(answer))],
});
const writeCapitals: Change = ({ headers: own, ...answer }) => ({
  ...answer,
  headers: Object.fromEntries(
    Object.entries(own).map(([name, value]) => [
      name.toUpperCase(),
      name === "content-type" ? `${value.split(";", 1)[0]?.toUpperCase() ?? ""} ; Charset="utf-8"` : value,
    ]),
  ),
});

const isJsonAnswer: Condition = (_, answer) => !isStream(answer) && isJson({ body: joinBody(answer) });
const isPost: Condition = ({ method }, { status }) => method === "POST" && status === 200;
/** A scrape that could be refused for its body. */
const isScrape: Condition = ({ path, headers: own }, { status }) =>
  path.endsWith("/scrape") && status !== 403 && own["content-type"] !== undefined;

/** Members of another service. */
const more = { "x-extra": [{}] };

/** The table. */
export const correctSessions: readonly CorrectTarget[] = [
  ...correct({
    "does what the interface says, and nothing else": {},
    "sends what is required, and no more": {
      scrapes: () => ({ markdown: "" }),
      cookies: () => ({ cookies: [] }),
      rejects: () => json(422, { detail: [] }),
      ...ending("done", { function_id: undefined }),
    },
    "sends null wherever it may": {
      scrapes: (options) => ({ markdown: leaveMarkdown(markdown, options), images: null, structured: null }),
      ...ending("error", { error: null, detail: null }),
    },
    "sends structured data with every scrape, and an image of which it says nothing with the others": {
      scrapes: (options) => ({
        markdown: leaveMarkdown(markdown, options),
        images: asksImages(options) ? [...images, {}] : [],
        structured,
      }),
    },
    "adds members to every object": {
      ...reviseAll(
        text((body) => JSON.stringify(extend(JSON.parse(body), more))),
        isJsonAnswer,
      ),
      ...writes((_, event) => `data: ${JSON.stringify(extend(event, more))}\n\n`),
    },
    "writes every body in one piece, with its length": reviseAll((answer, request) =>
      inTurn(
        addHeaders({ "Content-Length": String(Buffer.byteLength(joinBody(answer))) }),
        text((body) => body),
      )(answer, request),
    ),
  }),
  { does: "ends connections with each answer, as HTTP/1.0 does", parts: {}, line: { endsConnections: true } },
  ...correct({ "asks clients not to keep connections": headers({ Connection: "close" }) }),
  { does: "stands below a path", parts: {}, line: { prefix: "/api/v7/tenants/a%20b" } },
  ...correct({
    "answers 401 to strangers, and asks for a key": turnAwayFromSessions({
      ...json(401, {}),
      headers: { "WWW-Authenticate": "Bearer" },
    }),
    "hides sessions from strangers": turnAwayFromSessions(json(404, { detail: "no such session" })),
    "sends strangers to a page for logging in": turnAwayFromSessions({
      ...words(307, ""),
      headers: { Location: "/login" },
    }),
    "answers 410 for sessions that it does not know": answerUnknown(json(410, {})),
    "answers 400 for sessions that it does not know": answerUnknown(words(400, "bad id")),
    "reads words and numbers as booleans, and numbers as strings": {
      fields: {
        ...takes(booleans, isLenientBoolean).fields,
        ...takes(texts, isLenientText).fields,
        ...takes("ignored_tags", areLenientTags).fields,
      },
      flag: (value) => value === null || /^(true|false|1|0|yes|no)$/i.test(value),
    },
    "reads the scheme word in any case": {
      admits: (request) => /^bearer (.*)$/i.exec(request.headers.authorization ?? "")?.[1] === apiKey,
    },
    "takes nothing but application/json": reviseAll(
      instead(json(415, {})),
      isPost,
      (request, answer) => !inHeader("content-type", /^application\/json$/)(request, answer),
    ),
    "tells broken JSON by 400, and large bodies by 413": reviseAll(
      (_, request) => json(isJson(request) ? 413 : 400, {}),
      isScrape,
      (request) => !isJson(request) || request.body.length > 60_000,
    ),
    "writes names of headers and media types in capitals, with parameters": reviseAll(writeCapitals),
    "tells every error as a problem document": reviseAll(
      (answer, request) => (answer.status === 422 ? tellProblem : answerProblem)(answer, request),
      (_, { status }) => status >= 400,
    ),
    "tells where in lists a problem is, with its input, and more": {
      rejects: () =>
        json(422, {
          detail: [
            {
              loc: ["body", "ignored_tags", 1, "x", 0],
              msg: "",
              type: "",
              input: { a: [null] },
              ctx: { limit: 7 },
              url: "https://errors.example",
            },
          ],
          body: {},
        }),
    },
    "compresses answers for those who ask for it": reviseAll(compress, inHeader("accept-encoding", /gzip/)),
    "has cookies with few fields each, and odd expiries": {
      cookies: () => ({
        cookies: [
          {},
          { name: "" },
          { expires: -1 },
          { expires: 1_798_761_600.123456 },
          { expirationDate: 1.7987616e12 },
          { sameSite: "no_restriction" },
          ...cookies,
        ],
        next: null,
      }),
    },
    "tells the expiry in universal time": film({ expires_at: "2036-11-21T09:30:00.123456Z", video_start_ms: 0 }),
    "tells the expiry in another offset, without seconds": film({
      expires_at: "2036-11-21T15:15+05:45",
      video_start_ms: -40,
      extra: {},
    }),
    "sends headers of its own": headers({ "set-cookie": "lb=1; Path=/", deprecation: "@1", "x-request-id": "7" }),
  }),
];
