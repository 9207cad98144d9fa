import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isTransportStream } from "../../src/checks/replay/recording/media/transport-stream.ts";
import { isFragment, readMp4, type Mp4, type Mp4Track } from "../../src/checks/replay/recording/media/mp4.ts";
import { measureProcessorTime } from "@cloud-browser/testing/processor-time.ts";

const file = (name: string): Buffer => readFileSync(new URL(`media/${name}`, import.meta.url));

/** A box with a size of 64 bits. */
function wideBox(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1, 0);
  head.write(type, 4, "latin1");
  head.writeBigUInt64BE(BigInt(content.length + 16), 8);
  return Buffer.concat([head, content]);
}

function box(type: string, content: Buffer, size = content.length + 8): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
}

/** A movie header of the second version, whose times have 64 bits. */
function wideHeader(timescale: number, duration: bigint): Buffer {
  const content = Buffer.alloc(112);
  content.writeUInt8(1, 0);
  content.writeUInt32BE(timescale, 20);
  content.writeBigUInt64BE(duration, 24);
  return box("mvhd", content);
}

/** The movie, whose header says that it has so many samples, of seven bytes each. */
function promising(count: number): Buffer {
  const bytes = Buffer.from(file("movie.mp4"));
  const at = bytes.indexOf("stsz");
  bytes.writeUInt32BE(7, at + 8);
  bytes.writeUInt32BE(count, at + 12);
  return bytes;
}

/** Whole numbers below a limit, the same each time. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % limit;
  };
}

describe("a movie", () => {
  const video: Mp4Track = {
    kind: "video",
    samples: 20,
    bytes: 1805,
    samplesOutside: 0,
    places: expect.any(Array),
    headerMs: 2000,
    samplesMs: 2000,
  };
  const rows: readonly (readonly [given: string, bytes: Uint8Array, want: Partial<Mp4>])[] = [
    ["from ffmpeg", file("movie.mp4"), { boxes: ["ftyp", "moov", "free", "mdat"], durationMs: 2000, tracks: [video] }],
    [
      "with sound",
      file("sound.mp4"),
      {
        tracks: [video, expect.objectContaining({ kind: "audio", samples: 88, bytes: 16_455, samplesOutside: 0 })],
      },
    ],
    [
      "that ends before its last samples do",
      file("movie.mp4").subarray(0, 2800),
      { tracks: [expect.objectContaining({ kind: "video", samples: 20, samplesOutside: 6 })] },
    ],
    [
      "that promises 4,294,967,295 samples of one size",
      promising(0xffff_ffff),
      { boxes: ["ftyp", "moov", "free", "mdat"], durationMs: undefined, tracks: [] },
    ],
    [
      "in fragments without a length",
      file("fragmented.mp4"),
      {
        boxes: ["ftyp", "moov", "moof", "mdat", "moof", "mdat", "mfra"],
        tracks: [{ ...video, headerMs: undefined }],
      },
    ],
    [
      "with a header of 64 bits, in a box of 64 bits",
      Buffer.concat([box("ftyp", Buffer.alloc(8)), wideBox("moov", wideHeader(1000, 90_000n))]),
      { boxes: ["ftyp", "moov"], durationMs: 90_000 },
    ],
    [
      "with a duration that is not known",
      box("moov", wideHeader(1000, 0xffff_ffff_ffff_ffffn)),
      { boxes: ["moov"], durationMs: undefined },
    ],
    ["with a timescale of zero", box("moov", wideHeader(0, 1n)), { boxes: ["moov"], durationMs: undefined }],
    ["cut in its header", file("movie.mp4").subarray(0, 60), { boxes: ["ftyp", "moov"], durationMs: undefined }],
    ["whose last box has no size", box("mdat", Buffer.alloc(40), 0), { boxes: ["mdat"], durationMs: undefined }],
    ["with a box smaller than its own head", box("free", Buffer.alloc(40), 4), { boxes: [], durationMs: undefined }],
    ["that is a page", Buffer.from("\n\n\n\n<html></html>"), { boxes: ["<htm"], durationMs: undefined }],
    ["of no bytes", new Uint8Array(), { boxes: [], durationMs: undefined }],
  ];

  test.for(rows)("%s", ([, bytes, want]) => {
    expect(readMp4(bytes)).toMatchObject(want);
  });

  test("with any bytes wrong in its headers is read in bounded time and memory, without an error", () => {
    const random = randomFrom(7);
    const before = process.memoryUsage().rss;
    const spent = measureProcessorTime(() => {
      for (let count = 0; count < 400; count += 1) {
        const bytes = Buffer.from(file("movie.mp4"));
        for (let change = 0; change < 3; change += 1) bytes[random(1100)] = random(3) === 0 ? 255 : random(256);
        readMp4(bytes);
      }
    });
    expect(spent).toBeLessThan(10_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(300e6);
  });

  test("of a million boxes within its header is read in bounded time", () => {
    const bytes = box("moov", Buffer.alloc(8_000_000, box("free", Buffer.alloc(0))));
    expect(measureProcessorTime(() => readMp4(bytes))).toBeLessThan(1_000);
  });

  test("of a million boxes is read in bounded time", () => {
    const bytes = Buffer.alloc(8_000_000, box("free", Buffer.alloc(0)));
    let boxes: readonly string[] = [];
    expect(measureProcessorTime(() => ({ boxes } = readMp4(bytes)))).toBeLessThan(1_000);
    expect(boxes).toHaveLength(10_000);
  });
});

describe("a segment", () => {
  const rows: readonly (readonly [given: string, bytes: Uint8Array, stream: boolean, fragment: boolean])[] = [
    ["of a transport stream", file("seg0.mpegts"), true, false],
    ["of a transport stream that begins late", Buffer.concat([Buffer.alloc(50), file("seg1.mpegts")]), true, false],
    ["of one packet", file("seg0.mpegts").subarray(0, 188), true, false],
    ["of fragmented MP4", file("frag1.m4s"), false, true],
    ["that is a whole MP4", file("movie.mp4"), false, true],
    ["that is an initialization section", file("init.mp4"), false, false],
    ["that is a page", Buffer.from("<p>G</p>".repeat(100)), false, false],
    ["of no bytes", new Uint8Array(), false, false],
  ];

  test.for(rows)("%s", ([, bytes, stream, fragment]) => {
    expect({ stream: isTransportStream(bytes), fragment: isFragment(bytes) }).toEqual({ stream, fragment });
  });
});
