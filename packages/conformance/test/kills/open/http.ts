/** Correct servers that use what the interface leaves open about HTTP. */
import { json, findOperation, findSession, words, type Answer, type ReceivedRequest } from "../../targets/messages.ts";
import { correctService, endedSession, findToken, type Service } from "../../targets/service.ts";
import { headers, leftOpen, refusal, type OpenServer } from "./open-server.ts";
import { changeAnswers, of } from "../../targets/parts.ts";

const isRead = (request: ReceivedRequest): boolean => ["cookies", "replay"].includes(findOperation(request) ?? "");
const typed = (
  value: string | undefined,
  when: (request: ReceivedRequest, answer: Answer) => boolean,
): Partial<Service> =>
  changeAnswers(when, ({ headers: { "content-type": _, ...others }, ...answer }) => ({
    ...answer,
    headers: value === undefined ? others : { ...others, "content-type": value },
  }));
const isJsonAnswer = (_: ReceivedRequest, { headers: fields }: Answer): boolean =>
  fields["content-type"] === "application/json";

/** Requests without a key, and with another one, at the operations of sessions. */
const turning = (to: Answer, when: (request: ReceivedRequest) => boolean): Partial<Service> => ({
  turnsAway: (request) =>
    findOperation(request) !== "automation" && when(request) ? to : correctService.turnsAway(request),
});
const isKeyless = (request: ReceivedRequest): boolean => (findToken(request) ?? "") === "";
const isUnknown = ({ path }: ReceivedRequest): boolean => path.includes("/00000000-");
const unknown = (to: Answer): Partial<Service> =>
  changeAnswers(
    (request, { status }) => isUnknown(request) && status === 404,
    () => to,
  );
const isOfEnded = (request: ReceivedRequest, { status }: Answer): boolean =>
  status === 200 &&
  findSession(request) === endedSession &&
  ["scrape", "cookies"].includes(findOperation(request) ?? "");
const isOther = (request: ReceivedRequest): boolean => findOperation(request) === undefined;
const hasUnknownParameter = ({ query }: ReceivedRequest): boolean =>
  [...query.keys()].some((name) => name !== "update_metadata");
const empty = (status: number, fields: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: fields,
  pieces: [],
});

