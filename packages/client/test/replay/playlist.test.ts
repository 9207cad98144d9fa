import { expect, test } from "vitest";
import { parsePlaylist, segmentsBetween, type MediaPlaylist, type PlaylistOptions } from "../../src/replay.ts";
import { canary, showAll } from "./replay-host.ts";
import { measureProcessorTime } from "@cloud-browser/testing/processor-time.ts";

const head = ["#EXTM3U", "#EXT-X-TARGETDURATION:10"];

/** A segment as it is when the playlist says nothing else of it. */
function createSegment(uri: string, startSeconds: number, durationSeconds: number, facts: object = {}) {
  return {
    uri,
    durationSeconds,
    startSeconds,
    endSeconds: startSeconds + durationSeconds,
    discontinuity: false,
    ...facts,
  };
}

interface Row {
  readonly name: string;
  readonly lines: string[];
  readonly options?: PlaylistOptions;
  /** All segments, and what is not as in most playlists. */
  readonly want: Pick<MediaPlaylist, "segments"> & Partial<MediaPlaylist>;
}
const key = { method: "AES-128", uri: "https://files.example/v/k" };
const resolved = { key, map: { uri: "https://files.example/m", key } };
const playlists: Row[] = [
  {
    name: "nothing but a target duration",
    lines: head,
    want: { targetDurationSeconds: 10, mediaSequence: 0, endList: false, version: 1, segments: [], totalSeconds: 0 },
  },
  {
    name: "the example of the contract",
    lines: [
      "#EXTM3U",
      "#EXT-X-VERSION:3",
      "#EXT-X-TARGETDURATION:10",
      "#EXT-X-PLAYLIST-TYPE:VOD",
      "#EXTINF:10.0,",
      "https://recordings.example/0.ts?signature=example",
      "#EXTINF:2.5,",
      "https://recordings.example/1.ts?signature=example",
      "#EXT-X-ENDLIST",
      "",
    ],
    want: {
      targetDurationSeconds: 10,
      mediaSequence: 0,
      endList: true,
      version: 3,
      segments: [
        createSegment("https://recordings.example/0.ts?signature=example", 0, 10),
        createSegment("https://recordings.example/1.ts?signature=example", 10, 2.5),
      ],
      totalSeconds: 12.5,
    },
  },
  {
    name: "titles with commas, comments, empty lines and unknown tags",
    lines: [...head, "#EXTINF:4,one, two", "# a comment", "", "#EXT-X-NEW:A=1", "#EXTRA", "a", "#EXTINF:4, ", "b"],
    want: { segments: [createSegment("a", 0, 4, { title: "one, two" }), createSegment("b", 4, 4)] },
  },
  {
    name: "white space around lines and numbers",
    lines: [...head, "  #EXTINF: 4 ,", "\ta ", "#EXTINF:4.,", "b"],
    want: { segments: [createSegment("a", 0, 4), createSegment("b", 4, 4)] },
  },
  {
    name: "ranges, with and without an offset",
    lines: [
      ...head,
      "#EXT-X-BYTERANGE:100@50",
      "#EXTINF:1,",
      "a",
      "#EXTINF:1,",
      "#EXT-X-BYTERANGE:10",
      "a",
      "#EXTINF:1,",
      "#EXT-X-BYTERANGE:5",
      "a",
      "#EXTINF:1,",
      "b",
    ],
    want: {
      segments: [
        createSegment("a", 0, 1, { byteRange: { offset: 50, length: 100 } }),
        createSegment("a", 1, 1, { byteRange: { offset: 150, length: 10 } }),
        createSegment("a", 2, 1, { byteRange: { offset: 160, length: 5 } }),
        createSegment("b", 3, 1),
      ],
    },
  },
  {
    name: "a map, a part of a file, and another one",
    lines: [
      ...head,
      '#EXT-X-MAP:URI="a,b=c.mp4",BYTERANGE="100@5"',
      "#EXTINF:1,",
      "a",
      "#EXTINF:1,",
      "b",
      '#EXT-X-MAP:BYTERANGE="7",URI="d.mp4"',
      "#EXTINF:1,",
      "c",
    ],
    want: {
      map: { uri: "a,b=c.mp4", byteRange: { offset: 5, length: 100 } },
      segments: [
        createSegment("a", 0, 1, { map: { uri: "a,b=c.mp4", byteRange: { offset: 5, length: 100 } } }),
        createSegment("b", 1, 1, { map: { uri: "a,b=c.mp4", byteRange: { offset: 5, length: 100 } } }),
        createSegment("c", 2, 1, { map: { uri: "d.mp4", byteRange: { offset: 0, length: 7 } } }),
      ],
    },
  },
  {
    name: "keys, from their line on, until there is none",
    lines: [
      ...head,
      "#EXTINF:1,",
      "a",
      '#EXT-X-KEY:METHOD=AES-128,URI="k?a=1,b=2", IV=0x0F,KEYFORMAT="identity"',
      "#EXTINF:1,",
      "b",
      '#EXT-X-MAP:URI="m"',
      "#EXT-X-KEY:METHOD=NONE",
      "#EXTINF:1,",
      "c",
    ],
    want: {
      segments: [
        createSegment("a", 0, 1),
        createSegment("b", 1, 1, { key: { method: "AES-128", uri: "k?a=1,b=2", iv: "0x0F", keyFormat: "identity" } }),
        createSegment("c", 2, 1, {
          map: { uri: "m", key: { method: "AES-128", uri: "k?a=1,b=2", iv: "0x0F", keyFormat: "identity" } },
        }),
      ],
    },
  },
  {
    name: "a discontinuity and a time, of the next segment only",
    lines: [
      ...head,
      "#EXT-X-MEDIA-SEQUENCE:7",
      "#EXT-X-DISCONTINUITY",
      "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T09:30:00.000Z",
      "#EXTINF:1,",
      "a",
      "#EXTINF:1,",
      "b",
    ],
    want: {
      mediaSequence: 7,
      segments: [
        createSegment("a", 0, 1, { discontinuity: true, programDateTime: "2026-11-21T09:30:00.000Z" }),
        createSegment("b", 1, 1),
      ],
    },
  },
  {
    name: "relative addresses with a base",
    lines: [
      ...head,
      '#EXT-X-KEY:METHOD=AES-128,URI="k"',
      '#EXT-X-MAP:URI="/m"',
      "#EXTINF:1,",
      "a?x",
      "#EXTINF:1,",
      "https://h/b",
    ],
    options: { baseUrl: "https://files.example/v/list.m3u8?x" },
    want: {
      map: resolved.map,
      segments: [
        createSegment("https://files.example/v/a?x", 0, 1, resolved),
        createSegment("https://h/b", 1, 1, resolved),
      ],
    },
  },
];
for (const [ending, name] of [
  ["\n", "LF"],
  ["\r\n", "CRLF"],
  ["\r", "CR"],
] as const) {
  test.for(playlists)(`reads a playlist with ${name}: $name`, ({ lines, options, want }) => {
    const totalSeconds = want.segments.at(-1)?.endSeconds ?? 0;
    const most = { targetDurationSeconds: 10, mediaSequence: 0, endList: false, version: 1, totalSeconds };
    expect(parsePlaylist(lines.join(ending), options)).toEqual({ ...most, ...want });
    expect(parsePlaylist(`\uFEFF${lines.join(ending)}${ending}`, options)).toEqual({ ...most, ...want });
  });
}

