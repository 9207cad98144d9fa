import { leaveBehind, still, type Moments } from "../recording/left-behind.ts";
import { makePlainJpeg } from "../recording/video.ts";

/** What a page shows: its colour, and the size of its pictures. */
const sizes = { red: "320x180", blue: "320x180", lime: "100x400" } as const;

/** A colour that a page shows. */
export type Color = keyof typeof sizes;

/** What a recording has, in milliseconds from its start. */
export interface Shape {
  /** When the page changes, and its colour from then on. */
  readonly changes: readonly (readonly [atMs: number, color: Color])[];
  /** When it is last seen. */
  readonly endMs: number;
  /** Length of its chunks. Default: that of a journal. */
  readonly chunkMs?: number;
}

const animated = Array.from({ length: 225 }, (_, index) => {
  return [index * 40 + (index % 3), index % 2 === 0 ? "red" : "blue"] as const;
});

/** Recordings of all shapes, by name. */
export const shapes: Readonly<Record<string, Shape>> = {
  "one picture": { changes: [[0, "red"]], endMs: 100 },
  "a page that stays still": { changes: [[0, "red"]], endMs: 31_000 },
  "a still page, to the end of a segment": { changes: [[0, "red"]], endMs: 12_000 },
  "a page that changes seldom": {
    changes: [
      [0, "red"],
      [7_500, "blue"],
      [7_900, "lime"],
    ],
    endMs: 10_200,
  },
  "changes right before segments end": {
    changes: [
      [0, "red"],
      [3_999, "blue"],
      [7_998, "lime"],
      [8_500, "red"],
    ],
    endMs: 9_000,
  },
  "an end right after that of a segment": {
    changes: [
      [0, "red"],
      [3_000, "blue"],
    ],
    endMs: 8_001,
  },
  "an animated page": { changes: animated, endMs: 9_017 },
  "several chunks": {
    changes: [
      [0, "red"],
      [1_000, "blue"],
      [8_500, "lime"],
      [17_900, "red"],
      [21_000, "blue"],
    ],
    endMs: 22_222,
    chunkMs: 8_000,
  },
};

const jpegs = new Map<Color, Promise<Buffer>>();

/** Leaves a recording of a shape in a folder of its own below `folder`, and returns the path of that. */
export async function leaveShape(
  folder: string,
  id: string,
  { changes, endMs, chunkMs }: Shape,
  startedAtMs = 0,
): Promise<string> {
  const moments: Moments = await Promise.all(
    changes.map(async ([atMs, color]) => {
      const jpeg = jpegs.get(color) ?? makePlainJpeg(color, sizes[color]);
      jpegs.set(color, jpeg);
      return [atMs, await jpeg] as const;
    }),
  );
  return leaveBehind(folder, id, startedAtMs, [...moments, [endMs, still]], chunkMs === undefined ? {} : { chunkMs });
}
