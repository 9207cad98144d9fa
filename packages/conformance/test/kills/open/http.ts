/** Correct servers that use what the interface leaves open about HTTP. */
import { instead, mediaType, refuse, type Change } from "../../targets/changes.ts";
import { answers, at, isOfEnded, isUnknownSession, token, type Condition } from "../../targets/conditions.ts";
import { cookies } from "../../targets/content.ts";
import { empty, findOperation, json, words, type Answer, type ReceivedRequest } from "../../targets/messages.ts";
import { headers, revise, reviseAll, turnAway } from "../../targets/parts.ts";
import { correctService, type Parts } from "../../targets/service.ts";
import { leaveOpen, type OpenServer } from "./open-server.ts";

const isRead = at("cookies", "replay");
const isJsonAnswer: Condition = (_, answer) => answer.headers["content-type"] === "application/json";
const isOther: Condition = (request) => findOperation(request) === undefined;
const hasUnknownParameter: Condition = ({ query }) => [...query.keys()].some((name) => name !== "update_metadata");
const isSuccess = answers((status) => status === 200);
const isError: Condition = (request, { status }) =>
  findOperation(request) !== "automation" && status >= 400 && status !== 422;
const isKeyless = (request: ReceivedRequest): boolean => token(request) === "";
const hasOtherKey = (request: ReceivedRequest): boolean => token(request) !== "";

/** Turns strangers away otherwise at the operations of sessions. */
const turnAwayFromSessions = (to: Answer, when: (request: ReceivedRequest) => boolean = () => true): Parts =>
  turnAway(to, (request) => findOperation(request) !== "automation" && when(request));
const answerUnknown = (to: Answer): Parts =>
  reviseAll(
    instead(to),
    isUnknownSession,
    answers((status) => status === 404),
  );
const answerEnded = (change: Change): Parts => reviseAll(change, at("scrape", "cookies"), isOfEnded, isSuccess);

