/** Answers to reads of cookies and of the recording that break a sentence. */
import type { ReceivedRequest, Json } from "../../targets/messages.ts";
import { cookies, recording } from "../../targets/content.ts";
import {
  breaking,
  changedAt,
  kindsBut,
  addWord,
  noJson,
  together,
  where,
  withField,
  type Breaker,
  type Place,
  type Ways,
} from "../breaker.ts";
import { field, inJson, status } from "../../targets/parts.ts";

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

const jar = [...cookies, { name: "theme", value: "dark" }];
const cookie = (place: Place, change: (cookie: Json) => Json): Breaker["breaks"] =>
  field("cookies", changedAt(jar, place, change));

/** Returns whether the status is stated: extra headers, queries and bodies of a read are not shown. */
export const isBare = ({ query, headers, body }: ReceivedRequest): boolean =>
  query.size === 0 && body === "" && !Object.keys(headers).some((name) => name.startsWith("x-"));

const cookieBreakers: readonly Breaker[] = [
  ...where(
    isBare,
    breaking("cookies", "cookies.status-200", {
      "cookies-answers-500": status(500),
      "cookies-answers-203": status(203),
      "cookies-answers-400": status(400),
    }),
  ),
  ...breaking("cookies", "cookies.body-is-json", addWord("cookies", noJson)),
  ...breaking("cookies", "cookies.body", {
    "cookies-is-a-bare-list": inJson(() => [...cookies]),
    "cookies-is-missing": inJson(() => ({})),
    "cookies-is-called-items": inJson(() => ({ items: [...cookies] })),
    ...kindsBut("cookies", ["a-list"], (to) => field("cookies", to)),
  }),
  ...breaking(
    "cookies",
    "cookies.items",
    together(
      ...(["first", "middle", "last"] as const).map((place) =>
        kindsBut(`${place}-cookie`, ["an-object"], (to) => cookie(place, () => to)),
      ),
    ),
  ),
  // Null is no type of its own here: whether a field may be null is left open.
  ...Object.entries(types).flatMap(([name, right]) =>
    breaking(
      "cookies",
      `cookies.cookie.${name}.type`,
      together(
        ...(["first", "middle", "last"] as const).map((place) =>
          kindsBut(`${name}-of-${place}-cookie`, ["null", ...right], (to) =>
            cookie(place, (one) => withField(one, name, to)),
          ),
        ),
      ),
    ),
  ),
];

const film = (name: string, to?: Json): Breaker["breaks"] => field(name, to);
const ways = (name: string, values: readonly Json[]): Ways =>
  Object.fromEntries(values.map((to, at) => [`${name}-form-${at + 1}`, film(name, to)]));

/** A playlist of segments at these addresses. */
const playlist = (...addresses: readonly string[]): string =>
  `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:5\n${addresses.map((address) => `#EXTINF:2.51,\n${address}\n`).join("")}#EXT-X-ENDLIST\n`;
const store = "https://recordings.example/7c1d";
const signed = (name: string, query = "signature=b6f0"): string => `${store}/${name}?${query}`;
const of = (sign: (name: string, at: number) => string): string =>
  playlist(...["0.ts", "1.ts", "2.ts", "3.ts"].map(sign));
const amazon = (date: string, seconds: number): string =>
  `X-Amz-Date=${date}&X-Amz-Expires=${seconds}&X-Amz-Signature=b6f0`;

const texts = ["mp4_url", "playlist_content", "expires_at"];
const numbers = ["video_start_ms", "video_duration_ms"];

const replayBreakers: readonly Breaker[] = [
  ...where(
    isBare,
    breaking("replay", "replay.status-200", {
      "replay-answers-201": status(201),
      "replay-answers-203": status(203),
      "replay-answers-206": status(206),
    }),
  ),
  ...breaking("replay", "replay.body-is-json", addWord("replay", noJson)),
  ...breaking("replay", "replay.schema", {
    "replay-is-a-list": inJson(() => [recording]),
    "replay-is-an-address": inJson(() => "https://recordings.example/7c1d.mp4"),
    "replay-is-null": inJson(() => null),
  }),
  ...[...texts, ...numbers].flatMap((name) =>
    breaking("replay", `replay.${name}.required`, { [`${name}-is-missing`]: film(name) }),
  ),
  ...texts.flatMap((name) =>
    breaking(
      "replay",
      `replay.${name}.type`,
      kindsBut(name, ["a-string"], (to) => film(name, to)),
    ),
  ),
  ...numbers.flatMap((name) =>
    breaking(
      "replay",
      `replay.${name}.type`,
      kindsBut(name, ["a-number"], (to) => film(name, to)),
    ),
  ),
  ...breaking(
    "replay",
    "replay.mp4_url.address",
    ways("mp4_url", ["/recordings/7c1d.mp4", "s3://recordings/7c1d.mp4", "", "recordings.example/7c1d.mp4"]),
  ),
  ...breaking(
    "replay",
    "replay.playlist_content.hls",
    ways("playlist_content", [
      "https://recordings.example/7c1d.m3u8",
      "",
      "#EXTINF:10.0,\nhttps://recordings.example/7c1d/0.ts\n",
      "I0VYVE0zVQo=",
    ]),
  ),
  ...breaking("replay", "replay.addresses-signed-alike", {
    "first-segment-is-unsigned": film(
      "playlist_content",
      of((name, at) => (at > 0 ? signed(name) : `${store}/${name}`)),
    ),
    "last-segment-is-unsigned": film(
      "playlist_content",
      of((name, at) => (at < 3 ? signed(name) : `${store}/${name}`)),
    ),
    "a-segment-has-another-query": film(
      "playlist_content",
      of((name, at) => signed(name, at === 2 ? "version=2" : undefined)),
    ),
    "mp4-is-unsigned": film("mp4_url", `${store}/replay.mp4`),
    "segments-are-unsigned": film(
      "playlist_content",
      of((name) => `${store}/${name}`),
    ),
  }),
  ...breaking("replay", "replay.expires_at.of-addresses", {
    "mp4-expires-sooner": film("mp4_url", signed("replay.mp4", amazon("20361121T080000Z", 600))),
    "mp4-expires-a-day-later": film("mp4_url", signed("replay.mp4", amazon("20361121T093000Z", 86_400))),
    "a-segment-expires-sooner": film(
      "playlist_content",
      of((name, at) => signed(name, amazon("20361121T083000Z", at === 1 ? 900 : 3600))),
    ),
    "segments-expire-in-milliseconds": film(
      "playlist_content",
      of((name) => signed(name, "Expires=2111131800000&Signature=b6f0&Key-Pair-Id=K7")),
    ),
  }),
  ...breaking(
    "replay",
    "replay.expires_at.iso-8601-with-offset",
    ways("expires_at", [
      "2036-11-21T09:30:00",
      "Fri, 21 Nov 2036 09:30:00 GMT",
      "2111131800",
      "2036-13-41T09:30:00Z",
      "2036-11-21T09:30:00 Europe/Berlin",
      "",
    ]),
  ),
];

/** The table. */
export const readBreakers: readonly Breaker[] = [...cookieBreakers, ...replayBreakers];
