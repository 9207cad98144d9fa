import { expect, test } from "vitest";
import { judgeDuration } from "../../src/checks/replay/recording/duration.ts";

/** Said and measured durations, in milliseconds. */
const rows: readonly (readonly [title: string, duration: number, measured: number, holds: boolean])[] = [
  ["the same", 6_000, 6_000, true],
  ["two frames of a second for half a second", 500, 2_000, true],
  ["a second less, as muxers drop what stands still", 6_000, 5_000, true],
  ["a tenth of an hour more", 3_600_000, 3_950_000, true],
  ["a single picture that is shown for a while", 1, 999, true],
  ["seconds, of six seconds", 6, 6_000, false],
  ["seconds, of less than two seconds", 2, 1_900, false],
  ["microseconds", 1_900_000, 1_900, false],
  ["a number below zero", -1_900, 1_900, false],
  ["a number a little below zero", -1, 1_900, false],
  ["a third more, of nine seconds", 12_000, 9_000, false],
];

/** Said and measured durations that agree to the second, with the offset of the start, in milliseconds. */
const offBy: readonly (readonly [title: string, duration: number, measured: number, start: number, holds: boolean])[] =
  [
    ["the same", 6_000, 6_000, 0, true],
    ["a frame of five a second less", 6_000, 5_805, 0, true],
    ["0.3 s more", 6_300, 6_000, 0, false],
    ["0.3 s less", 5_700, 6_000, 0, false],
    ["almost a second more", 6_950, 6_000, 0, false],
    ["0.3 s more, which is the offset of the start", 6_300, 6_000, 300, false],
  ];

test.for(offBy)("a duration to the frame that is %s", ([, duration, measured, start, holds]) => {
  const answer = { video_duration_ms: duration, video_start_ms: start };
  const { findings, assertions } = judgeDuration(answer, measured, "the MP4", 0, "frames");
  expect({ assertions, holds: findings.length === 0 }).toEqual({ assertions: 1, holds });
  expect(judgeDuration(answer, measured, "the MP4", 0, "second").findings).toEqual([]);
});

test.for(rows)("a duration that is %s", ([, duration, measured, holds]) => {
  const { findings, assertions } = judgeDuration({ video_duration_ms: duration }, measured, "the MP4", 0);
  expect({ assertions, holds: findings.length === 0 }).toEqual({ assertions: 1, holds });
});
