import { json } from "../server.ts";
import {
  isSession,
  body,
  session,
  contentType,
  header,
  isObject,
  reading,
  booleanWords,
  booleanFields,
  isText,
  problemDocument,
  isCharset,
  isPlain,
  isJson,
  type CorrectServer,
} from "./parts.ts";

/** The playlist of a recording in which nothing is. */
const empty = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-ENDLIST\n";

/** Correct servers that differ in what they take and what they answer. */
export const correctAnswers: Readonly<Record<string, CorrectServer>> = {
  "answers as the contract's examples do": {},
  "answers 401 where others answer 403": { alter: session(403, json(401, {})) },
  "hides sessions from strangers with 404": { alter: session(403, json(404, {})) },
  "sends strangers to a page where they can log in": {
    alter: session(403, { status: 302, headers: { location: "https://login.example/" }, body: "" }),
  },
  "answers 400 for an unknown session": { alter: session(404, json(400, {})) },
  "answers 422 for an unknown session": {
    alter: session(
      404,
      json(422, { detail: [{ loc: ["path", "session_id"], msg: "no such session", type: "value" }] }),
    ),
  },
  "tells errors as problem documents": {
    alter: (answer) => (answer.status >= 400 && answer.status !== 422 ? problemDocument(answer.status) : answer),
  },
  "tells validation errors as a problem document with `detail`": {
    alter: contentType("application/problem+json", ({ status }) => status === 422),
  },
  "tells errors as HTML": {
    alter: (answer) =>
      answer.status >= 400 && answer.status !== 422
        ? { ...answer, headers: { "content-type": "text/html" }, body: "<h1>no</h1>" }
        : answer,
  },
  "tells errors without a body": {
    alter: (answer) => (answer.status >= 400 && answer.status !== 422 ? { ...answer, headers: {}, body: "" } : answer),
  },
  "lists only the first problem, without what is optional": {
    alter: body((value, _, { status }) => {
      if (status !== 422 || !Array.isArray(value["detail"])) return value;
      const first = value["detail"].find(isObject);
      return { detail: [{ loc: first?.["loc"], msg: first?.["msg"], type: first?.["type"] }] };
    }),
  },
  "lists problems with input, context and places in arrays": {
    alter: body((value, _, { status }) =>
      status === 422
        ? { detail: [{ loc: ["body", 0, "x", 1], msg: "", type: "", input: [null], ctx: { limit: 7 } }], more: true }
        : value,
    ),
  },
  "reads 1, 0, yes and words of booleans as booleans": {
    manners: {
      read: reading((field, value) =>
        booleanFields.test(field) && (typeof value === "string" || typeof value === "number")
          ? (booleanWords[String(value)] ?? value)
          : value,
      ),
    },
  },
  "reads numbers as strings, and one string as a list": {
    manners: {
      read: reading((field, value) => {
        if (field === "ignored_tags" && typeof value === "string") return [value];
        if (field === "ignored_tags" && Array.isArray(value))
          return value.map((one) => (isText(one) ? String(one) : one));
        return (field === "selector" || field === "instructions") && isText(value) ? String(value) : value;
      }),
    },
  },
  "answers 400 for a scrape that is not JSON, and for an empty one": {
    alter: (answer, { body: text, url, headers }) => {
      const broken = url.includes("/scrape") && headers["content-type"] !== undefined && !isJson(text);
      return broken && answer.status === 422 ? json(400, {}) : answer;
    },
  },
  "takes no media type but the bare application/json": {
    alter: (answer, request) =>
      isSession(request) && (isCharset(request) || isPlain(request)) ? json(415, { detail: "media type" }) : answer,
  },
  "takes no body above 64 KiB": {
    alter: (answer, request) => (request.body.length > 65_536 ? json(413, { detail: "too large" }) : answer),
  },
  "reads the scheme word in any case": {
    manners: {
      read: (asked) => {
        const authorization = asked.headers.authorization?.replace(/^bearer /i, "Bearer ");
        return { ...asked, headers: { ...asked.headers, ...(authorization === undefined ? {} : { authorization }) } };
      },
    },
  },
  "looks at the body of an automation request before the key": {
    alter: (answer, { url, body: text }) => {
      if (!url.startsWith("/api/automation") || answer.status !== 401) return answer;
      const value: unknown = isJson(text) ? JSON.parse(text) : undefined;
      return isObject(value) && Object.hasOwn(value, "query") ? answer : json(400, {});
    },
  },
  "looks at the body of a scrape before the key": {
    alter: (answer, { body: text }) =>
      answer.status === 403 && text.includes("conformance_unknown") ? json(422, { detail: [] }) : answer,
  },
  "asks for credentials, and tells its limits of rate, in headers": {
    alter: header({ "www-authenticate": 'Bearer realm="x"', "x-ratelimit-remaining": "7", vary: "*", etag: '"1"' }),
  },
  "sends null for images and structure that nobody asked for": {
    alter: body((value, { url }, { status }) =>
      url.includes("/scrape") && status === 200 ? { images: null, structured: null, ...value } : value,
    ),
  },
  "sends images and structured data without their optional fields": {
    alter: body((value, { url }, { status }) =>
      url.includes("/scrape") && status === 200
        ? { ...value, ...("images" in value ? { images: [{}, { url: null }] } : {}), structured: {} }
        : value,
    ),
  },
  "sends cookies of a single field each": {
    alter: body((value, { url }, { status }) =>
      url.includes("/cookies") && status === 200
        ? { cookies: [{}, { name: "a" }, { expires: -1 }, { sameSite: "?" }] }
        : value,
    ),
  },
  "tells expiry in another offset, with parts of seconds": {
    alter: body((value, { url }, { status }) =>
      url.includes("/replay") && status === 200 ? { ...value, expires_at: "2036-11-20T12:00:00.123456+05:30" } : value,
    ),
  },
  "tells no offset but Z, and a recording without length": {
    alter: body((value, { url }, { status }) =>
      url.includes("/replay") && status === 200
        ? {
            ...value,
            expires_at: "2036-11-20T12:00:00Z",
            video_start_ms: -5,
            video_duration_ms: 0,
            playlist_content: empty,
          }
        : value,
    ),
  },
};
