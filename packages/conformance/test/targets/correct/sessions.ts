/** Targets that are all correct, and whose answers about sessions differ. */
import { asksImages, leaveMarkdown } from "../markdown-left.ts";
import { gzipSync } from "node:zlib";
import { isJson, joinBody, json, findOperation, readValue, words, type Answer, type Json } from "../messages.ts";
import { cookies, images, markdown, recording, structured } from "../content.ts";
import { apiKey, correctService, fieldReaders, type Reader, type Service } from "../service.ts";
import { correct, isStream, revises, stream, type CorrectTarget } from "./correct-target.ts";
import { ending, extend, other } from "../parts.ts";

const refusal = (answer: Answer): Partial<Service> => ({
  turnsAway: (request) => (findOperation(request) === "automation" ? correctService.turnsAway(request) : answer),
});
const unknownSession = (answer: Answer): Partial<Service> =>
  revises((given, request) => (given.status === 404 && findOperation(request) !== undefined ? answer : given));

const isText = (value: Json): boolean => typeof value === "string" || typeof value === "number" || value === null;
const lenientText: Reader = (value) => (isText(value) || typeof value === "boolean" ? undefined : []);
const lenientBoolean: Reader = (value) =>
  /^"?(true|false|1|0|yes|no|on|off)"?$/.test(JSON.stringify(value)) ? undefined : [];
const lenientTags: Reader = (value) =>
  isText(value) || (Array.isArray(value) && value.every((tag) => tag !== null && isText(tag))) ? undefined : [];
const readFields = (boolean: Reader, text: Reader, tags: Reader): Record<string, Reader> =>
  Object.fromEntries(
    Object.keys(fieldReaders).map((name) => {
      if (name === "response_format") return [name, () => undefined];
      if (name === "ignored_tags") return [name, tags];
      return [name, name === "selector" || name === "instructions" ? text : boolean];
    }),
  );

const problemDocument = (status: number): Answer => ({
  ...json(status, { type: "https://errors.example/no", title: "No", status, instance: "/" }),
  headers: { "Content-Type": "application/problem+json" },
});

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
      ...revises((answer) =>
        isStream(answer) || !isJson({ body: joinBody(answer) })
          ? answer
          : { ...answer, pieces: [JSON.stringify(extend(readValue(answer), more))] },
      ),
      ...stream((event) => `data: ${JSON.stringify(extend(event, more))}\n\n`),
    },
    "writes every body in one piece, with its length": revises((answer) => ({
      ...answer,
      headers: { ...answer.headers, "Content-Length": String(Buffer.byteLength(joinBody(answer))) },
      pieces: [joinBody(answer)],
    })),
  }),
  { does: "ends connections with each answer, as HTTP/1.0 does", parts: {}, line: { endsConnections: true } },
  ...correct({
    "asks clients not to keep connections": revises((answer) => ({
      ...answer,
      headers: { ...answer.headers, Connection: "close" },
    })),
  }),
  { does: "stands below a path", parts: {}, line: { prefix: "/api/v7/tenants/a%20b" } },
  ...correct({
    "answers 401 to strangers, and asks for a key": refusal({
      ...json(401, {}),
      headers: { "WWW-Authenticate": "Bearer" },
    }),
    "hides sessions from strangers": refusal(json(404, { detail: "no such session" })),
    "sends strangers to a page for logging in": refusal({ ...words(307, ""), headers: { Location: "/login" } }),
    "answers 410 for sessions that it does not know": unknownSession(json(410, {})),
    "answers 400 for sessions that it does not know": unknownSession(words(400, "bad id")),
    "reads words and numbers as booleans, and numbers as strings": {
      fields: readFields(lenientBoolean, lenientText, lenientTags),
      flag: (value) => value === null || /^(true|false|1|0|yes|no)$/i.test(value),
    },
    "reads the scheme word in any case": {
      admits: ({ headers }) => /^bearer (.*)$/i.exec(headers.authorization ?? "")?.[1] === apiKey,
    },
    "takes nothing but application/json": revises((answer, { headers, method }) =>
      method === "POST" && answer.status === 200 && headers["content-type"] !== "application/json"
        ? json(415, {})
        : answer,
    ),
    "tells broken JSON by 400, and large bodies by 413": revises((answer, { body, path, headers }) => {
      if (!path.endsWith("/scrape") || answer.status === 403 || headers["content-type"] === undefined) return answer;
      return isJson({ body }) ? (body.length > 60_000 ? json(413, {}) : answer) : json(400, {});
    }),
    "writes names of headers and media types in capitals, with parameters": revises(({ headers, ...answer }) => ({
      ...answer,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name.toUpperCase(),
          name === "content-type" ? `${value.split(";", 1)[0]?.toUpperCase() ?? ""} ; Charset="utf-8"` : value,
        ]),
      ),
    })),
    "tells every error as a problem document": revises((answer) =>
      answer.status < 400
        ? answer
        : answer.status === 422
          ? {
              ...answer,
              headers: { "content-type": "application/problem+json" },
              pieces: [
                JSON.stringify(other(readValue(answer), { type: "about:blank", title: "Invalid", status: 422 })),
              ],
            }
          : problemDocument(answer.status),
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
    "compresses answers for those who ask for it": revises((answer, { headers }) =>
      /gzip/.test(String(headers["accept-encoding"]))
        ? {
            ...answer,
            headers: { ...answer.headers, "content-encoding": "gzip" },
            pieces: [gzipSync(joinBody(answer))],
          }
        : answer,
    ),
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
    "tells the expiry in universal time": {
      recording: () => ({ ...recording, expires_at: "2036-11-21T09:30:00.123456Z", video_start_ms: 0 }),
    },
    "tells the expiry in another offset, without seconds": {
      recording: () => ({ ...recording, expires_at: "2036-11-21T15:15+05:45", video_start_ms: -40, extra: {} }),
    },
    "sends headers of its own": revises((answer) => ({
      ...answer,
      headers: { ...answer.headers, "set-cookie": "lb=1; Path=/", deprecation: "@1", "x-request-id": "7" },
    })),
  }),
];
