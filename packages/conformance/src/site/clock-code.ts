import type { ClockCode } from "../target/recorded-frames.ts";

/** Number of cells in a row of the code. */
const columns = 8;

/** Number of rows: one to find the code, one for its page, and two for the time. */
const rows = 4;

/** Sync pattern of the first row, which no text or image has by chance. */
const sync = 0b1011_0010;

/** Duration of one tick of the code, in milliseconds. */
export const tickMs = 100;

/** Width of the blue border around the cells, on each side, as a share of the page's width and height. */
const border = 0.1;

/**
 * Returns the script of a page that shows its age as black and white cells on blue, over the whole window: readable at any scale and after
 * any encoding. From tick to tick one cell changes (a Gray code), so that a picture between two ticks is one of both.
 *
 * @param mark - Number that identifies the page, 0 to 255.
 */
export function clockScript(mark: number): string {
  return `const canvas = document.getElementById("clock");
const show = () => {
  const tick = Math.floor(performance.now() / ${tickMs}) & 0xffff;
  const gray = tick ^ (tick >> 1);
  const bytes = [${sync}, ${mark}, gray >> 8, gray & 255];
  [...canvas.children].forEach((cell, at) => {
    const isWhite = (bytes[at >> 3] >> (7 - (at & 7))) & 1;
    cell.style.background = isWhite ? "#fff" : "#000";
  });
};
show();
setInterval(show, ${tickMs / 2});`;
}

/** Markup of the cells of the code, with their layout. */
export const clockMarkup = `<div id="clock" style="position:fixed;inset:${border * 100}%;display:grid;grid-template:repeat(${rows},1fr)/repeat(${columns},1fr)">${"<i></i>".repeat(columns * rows)}</div>`;

/** The colour around the cells. */
export const clockBackground = "#00f";

/** An RGB image. */
export interface RgbImage {
  /** Width in pixels. */
  readonly width: number;
  /** Height in pixels. */
  readonly height: number;
  /** Bytes of the pixels: three for each, line by line. */
  readonly bytes: Uint8Array;
}

/** Reads the code of a picture; undefined when it shows none. */
export function readClockCode(picture: RgbImage): ClockCode | undefined {
  const box = blueBox(picture);
  if (!box) return undefined;
  const bytes = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (__, column) => cellAt(picture, box, row, column)).reduce<number>(
      (value, bit) => value * 2 + bit,
      0,
    ),
  );
  const [first = 0, mark = 0, high = 0, low = 0] = bytes;
  if (first !== sync) return undefined;
  let tick = high * 256 + low;
  for (let shift = 1; shift < 16; shift *= 2) tick ^= tick >> shift;
  return { mark, tick };
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Minimum share of blue in a line of the page: both borders, less the blur of the encoding. */
const blueShare = 0.08;

/** Finds the page in the frame: players and browsers may add something around it. */
function blueBox({ width, height, bytes }: RgbImage): Box | undefined {
  const inColumns = new Uint32Array(width);
  const inRows = new Uint32Array(height);
  for (let at = 0; at < width * height; at += 1) {
    const [red = 0, green = 0, blue = 0] = bytes.subarray(at * 3, at * 3 + 3);
    if (blue < 140 || red > 110 || green > 110) continue;
    inColumns[at % width] = (inColumns[at % width] ?? 0) + 1;
    inRows[Math.floor(at / width)] = (inRows[Math.floor(at / width)] ?? 0) + 1;
  }
  const [left, right] = ends(inColumns, height * blueShare);
  const [top, bottom] = ends(inRows, width * blueShare);
  const box = { left, top, width: right - left + 1, height: bottom - top + 1 };
  return box.width < columns * 2 || box.height < rows * 2 ? undefined : box;
}

function ends(counts: Uint32Array, least: number): [first: number, last: number] {
  return [counts.findIndex((count) => count >= least), counts.findLastIndex((count) => count >= least)];
}

/** Returns 1 for a white cell and 0 for a black one, by its middle. */
function cellAt({ width, bytes }: RgbImage, box: Box, row: number, column: number): number {
  const inside = 1 - 2 * border;
  const x = Math.round(box.left + box.width * (border + (inside * (column + 0.5)) / columns));
  const y = Math.round(box.top + box.height * (border + (inside * (row + 0.5)) / rows));
  const at = (y * width + x) * 3;
  return (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) > 255 ? 1 : 0;
}
