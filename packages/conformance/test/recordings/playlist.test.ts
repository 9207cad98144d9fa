import { expect, test } from "vitest";
import { playlistDurationMs, readPlaylist, type Playlist } from "../../src/checks/replay/recording/media/playlist.ts";
import { measureProcessorTime } from "@cloud-browser/testing/processor-time.ts";

const plain: Playlist = {
  isPlaylist: true,
  isMaster: false,
  segments: [],
  variants: [],
  maps: [],
  keys: [],
  hasEnd: false,
  encrypted: false,
  problem: undefined,
  missing: undefined,
};

const segment = (address: string, seconds: number): Playlist["segments"][number] => ({
  address,
  seconds,
  isPart: false,
  isDiscontinuous: false,
});

/** The head of a playlist, up to its segments. */
const head = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:10\n";
const byteRange = '#EXT-X-MAP:URI="i.mp4"\n#EXTINF:1,\na\n#EXT-X-MAP:BYTERANGE="9@0",URI="i.mp4"\n#EXTINF:1,\nb\n';
const parts = "#EXTINF:1,\na\n#EXT-X-DISCONTINUITY\n#EXTINF:1,\n#EXT-X-BYTERANGE:9@0\nb\n";
const tell = (text: string): unknown => expect.stringContaining(text);

type Row = readonly [kind: string, text: string, want: Partial<Record<keyof Playlist, unknown>>, durationMs?: number];
const rows: readonly Row[] = [
  [
    "two segments and an end",
    `${head}#EXTINF:9.5,first\na.ts\n#EXTINF:3,\n\nb.ts\n#EXT-X-ENDLIST\n`,
    { segments: [segment("a.ts", 9.5), segment("b.ts", 3)], hasEnd: true },
    12_500,
  ],
  [
    "line ends of Windows, and a byte order mark",
    "\uFEFF#EXTM3U\r\n#EXT-X-TARGETDURATION:10\r\n#EXTINF:1,\r\na.ts\r\n",
    { segments: [segment("a.ts", 1)] },
    1000,
  ],
  [
    "a segment that does not say how long it lasts",
    `${head}#EXTINF:1,\na.ts\nb.ts\n`,
    { problem: tell("not preceded by any segment tags"), missing: "#EXTINF with seconds, of a segment" },
  ],
  [
    "an initialization section that is named twice",
    `${head}${byteRange}`,
    { maps: ["i.mp4"], segments: [segment("a", 1), segment("b", 1)] },
    2000,
  ],
  [
    "a key",
    `${head}#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXTINF:1,\na\n`,
    { encrypted: true, keys: ["k"], segments: [segment("a", 1)] },
    1000,
  ],
  [
    "a segment that is a part of a file, behind a discontinuity",
    `${head}${parts}`,
    { segments: [segment("a", 1), { ...segment("b", 1), isPart: true, isDiscontinuous: true }] },
    2000,
  ],
  ["a key of the method NONE", `${head}#EXT-X-KEY:METHOD=NONE\n#EXTINF:1,\na\n`, { segments: [segment("a", 1)] }, 1000],
  ["other playlists", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n", { isMaster: true, variants: ["low.m3u8"] }],
  [
    "a segment that is longer than the target duration",
    "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:2\n#EXTINF:9,\na\n",
    { segments: [segment("a", 9)], problem: tell("less than or equal to the target duration") },
    9000,
  ],
  [
    "no target duration",
    "#EXTM3U\n#EXTINF:1,\na\n",
    {
      segments: [segment("a", 1)],
      problem: tell("TARGETDURATION"),
      missing: "#EXT-X-TARGETDURATION with seconds",
    },
    1000,
  ],
  ["nothing", "", { isPlaylist: false, problem: tell("EXTM3U") }],
  ["a first line that is another", "#EXTM3U8\n", { isPlaylist: false, problem: tell("EXTM3U") }],
];

test.for(rows)("a playlist with %s", ([, text, want, durationMs]) => {
  const playlist = readPlaylist(text);
  expect(playlist).toEqual({ ...plain, ...want });
  expect(playlistDurationMs(playlist)).toBe(durationMs);
});

test("a playlist of 1 MB that repeats what makes parsers slow is read in bounded time", () => {
  const texts = ["#EXTM3U\n#EXT-X-KEY:" + '"'.repeat(1_000_000), "#EXTM3U\n" + "#EXTINF:1,\na\n".repeat(80_000)];
  expect(measureProcessorTime(() => texts.map(readPlaylist))).toBeLessThan(10_000);
});

test("a value that breaks a rule is given whole, so that a secret in it is recognized wherever it stands", () => {
  const value = `${"x".repeat(160)}sk-0123456789-0123456789-0123456789`;
  const text = `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,VIDEO-RANGE=${value}\na.m3u8\n`;
  expect(readPlaylist(text).problem).toContain(value);
});

const whole =
  "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:9.5,\na.ts\n#EXTINF:3.0,\nb.ts\n#EXT-X-ENDLIST\n";

/** A replacement in the whole playlist, and whether it then lacks what every playlist needs, or breaks a rule. */
const changes: readonly (readonly [from: string, to: string, is: "right" | "broken" | "lacking"])[] = [
  ["", "", "right"],
  ["#EXT-X-MEDIA-SEQUENCE:0\n", "", "right"],
  ["#EXT-X-ENDLIST\n", "#EXT-X-ENDLIST", "right"],
  ["9.5,", "9.5,a title, with a comma", "right"],
  ["#EXTINF:9.5", "#EXT-X-ENDLIST-OF-A-VENDOR\n# a comment\n#EXTINF:9.5", "right"],
  ["#EXTINF:9.5", "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T09:30:00.5+01:00\n#EXTINF:9.5", "right"],
  ["#EXT-X-TARGETDURATION:10\n", "", "lacking"],
  ["DURATION:10", "DURATION:soon", "lacking"],
  ["3.0,", ",", "lacking"],
  ["3.0,", "-3.0,", "lacking"],
  ["3.0,", "PT3S,", "lacking"],
  ["DURATION:10", "DURATION:9", "broken"],
  ["DURATION:10", "DURATION:10.5", "broken"],
  ["#EXT-X-TARGETDURATION:10\n", "#EXT-X-TARGETDURATION:10\n#EXT-X-TARGETDURATION:11\n", "broken"],
  ["VERSION:3", "VERSION:2", "broken"],
  ["#EXT-X-VERSION:3\n", "", "broken"],
  ["9.5,", "9.5", "broken"],
  ["SEQUENCE:0", "SEQUENCE:-1", "broken"],
  ["SEQUENCE:0", "SEQUENCE:first", "broken"],
  ["#EXT-X-VERSION", "#EXT-X-PLAYLIST-TYPE:LIVE\n#EXT-X-VERSION", "broken"],
  ["#EXT-X-VERSION", "#EXTM3U\n#EXT-X-VERSION", "broken"],
  ["#EXTINF:9.5", "#EXT-X-PROGRAM-DATE-TIME:2026-13-21T25:61:00Z\n#EXTINF:9.5", "broken"],
  ["#EXT-X-ENDLIST", "#EXTINF:1.0,\n#EXT-X-ENDLIST", "broken"],
];

test.for(changes)("a playlist where %j has become %j is %s", ([from, to, is]) => {
  const { missing, problem } = readPlaylist(whole.replace(from, to));
  expect(missing !== undefined ? "lacking" : problem !== undefined ? "broken" : "right").toBe(is);
});
