import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeChunk, joinChunks } from "../src/encoding/encoder.ts";
import { repeatPictures } from "../src/encoding/repeats.ts";
import { splitSegments, writePlaylist } from "../src/encoding/hls-segments.ts";
import { chunksIn } from "../src/journal/chunk.ts";
import { leaveShape, shapes } from "./playing/shapes.ts";
import { readMoments } from "./recording/transport-stream.ts";
import { encoders, probe } from "./recording/video.ts";

const signal = new AbortController().signal;
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "cb-segments-"))));
afterAll(() => rm(folder, { recursive: true }));

/** A segment as a player takes it: the last picture shows as long as the one before it. */
interface Segment {
  readonly startMs: number;
  readonly endMs: number;
  readonly pictures: number;
}

function asPlayed(moments: readonly number[]): Segment {
  const [startMs = NaN, beforeMs = NaN, lastMs = NaN] = [moments[0], moments.at(-2), moments.at(-1)];
  return { startMs, endMs: 2 * lastMs - beforeMs, pictures: moments.length };
}

describe.each(await encoders())("segments by %s", (program) => {
  describe.each(Object.entries(shapes))("of %s", (name, shape) => {
    let replay: string;
    let durationMs: number;
    let moments: number[][];

    beforeAll(async () => {
      const own = await leaveShape(folder, `segments-${(await readdir(folder)).length}`, shape);
      const chunks = await chunksIn(own);
      for (const chunk of chunks)
        await encodeChunk(chunk, { width: 320, height: 180 }, { program, folder: own, signal });
      durationMs = await joinChunks(chunks, { program, folder: own, signal });
      replay = join(own, "replay");
      moments = await Promise.all(splitSegments(durationMs).map(({ file }) => readMoments(join(replay, file))));
    });

    it("play as long as the playlist says, one after the other", () => {
      const firstMs = moments[0]?.[0] ?? NaN;
      let startMs = 0;
      for (const [index, segment] of splitSegments(durationMs).entries()) {
        const played = asPlayed(moments[index] ?? []);
        expect(played.startMs - firstMs).toBeCloseTo(startMs, 6);
        startMs += segment.durationMs;
        // Half of an odd number of milliseconds is one too few; more than there are would push the next segment back.
        expect(played.endMs - firstMs).toBeLessThanOrEqual(startMs + 1e-6);
        expect(played.endMs - firstMs).toBeGreaterThanOrEqual(startMs - 1 - 1e-6);
      }
      expect(startMs).toBe(durationMs);
    });

    it("have three pictures or more, and the last one eight at its end", () => {
      expect(Math.min(...moments.map(({ length }) => length))).toBeGreaterThanOrEqual(3);
      const [first = NaN] = moments.at(-1)?.slice(-8) ?? [];
      expect(first - (moments[0]?.[0] ?? NaN)).toBeCloseTo(durationMs - 8, 6);
    });

    it("have no picture that shows for two seconds: players would not see that a segment is missing", () => {
      const all = moments.flat();
      const lengths = all.slice(1).map((moment, index) => moment - (all[index] ?? NaN));
      expect(Math.max(...lengths)).toBeLessThanOrEqual(1_500);
    });

    it("have the pictures of the MP4, each at its time", async () => {
      const all = moments.flat();
      const { packets, durationMs: mp4Ms } = await probe(join(replay, "replay.mp4"));
      expect(all.map((moment) => Math.round(moment - (all[0] ?? 0)))).toEqual(
        packets.map(({ atMs }) => Math.round(atMs)),
      );
      expect(mp4Ms).toBeCloseTo(durationMs, 0);
    });

    it("add up to the duration of the video in the playlist", () => {
      const lengths = writePlaylist(durationMs, (file) => file).matchAll(/#EXTINF:([\d.]+),/gu);
      const sum = [...lengths].reduce((seconds, [, length]) => seconds + Number(length), 0);
      expect(sum * 1_000).toBeCloseTo(durationMs, 3);
    });

    it("end when the page was seen last, or a tenth of a second later", () => {
      expect(durationMs).toBeGreaterThanOrEqual(shape.endMs);
      expect(durationMs).toBeLessThanOrEqual(shape.endMs + 100);
    });
  });
});

describe("the pictures of a segment", () => {
  it.each<[moments: number[], untilMs: number, repeated: number[]]>([
    [[0], 4_000, [0, 1_333, 2_666]],
    [[0], 100, [0, 50]],
    [[0, 1_000], 4_000, [0, 1_000, 2_500]],
    [[0, 1_001], 4_000, [0, 1_001, 2_500]],
    [[0, 3_000], 4_000, [0, 1_500, 3_000, 3_500]],
    [[0, 3_999], 4_000, [0, 1_333, 2_666, 3_998, 3_999]],
    [[4_000, 5_500, 7_000, 7_998, 7_999], 8_000, [4_000, 5_500, 7_000, 7_998, 7_999]],
  ])("at %j until %i", (moments, untilMs, repeated) => {
    expect(repeatPictures(moments, untilMs)).toEqual(repeated);
  });

  it("end in time, are in order and keep every moment, wherever the last two are", () => {
    for (let untilMs = 100; untilMs <= 108; untilMs += 1) {
      for (let lastMs = 1; lastMs < untilMs; lastMs += 1) {
        for (const moments of [
          [0, lastMs],
          [0, ...(lastMs > 1 ? [lastMs - 1] : []), lastMs],
        ]) {
          const repeated = repeatPictures(moments, untilMs);
          expect([untilMs - 1, untilMs]).toContain(asPlayed(repeated).endMs);
          expect(repeated).toEqual([...new Set(repeated)].sort((a, b) => a - b));
          expect(repeated).toEqual(expect.arrayContaining(moments));
        }
      }
    }
  });
});
