/** Correct servers that use what the interface leaves open about cookies and recordings. */
import { json, findOperation, words, type ReceivedRequest, type Fields, type Json } from "../../targets/messages.ts";
import { cookies } from "../../targets/content.ts";
import type { Service } from "../../targets/service.ts";
import { leftOpen, refusal, type OpenServer } from "./open-server.ts";
import { changeAnswers, film, jar, of } from "../../targets/parts.ts";

const fields = (more: Fields): Partial<Service> => jar(...cookies.map((cookie) => ({ ...cookie, ...more })));
const isUnknown = ({ path }: ReceivedRequest): boolean => path.includes("/00000000-");
const problem: Json = { detail: [{ loc: ["path", "session_id"], msg: "no such session", type: "value_error" }] };
const notReady = (status: number): Partial<Service> =>
  changeAnswers(of("replay", 409), () => json(status, { detail: "wait" }));

/** A playlist that takes no time. */
const nothing =
  "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXTINF:0.0,\nhttps://recordings.example/7c1d/0.ts?signature=b6f0\n#EXT-X-ENDLIST\n";

export const openReads: readonly OpenServer[] = [
  ...leftOpen("open.cookies.required-fields", {
    "sends cookies of one field each": jar({ name: "a" }, { value: "b" }, { domain: "ferries.example" }, { path: "/" }),
    "sends a cookie without any field": jar({}),
    "sends no cookie": jar(),
  }),
  ...leftOpen("open.cookies.expirationDate-unit", {
    "tells `expirationDate` in milliseconds": fields({ expirationDate: 1_798_761_600_250 }),
    "tells `expirationDate` as 0": fields({ expirationDate: 0 }),
    "tells a negative `expirationDate`": fields({ expirationDate: -1.5 }),
  }),
  ...leftOpen("open.cookies.expires-unit", {
    "tells `expires` in milliseconds": fields({ expires: 1_798_761_600_000 }),
    "tells `expires` with parts of seconds": fields({ expires: 1_798_761_600.123456 }),
  }),
  ...leftOpen("open.cookies.sameSite-values", {
    "writes `sameSite` in capitals": fields({ sameSite: "Strict" }),
    "has its own word for `sameSite`": fields({ sameSite: "no_restriction" }),
    "has no word for `sameSite`": fields({ sameSite: "" }),
  }),
  ...leftOpen("open.cookies.null-fields", {
    "sends null for what a cookie does not have": fields({ expirationDate: null, partitionKey: null, storeId: null }),
    "sends null for every field of a cookie": jar(
      Object.fromEntries(Object.keys(cookies[1] ?? {}).map((name) => [name, null])),
    ),
  }),
  ...leftOpen("open.cookies.order", {
    "sends cookies by their names, the last one first": jar(...cookies.toReversed()),
    "sends cookies in another order each time": { cookies: turning() },
  }),
  ...leftOpen("open.cookies.duplicates", {
    "sends each cookie twice": jar(...cookies, ...cookies),
    "sends two cookies of one name": jar({ name: "sid", value: "1" }, { name: "sid", value: "2" }),
  }),
  ...leftOpen("open.cookies.extra-headers", {
    "takes no extra headers with cookies": changeAnswers(
      (request, answer) =>
        of("cookies", 200)(request, answer) && Object.keys(request.headers).some((name) => name.startsWith("x-")),
      refusal(400),
    ),
    "answers extra headers with as many": changeAnswers(of("cookies", 200), (answer) => ({
      ...answer,
      headers: { ...answer.headers, "x-total": "2", "x-next": "" },
    })),
  }),
  ...leftOpen("open.cookies.422-cause", {
    "tells ids of odd letters, or of many, by 422": changeAnswers(
      (request) => findOperation(request) === "cookies" && /%20|\/[^/]{200}/.test(request.path),
      () => json(422, problem),
    ),
    "tells extra headers with cookies by 422": changeAnswers(
      (request, answer) =>
        of("cookies", 200)(request, answer) && Object.keys(request.headers).some((name) => name.startsWith("x-")),
      () => json(422, { detail: [] }),
    ),
  }),
  ...leftOpen("open.http.get-body", {
    "takes no body with a read": changeAnswers(({ method, body }) => method === "GET" && body !== "", refusal(400)),
    "tells a body with a read by 413": changeAnswers(
      ({ method, body }) => method === "GET" && body !== "",
      refusal(413),
    ),
  }),
  ...leftOpen("open.replay.url-form", {
    "has recordings at a port, without a signature": film({ mp4_url: "http://recordings.example:9000/7c1d" }),
    "has recordings below a long path, with letters of other scripts": film({
      mp4_url: "https://recordings.example/a/%C3%A9/b.mp4?X-Amz-Signature=a%2Bb&X-Amz-Expires=600#t=0",
    }),
  }),
  ...leftOpen("open.replay.expires_at-in-past", {
    "tells an expiry of long ago": film({ expires_at: "2020-01-01T00:00:00+00:00" }),
    "tells an expiry of this century's beginning": film({ expires_at: "2000-02-29T23:59:59.999Z" }),
  }),
  ...leftOpen("open.replay.expires_at-offset", {
    "tells the expiry in universal time, with parts of seconds": film({ expires_at: "2036-11-21T09:30:00.123456Z" }),
    "tells the expiry west of Greenwich": film({ expires_at: "2036-11-21T02:00:00-07:30" }),
    "tells the expiry without seconds": film({ expires_at: "2036-11-21T15:15+05:45" }),
  }),
  ...leftOpen("open.replay.video_start_ms-origin", {
    "counts the start from its own beginning": film({ video_start_ms: -40 }),
    "counts the start from 1970": film({ video_start_ms: 2_110_959_000_000 }),
  }),
  ...leftOpen("open.replay.video_duration_ms-zero", {
    "has a recording without length": film({ video_duration_ms: 0, playlist_content: nothing }),
    "has a recording of a length that is less than nothing": film({ video_duration_ms: -1, playlist_content: nothing }),
  }),
  ...leftOpen("open.replay.error-responses", {
    "knows no recording of an unknown session, in words": changeAnswers(
      (request) => findOperation(request) === "replay" && isUnknown(request),
      () => words(404, "no recording"),
    ),
    "tells an unknown recording by 422": changeAnswers(
      (request) => findOperation(request) === "replay" && isUnknown(request),
      () => json(422, problem),
    ),
    "has no answer in JSON to who asks for a recording without a key": changeAnswers(of("replay", 403), () =>
      words(401, ""),
    ),
  }),
  ...leftOpen("open.replay.status-when-not-ready", {
    "answers 404 while a recording is made": notReady(404),
    "answers 425 while a recording is made": notReady(425),
    "answers 202 while a recording is made": notReady(202),
    "answers 400 while a recording is made": notReady(400),
    "answers 422 while a recording is made": changeAnswers(of("replay", 409), () => json(422, problem)),
  }),
];

function turning(): Service["cookies"] {
  let time = 0;
  return () => ({ cookies: (time += 1) % 2 === 0 ? cookies.toReversed() : [...cookies] });
}
