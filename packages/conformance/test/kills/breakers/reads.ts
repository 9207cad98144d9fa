/** Answers to reads of cookies and of the recording that break a sentence. */
import { give, listStatuses, set, type Change } from "../../targets/changes.ts";
import type { Condition } from "../../targets/conditions.ts";
import { cookies, recording } from "../../targets/content.ts";
import { breakAnswers, type AnswerFault } from "../../targets/fault.ts";
import type { Json } from "../../targets/messages.ts";
import { addWord, atPlaces, list, noJson, setKinds, type Ways } from "../ways.ts";

/** The right types of the fields of a cookie; whether one may be null is left open. */
const types: Readonly<Record<string, readonly string[]>> = {
  name: ["a-string"],
  value: ["a-string"],
  domain: ["a-string"],
  path: ["a-string"],
  httpOnly: ["a-boolean"],
  expirationDate: ["a-number", "a-fraction"],
  hostOnly: ["a-boolean"],
  sameSite: ["a-string"],
  secure: ["a-boolean"],
  session: ["a-boolean"],
  storeId: ["a-string"],
  expires: ["a-number", "a-fraction"],
  partitionKey: ["a-string"],
};

/** Has three cookies. */
const fillJar = set("cookies", [...cookies, { name: "theme", value: "dark" }]);

/** Returns whether the status is stated: extra headers, queries and bodies of a read are not shown. */
export const isBare: Condition = ({ query, headers, body }) =>
  query.size === 0 && body === "" && !Object.keys(headers).some((name) => name.startsWith("x-"));

const cookieBreakers: readonly AnswerFault[] = [
  ...breakAnswers(
    "cookies",
    {
      "cookies.status-200": listStatuses("cookies", [500, 203, 400]),
    },
    { fits: isBare },
  ),
  ...breakAnswers("cookies", {
    "cookies.body-is-json": addWord("cookies", noJson),
    "cookies.body": {
      "cookies-is-a-bare-list": give([...cookies]),
      "cookies-is-missing": give({}),
      "cookies-is-called-items": give({ items: [...cookies] }),
      ...setKinds("cookies", "cookies", ["a-list"]),
    },
    "cookies.items": atPlaces((place) => setKinds(`${place}-cookie`, `cookies/${place}`, ["an-object"], fillJar)),
    ...Object.fromEntries(
      Object.entries(types).map(([name, right]) => [
        `cookies.cookie.${name}.type`,
        atPlaces((place) =>
          setKinds(`${name}-of-${place}-cookie`, `cookies/${place}/${name}`, ["null", ...right], fillJar),
        ),
      ]),
    ),
  }),
];

const setForms = (name: string, ...values: readonly Json[]): Ways =>
  list(values, (to, at) => [`${name}-form-${at + 1}`, set(name, to)]);

const store = "https://recordings.example/7c1d";
const sign = (name: string, query = "signature=b6f0"): string => `${store}/${name}?${query}`;
const amazon = (date: string, seconds: number): string =>
  `X-Amz-Date=${date}&X-Amz-Expires=${seconds}&X-Amz-Signature=b6f0`;

/** A playlist of four segments at these addresses. */
const setPlaylist = (address: (name: string, at: number) => string): Change => {
  const segments = ["0.ts", "1.ts", "2.ts", "3.ts"].map((name, at) => `#EXTINF:2.51,\n${address(name, at)}\n`);
  return set(
    "playlist_content",
    `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:5\n${segments.join("")}#EXT-X-ENDLIST\n`,
  );
};

const texts = ["mp4_url", "playlist_content", "expires_at"];
const numbers = ["video_start_ms", "video_duration_ms"];

const replayBreakers: readonly AnswerFault[] = [
  ...breakAnswers(
    "replay",
    {
      "replay.status-200": listStatuses("replay", [201, 203, 206]),
    },
    { fits: isBare },
  ),
  ...breakAnswers("replay", {
    "replay.body-is-json": addWord("replay", noJson),
    "replay.schema": {
      "replay-is-a-list": give([recording]),
      "replay-is-an-address": give("https://recordings.example/7c1d.mp4"),
      "replay-is-null": give(null),
    },
    ...Object.fromEntries(
      [...texts, ...numbers].flatMap((name) => [
        [`replay.${name}.required`, { [`${name}-is-missing`]: set(name) }],
        [`replay.${name}.type`, setKinds(name, name, [texts.includes(name) ? "a-string" : "a-number"])],
      ]),
    ),
    "replay.mp4_url.address": setForms(
      "mp4_url",
      "/recordings/7c1d.mp4",
      "s3://recordings/7c1d.mp4",
      "",
      "recordings.example/7c1d.mp4",
    ),
    "replay.playlist_content.hls": setForms(
      "playlist_content",
      "https://recordings.example/7c1d.m3u8",
      "",
      "#EXTINF:10.0,\nhttps://recordings.example/7c1d/0.ts\n",
      "I0VYVE0zVQo=",
    ),
    "replay.addresses-signed-alike": {
      "first-segment-is-unsigned": setPlaylist((name, at) => (at > 0 ? sign(name) : `${store}/${name}`)),
      "last-segment-is-unsigned": setPlaylist((name, at) => (at < 3 ? sign(name) : `${store}/${name}`)),
      "a-segment-has-another-query": setPlaylist((name, at) => sign(name, at === 2 ? "version=2" : undefined)),
      "mp4-is-unsigned": set("mp4_url", `${store}/replay.mp4`),
      "segments-are-unsigned": setPlaylist((name) => `${store}/${name}`),
    },
    "replay.expires_at.of-addresses": {
      "mp4-expires-sooner": set("mp4_url", sign("replay.mp4", amazon("20361121T080000Z", 600))),
      "mp4-expires-a-day-later": set("mp4_url", sign("replay.mp4", amazon("20361121T093000Z", 86_400))),
      "a-segment-expires-sooner": setPlaylist((name, at) =>
        sign(name, amazon("20361121T083000Z", at === 1 ? 900 : 3600)),
      ),
      "segments-expire-in-milliseconds": setPlaylist((name) =>
        sign(name, "Expires=2111131800000&Signature=b6f0&Key-Pair-Id=K7"),
      ),
    },
    "replay.expires_at.iso-8601-with-offset": setForms(
      "expires_at",
      "2036-11-21T09:30:00",
      "Fri, 21 Nov 2036 09:30:00 GMT",
      "2111131800",
      "2036-13-41T09:30:00Z",
      "2036-11-21T09:30:00 Europe/Berlin",
      "",
    ),
  }),
];

/** The table. */
export const readBreakers: readonly AnswerFault[] = [...cookieBreakers, ...replayBreakers];