export const openHttp: readonly OpenServer[] = leaveOpen({
  "open.http.charset": {
    "tells the charset of JSON": reviseAll(mediaType("application/json; charset=utf-8"), isJsonAnswer),
    "tells the charset of JSON in quotes and capitals, with more parameters": reviseAll(
      mediaType('Application/JSON ; Charset="UTF-8";v=1'),
      isJsonAnswer,
    ),
    "tells the charset of the stream in capitals": revise("run", mediaType("Text/Event-Stream;charset=UTF-8")),
  },
  "open.http.session-content-type": {
    "sends cookies and recordings as text": reviseAll(mediaType("text/plain"), isRead),
    "sends cookies and recordings without a media type": reviseAll(mediaType(), isRead),
    "sends cookies and recordings as a type of its own": reviseAll(
      mediaType("application/vnd.service.v1+json"),
      isRead,
    ),
  },
  "open.http.header-case": {
    "writes names of headers in capitals": reviseAll((answer) => ({
      ...answer,
      headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name.toUpperCase(), value])),
    })),
    "takes the scheme word in any case": {
      admits: ({ headers: { authorization = "", ...others }, ...request }) =>
        correctService.admits({
          ...request,
          headers: { ...others, authorization: authorization.replace(/^bearer /i, "Bearer ") },
        }),
    },
  },
  "open.http.head-and-options": {
    "answers other methods with 405": reviseAll(instead(empty(405, { allow: "GET, POST" })), isOther),
    "answers other methods with 501": reviseAll(instead(words(501, "not implemented")), isOther),
    "answers HEAD as GET, and OPTIONS with what there is": reviseAll(
      (_, { method }) => (method === "HEAD" ? empty(200) : empty(204, { allow: "GET, HEAD" })),
      ({ method }) => method === "HEAD" || method === "OPTIONS",
    ),
  },
  "open.http.trailing-slash": {
    "serves paths with a slash behind, too": reviseAll(instead(json(200, { cookies: [...cookies] })), ({ path }) =>
      path.endsWith("/cookies/"),
    ),
    "redirects paths with a slash behind": reviseAll(
      (_, { path }) => empty(308, { location: path.slice(0, -1) }),
      ({ path }) => path.endsWith("/"),
    ),
  },
  "open.http.redirects": {
    "sends those without a key to a page for logging in": turnAwayFromSessions(empty(302, { location: "/login" })),
    "sends those who ask for an unknown session elsewhere": answerUnknown(empty(303, { location: "/sessions" })),
  },
  "open.http.unknown-query-parameters": {
    "refuses unknown parameters with 422": reviseAll(refuse(422, []), hasUnknownParameter, isSuccess),
    "refuses unknown parameters with 400": reviseAll(refuse(400), hasUnknownParameter, isSuccess),
  },
  "open.http.caching": {
    "lets answers be stored, with a tag": headers({ "cache-control": "private, max-age=60", etag: 'W/"7"', age: "3" }),
    "lets no answer be stored": headers({ "cache-control": "no-store", vary: "*", pragma: "no-cache" }),
  },
  "open.limits.rate-limits": {
    "tells its limits of rate": headers({
      "x-ratelimit-limit": "100",
      "x-ratelimit-remaining": "7",
      "x-ratelimit-reset": "1",
    }),
    "tells its limits of rate in the new form": headers({
      "ratelimit-policy": '"burst";q=100;w=60',
      ratelimit: '"burst";r=7',
    }),
  },
  "open.version.deprecation": {
    "is deprecated": headers({ deprecation: "@1688169599", link: '</v2>; rel="successor-version"' }),
    "is going away": headers({ sunset: "Sat, 31 Dec 2039 23:59:59 GMT" }),
  },
  "open.session.status-when-unknown": {
    "answers 400 for an unknown session": answerUnknown(words(400, "bad id")),
    "answers 410 for an unknown session": answerUnknown(json(410, {})),
    "answers 403 for an unknown session": answerUnknown(json(403, { error: "no" })),
    "answers 422 for an unknown session": answerUnknown(
      json(422, { detail: [{ loc: ["path", "session_id"], msg: "unknown", type: "value_error" }] }),
    ),
  },
  "open.session.states": {
    "answers 409 for the page and the cookies of a session that has ended": answerEnded(refuse(409)),
    "answers 410 for the page and the cookies of a session that has ended": answerEnded(instead(empty(410))),
    "finds no page where a session has ended": answerEnded(instead(words(404, "the session has ended"))),
  },
  "open.session.status-without-credentials": {
    "answers 401 without a key, and asks for one": turnAwayFromSessions(
      empty(401, { "www-authenticate": 'Bearer realm="x"' }),
      isKeyless,
    ),
    "answers 404 without a key": turnAwayFromSessions(json(404, { detail: "no such session" }), isKeyless),
    "answers 400 without a key": turnAwayFromSessions(words(400, "no key"), isKeyless),
  },
  "open.session.status-with-invalid-credentials": {
    "answers 401 to another key": turnAwayFromSessions(json(401, {}), hasOtherKey),
    "answers 404 to another key": turnAwayFromSessions(words(404, ""), hasOtherKey),
  },
  "open.session.other-errors": {
    "tells errors as problem documents": reviseAll(
      ({ status }) => ({
        ...json(status, { type: "about:blank", title: "No", status }),
        headers: { "content-type": "application/problem+json" },
      }),
      isError,
    ),
    "tells errors as HTML": reviseAll(
      ({ status }) => ({ status, headers: { "content-type": "text/html" }, pieces: ["<h1>No</h1>"] }),
      isError,
    ),
    "tells errors without a body": reviseAll(({ status }) => empty(status), isError),
  },
  "open.session.id-form": Object.fromEntries(
    ["7c1d0e52-9a3b-4c6f-8e21-5d7a90b3c4f1", "SES_0001.a~b"].map((name) => [
      `names sessions ${name}`,
      { sessions: { open: name, ended: `${name}-2` } },
    ]),
  ),
});