export const openHttp: readonly OpenServer[] = [
  ...leftOpen("open.http.charset", {
    "tells the charset of JSON": typed("application/json; charset=utf-8", isJsonAnswer),
    "tells the charset of JSON in quotes and capitals, with more parameters": typed(
      'Application/JSON ; Charset="UTF-8";v=1',
      isJsonAnswer,
    ),
    "tells the charset of the stream in capitals": typed("Text/Event-Stream;charset=UTF-8", of("automation", 200)),
  }),
  ...leftOpen("open.http.session-content-type", {
    "sends cookies and recordings as text": typed("text/plain", isRead),
    "sends cookies and recordings without a media type": typed(undefined, isRead),
    "sends cookies and recordings as a type of its own": typed("application/vnd.service.v1+json", isRead),
  }),
  ...leftOpen("open.http.header-case", {
    "writes names of headers in capitals": changeAnswers(
      () => true,
      (answer) => ({
        ...answer,
        headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name.toUpperCase(), value])),
      }),
    ),
    "takes the scheme word in any case": {
      admits: (request) =>
        correctService.admits({
          ...request,
          headers: {
            ...request.headers,
            authorization: (request.headers.authorization ?? "").replace(/^bearer /i, "Bearer "),
          },
        }),
    },
  }),
  ...leftOpen("open.http.head-and-options", {
    "answers other methods with 405": changeAnswers(isOther, () => empty(405, { allow: "GET, POST" })),
    "answers other methods with 501": changeAnswers(isOther, () => words(501, "not implemented")),
    "answers HEAD as GET, and OPTIONS with what there is": changeAnswers(
      ({ method }) => method === "HEAD" || method === "OPTIONS",
      (_, { method }) => (method === "HEAD" ? empty(200) : empty(204, { allow: "GET, HEAD" })),
    ),
  }),
  ...leftOpen("open.http.trailing-slash", {
    "serves paths with a slash behind, too": changeAnswers(
      ({ path }) => path.endsWith("/cookies/"),
      () => json(200, correctService.cookies(asking)),
    ),
    "redirects paths with a slash behind": changeAnswers(
      ({ path }) => path.endsWith("/"),
      (_, { path }) => empty(308, { location: path.slice(0, -1) }),
    ),
  }),
  ...leftOpen("open.http.redirects", {
    "sends those without a key to a page for logging in": turning(empty(302, { location: "/login" }), () => true),
    "sends those who ask for an unknown session elsewhere": unknown(empty(303, { location: "/sessions" })),
  }),
  ...leftOpen("open.http.unknown-query-parameters", {
    "refuses unknown parameters with 422": changeAnswers(
      (request, { status }) => hasUnknownParameter(request) && status === 200,
      () => json(422, { detail: [] }),
    ),
    "refuses unknown parameters with 400": changeAnswers(
      (request, { status }) => hasUnknownParameter(request) && status === 200,
      refusal(400),
    ),
  }),
  ...leftOpen("open.http.caching", {
    "lets answers be stored, with a tag": headers({ "cache-control": "private, max-age=60", etag: 'W/"7"', age: "3" }),
    "lets no answer be stored": headers({ "cache-control": "no-store", vary: "*", pragma: "no-cache" }),
  }),
  ...leftOpen("open.limits.rate-limits", {
    "tells its limits of rate": headers({
      "x-ratelimit-limit": "100",
      "x-ratelimit-remaining": "7",
      "x-ratelimit-reset": "1",
    }),
    "tells its limits of rate in the new form": headers({
      "ratelimit-policy": '"burst";q=100;w=60',
      ratelimit: '"burst";r=7',
    }),
  }),
  ...leftOpen("open.version.deprecation", {
    "is deprecated": headers({ deprecation: "@1688169599", link: '</v2>; rel="successor-version"' }),
    "is going away": headers({ sunset: "Sat, 31 Dec 2039 23:59:59 GMT" }),
  }),
  ...leftOpen("open.session.status-when-unknown", {
    "answers 400 for an unknown session": unknown(words(400, "bad id")),
    "answers 410 for an unknown session": unknown(json(410, {})),
    "answers 403 for an unknown session": unknown(json(403, { error: "no" })),
    "answers 422 for an unknown session": unknown(
      json(422, { detail: [{ loc: ["path", "session_id"], msg: "unknown", type: "value_error" }] }),
    ),
  }),
  ...leftOpen("open.session.states", {
    "answers 409 for the page and the cookies of a session that has ended": changeAnswers(isOfEnded, refusal(409)),
    "answers 410 for the page and the cookies of a session that has ended": changeAnswers(isOfEnded, () => empty(410)),
    "finds no page where a session has ended": changeAnswers(isOfEnded, () => words(404, "the session has ended")),
  }),
  ...leftOpen("open.session.status-without-credentials", {
    "answers 401 without a key, and asks for one": turning(
      empty(401, { "www-authenticate": 'Bearer realm="x"' }),
      isKeyless,
    ),
    "answers 404 without a key": turning(json(404, { detail: "no such session" }), isKeyless),
    "answers 400 without a key": turning(words(400, "no key"), isKeyless),
  }),
  ...leftOpen("open.session.status-with-invalid-credentials", {
    "answers 401 to another key": turning(json(401, {}), (request) => !isKeyless(request)),
    "answers 404 to another key": turning(words(404, ""), (request) => !isKeyless(request)),
  }),
  ...leftOpen("open.session.other-errors", {
    "tells errors as problem documents": changeAnswers(
      (request, { status }) => findOperation(request) !== "automation" && status >= 400 && status !== 422,
      ({ status }) => ({
        ...json(status, { type: "about:blank", title: "No", status }),
        headers: { "content-type": "application/problem+json" },
      }),
    ),
    "tells errors as HTML": changeAnswers(
      (request, { status }) => findOperation(request) !== "automation" && status >= 400 && status !== 422,
      ({ status }) => ({ status, headers: { "content-type": "text/html" }, pieces: ["<h1>No</h1>"] }),
    ),
    "tells errors without a body": changeAnswers(
      (request, { status }) => findOperation(request) !== "automation" && status >= 400 && status !== 422,
      ({ status }) => empty(status),
    ),
  }),
  ...["7c1d0e52-9a3b-4c6f-8e21-5d7a90b3c4f1", "SES_0001.a~b"].map((name): OpenServer => ({
    row: "open.session.id-form",
    does: `names sessions ${name}`,
    parts: { sessions: { open: name, ended: `${name}-2` } },
  })),
];

/** For what does not look at the request. */
const asking: ReceivedRequest = {
  method: "GET",
  path: "",
  query: new URLSearchParams(),
  headers: {},
  body: "",
  onConnection: 1,
  underWay: 1,
};
