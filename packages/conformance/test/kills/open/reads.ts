/** Correct servers that use what the interface leaves open about cookies and recordings. */
import { addHeaders, instead, refuse } from "../../targets/changes.ts";
import { answers, at, isUnknownSession, type Condition } from "../../targets/conditions.ts";
import { cookies } from "../../targets/content.ts";
import { json, words, type Fields, type Json } from "../../targets/messages.ts";
import { film, jar, revise, reviseAll } from "../../targets/parts.ts";
import type { Parts, Service } from "../../targets/service.ts";
import { each } from "../ways.ts";
import { leaveOpen, type OpenServer } from "./open-server.ts";

const fill = (more: Fields): Parts => jar(...each(cookies, () => more));
const problem: Json = [{ loc: ["path", "session_id"], msg: "no such session", type: "value_error" }];
const isWaiting: Condition = (request, answer) =>
  at("replay")(request, answer) && answers((status) => status === 409)(request, answer);
const hasExtraHeaders: Condition = (request) => Object.keys(request.headers).some((name) => name.startsWith("x-"));
const hasReadBody: Condition = ({ method, body }) => method === "GET" && body !== "";

/** A playlist that takes no time. */
const nothing =
  "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXTINF:0.0,\nhttps://recordings.example/7c1d/0.ts?signature=b6f0\n#EXT-X-ENDLIST\n";

/** Reverses the cookies at every second read. */
function turn(): Service["cookies"] {
  let time = 0;
  return () => ({ cookies: (time += 1) % 2 === 0 ? cookies.toReversed() : [...cookies] });
}

export const openReads: readonly OpenServer[] = leaveOpen({
  "open.cookies.required-fields": {
    "sends cookies of one field each": jar({ name: "a" }, { value: "b" }, { domain: "ferries.example" }, { path: "/" }),
    "sends a cookie without any field": jar({}),
    "sends no cookie": jar(),
  },
  "open.cookies.expirationDate-unit": {
    "tells `expirationDate` in milliseconds": fill({ expirationDate: 1_798_761_600_250 }),
    "tells `expirationDate` as 0": fill({ expirationDate: 0 }),
    "tells a negative `expirationDate`": fill({ expirationDate: -1.5 }),
  },
  "open.cookies.expires-unit": {
    "tells `expires` in milliseconds": fill({ expires: 1_798_761_600_000 }),
    "tells `expires` with parts of seconds": fill({ expires: 1_798_761_600.123456 }),
  },
  "open.cookies.sameSite-values": {
    "writes `sameSite` in capitals": fill({ sameSite: "Strict" }),
    "has its own word for `sameSite`": fill({ sameSite: "no_restriction" }),
    "has no word for `sameSite`": fill({ sameSite: "" }),
  },
  "open.cookies.null-fields": {
    "sends null for what a cookie does not have": fill({ expirationDate: null, partitionKey: null, storeId: null }),
    "sends null for every field of a cookie": jar(
      Object.fromEntries(Object.keys(cookies[1] ?? {}).map((name) => [name, null])),
    ),
  },
  "open.cookies.order": {
    "sends cookies by their names, the last one first": jar(...cookies.toReversed()),
    "sends cookies in another order each time": { cookies: turn() },
  },
  "open.cookies.duplicates": {
    "sends each cookie twice": jar(...cookies, ...cookies),
    "sends two cookies of one name": jar({ name: "sid", value: "1" }, { name: "sid", value: "2" }),
  },
  "open.cookies.extra-headers": {
    "takes no extra headers with cookies": revise("cookies", refuse(400), hasExtraHeaders),
    "answers extra headers with as many": revise("cookies", addHeaders({ "x-total": "2", "x-next": "" })),
  },
  "open.cookies.422-cause": {
    "tells ids of odd letters, or of many, by 422": reviseAll(refuse(422, problem), at("cookies"), ({ path }) =>
      /%20|\/[^/]{200}/.test(path),
    ),
    "tells extra headers with cookies by 422": revise("cookies", refuse(422, []), hasExtraHeaders),
  },
  "open.http.get-body": {
    "takes no body with a read": reviseAll(refuse(400), hasReadBody),
    "tells a body with a read by 413": reviseAll(refuse(413), hasReadBody),
  },
  "open.replay.url-form": {
    "has recordings at a port, without a signature": film({ mp4_url: "http://recordings.example:9000/7c1d" }),
    "has recordings below a long path, with letters of other scripts": film({
      mp4_url: "https://recordings.example/a/%C3%A9/b.mp4?X-Amz-Signature=a%2Bb&X-Amz-Expires=600#t=0",
    }),
  },
  "open.replay.expires_at-in-past": {
    "tells an expiry of long ago": film({ expires_at: "2020-01-01T00:00:00+00:00" }),
    "tells an expiry of this century's beginning": film({ expires_at: "2000-02-29T23:59:59.999Z" }),
  },
  "open.replay.expires_at-offset": {
    "tells the expiry in universal time, with parts of seconds": film({ expires_at: "2036-11-21T09:30:00.123456Z" }),
    "tells the expiry west of Greenwich": film({ expires_at: "2036-11-21T02:00:00-07:30" }),
    "tells the expiry without seconds": film({ expires_at: "2036-11-21T15:15+05:45" }),
  },
  "open.replay.video_start_ms-origin": {
    "counts the start from its own beginning": film({ video_start_ms: -40 }),
    "counts the start from 1970": film({ video_start_ms: 2_110_959_000_000 }),
  },
  "open.replay.video_duration_ms-zero": {
    "has a recording without length": film({ video_duration_ms: 0, playlist_content: nothing }),
    "has a recording of a length that is less than nothing": film({ video_duration_ms: -1, playlist_content: nothing }),
  },
  "open.replay.error-responses": {
    "knows no recording of an unknown session, in words": reviseAll(
      instead(words(404, "no recording")),
      at("replay"),
      isUnknownSession,
    ),
    "tells an unknown recording by 422": reviseAll(refuse(422, problem), at("replay"), isUnknownSession),
    "has no answer in JSON to who asks for a recording without a key": revise(
      "replay-stranger",
      instead(words(401, "")),
    ),
  },
  "open.replay.status-when-not-ready": {
    "answers 404 while a recording is made": reviseAll(refuse(404, "wait"), isWaiting),
    "answers 425 while a recording is made": reviseAll(refuse(425, "wait"), isWaiting),
    "answers 202 while a recording is made": reviseAll(instead(json(202, { detail: "wait" })), isWaiting),
    "answers 400 while a recording is made": reviseAll(refuse(400, "wait"), isWaiting),
    "answers 422 while a recording is made": reviseAll(refuse(422, problem), isWaiting),
  },
});