test("keeps one object for a map that segments share", () => {
  const { map, segments } = parsePlaylist(
    [...head, '#EXT-X-MAP:URI="m"', "#EXTINF:1,", "a", "#EXTINF:1,", "b"].join("\n"),
  );
  expect(segments.map((each) => each.map === map)).toEqual([true, true]);
});

const broken = [
  { name: "nothing", lines: [], line: 1 },
  { name: "other text", lines: [canary], line: 1 },
  { name: "an empty line at first", lines: ["", ...head], line: 1 },
  { name: "HTML", lines: [`<html>${canary}`], line: 1 },
  { name: "no target duration", lines: ["#EXTM3U", "#EXTINF:1,", canary], line: 3 },
  { name: "a master playlist", lines: ["#EXTM3U", "#EXT-X-STREAM-INF:BANDWIDTH=1", canary], line: 2 },
  { name: "alternatives", lines: ["#EXTM3U", `#EXT-X-MEDIA:TYPE=AUDIO,URI="${canary}"`], line: 2 },
  { name: "key frames", lines: ["#EXTM3U", `#EXT-X-I-FRAME-STREAM-INF:URI="${canary}"`], line: 2 },
  { name: "a segment without duration", lines: [...head, canary], line: 3 },
  { name: "a second segment without duration", lines: [...head, "#EXTINF:1,", "a", canary], line: 5 },
  ...["", canary, "-1", "1e3", "NaN", "Infinity", "0x10", "1 2", "9".repeat(400)].map((duration) => ({
    name: `the duration ${duration.slice(0, 9)}`,
    lines: [...head, `#EXTINF:${duration},`, canary],
    line: 3,
  })),
  { name: "a target duration that is none", lines: ["#EXTM3U", `#EXT-X-TARGETDURATION:${canary}`], line: 2 },
  { name: "a sequence that is none", lines: [...head, `#EXT-X-MEDIA-SEQUENCE:${canary}`], line: 3 },
  { name: "half a sequence", lines: [...head, "#EXT-X-MEDIA-SEQUENCE:1.5"], line: 3 },
  { name: "a version that is none", lines: [...head, "#EXT-X-VERSION:"], line: 3 },
  ...["", "x", "1@x", "1@", "-1@0", "1.5@0", "0@0", "0", "00@7"].map((range) => ({
    name: `the range ${JSON.stringify(range)}`,
    lines: [...head, `#EXT-X-BYTERANGE:${range}`, "#EXTINF:1,", canary],
    line: 5,
  })),
  {
    name: "a range after nothing",
    lines: [...head, "#EXT-X-BYTERANGE:1", "#EXTINF:1,", canary],
    line: 5,
  },
  {
    name: "a range after one of another file",
    lines: [...head, "#EXT-X-BYTERANGE:1@0", "#EXTINF:1,", "a", "#EXT-X-BYTERANGE:1", "#EXTINF:1,", canary],
    line: 8,
  },
  { name: "a map without address", lines: [...head, `#EXT-X-MAP:X="${canary}"`], line: 3 },
  { name: "a map with a broken range", lines: [...head, `#EXT-X-MAP:URI="${canary}",BYTERANGE="x"`], line: 3 },
  { name: "a map with an empty range", lines: [...head, `#EXT-X-MAP:URI="${canary}",BYTERANGE="0@0"`], line: 3 },
  { name: "a key without method", lines: [...head, `#EXT-X-KEY:URI="${canary}"`], line: 3 },
  { name: "a key with an empty address", lines: [...head, '#EXT-X-KEY:METHOD=AES-128,URI=""'], line: 3 },
  {
    name: "an address that can't be resolved",
    lines: [...head, "#EXTINF:1,", `http://[${canary}`],
    options: { baseUrl: "https://h" },
    line: 4,
  },
];
test.for(broken)(
  "names the line and quotes nothing: $name",
  ({ lines, options, line }: (typeof broken)[number] & Partial<Row>) => {
    const error = ((): unknown => {
      try {
        return parsePlaylist(lines.join("\n"), options);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toMatchObject({ code: "unexpected-content", message: expect.stringContaining(`line ${line} `) });
    expect(showAll(error)).not.toContain(canary);
  },
);

test("a malformed base URL is misuse", () => {
  expect(() => parsePlaylist(head.join("\n"), { baseUrl: "/v" })).toThrow(expect.objectContaining({ code: "misuse" }));
});

test.for([
  { name: "an attribute without end", line: `#EXT-X-KEY:${"A".repeat(200_000)}` },
  { name: "many commas", line: `#EXT-X-KEY:METHOD=NONE${", ".repeat(100_000)}` },
  { name: "a long tag", line: `#EXT${"-X".repeat(100_000)}` },
  { name: "quotes that do not end", line: `#EXT-X-KEY:METHOD=NONE${',A="'.repeat(50_000)}` },
  { name: "spaces", line: `#EXT-X-KEY:METHOD=NONE,${" ".repeat(200_000)}x` },
])("reads a long line in no time: $name", ({ line }) => {
  const parse = (): void => {
    try {
      parsePlaylist([...head, line].join("\n"));
    } catch {
      // Whether it is a playlist is another question.
    }
  };
  expect(measureProcessorTime(parse)).toBeLessThan(500);
});

const text = [...head, ...["a", "b", "c"].flatMap((uri) => ["#EXTINF:10,", uri])].join("\n");
test.for([
  { from: 0, to: 30, want: "abc" },
  { from: 0, to: 10, want: "a" },
  { from: 10, to: 20, want: "b" },
  { from: 9.9, to: 10.1, want: "ab" },
  { from: 12, to: 13, want: "b" },
  { from: 29, to: Infinity, want: "c" },
  { from: 30, to: 40, want: "" },
  { from: -Infinity, to: 0, want: "" },
  { from: -5, to: 1, want: "a" },
])("finds the segments from $from to $to", ({ from, to, want }) => {
  const segments = segmentsBetween(parsePlaylist(text), from, to);
  expect(segments.map(({ uri }) => uri).join("")).toBe(want);
});

test.for([
  [5, 5],
  [6, 5],
  [NaN, 5],
  [5, NaN],
])("calls the times %s and %s misuse", ([from = 0, to = 0]) => {
  expect(() => segmentsBetween(parsePlaylist(text), from, to)).toThrow(expect.objectContaining({ code: "misuse" }));
});
