import { expect, it } from "vitest";
import { jpegSize } from "../src/capture/jpeg-size.ts";

const start = [0xff, 0xd8];
const application = [0xff, 0xe0, 0, 4, 1, 2];
const huffman = [0xff, 0xc4, 0, 3, 9];
const frame = (marker: number): number[] => [0xff, marker, 0, 11, 8, 0x01, 0x68, 0x02, 0x80, 1, 1, 0x11, 0];

it.each([
  { name: "baseline", bytes: [...start, ...application, ...frame(0xc0)] },
  { name: "progressive, after a table", bytes: [...start, ...huffman, ...frame(0xc2)] },
])("finds the size of a picture: $name", ({ bytes }) => {
  expect(jpegSize(Uint8Array.from(bytes))).toEqual({ width: 640, height: 360 });
});

it.each([
  { name: "nothing", bytes: [] },
  { name: "no segments", bytes: start },
  { name: "a frame that is cut off", bytes: [...start, ...frame(0xc0).slice(0, 8)] },
  { name: "text", bytes: [...Buffer.from("this is no picture at all")] },
  { name: "a segment without length", bytes: [...start, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
])("finds none in $name", ({ bytes }) => {
  expect(jpegSize(Uint8Array.from(bytes))).toBeUndefined();
});
