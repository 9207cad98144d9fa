import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { EventStreamScanner, streamEvents, streamLines, terminalTypes } from "../../src/http/event-stream.ts";

const lines = [
  'data: {"type":"status","message":"{\\"type\\":\\"done\\"}"}',
  'data: ["{"]',
  "data: text",
  "data",
  "database: 1",
  "dat",
  ": comment",
  "event: done",
  "\u{FEFF}data: 1",
  "",
];
const terminals = ['data: {"type":"done","message":"Größe 😀"}', 'data:{"type":"cancelled"}'];
const streams = ["\n", "\r\n", "\r", "\n\n"].flatMap((end) =>
  [lines, ...terminals.map((terminal) => lines.concat(terminal, lines))]
    .flatMap((some) => [some, [`\u{FEFF}${some.at(-1)}`, ...some]])
    .map((some) => some.map((line) => `${line}${end}`).join("")),
);

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Returns the results of a scanner that was fed the pieces. */
function scanned(pieces: readonly Uint8Array[]): object {
  const scanner = new EventStreamScanner();
  for (const piece of pieces) scanner.feed(piece);
  return { dataLines: scanner.dataLines, sawTerminalEvent: scanner.sawTerminalEvent };
}

/** Cuts bytes into two at every place, and into single ones. */
function listCuts(text: string): Uint8Array[][] {
  const bytes = Buffer.from(text);
  const twice = Array.from(bytes, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
  return [...twice, Array.from(bytes, (byte) => Uint8Array.of(byte))];
}

describe("a stream that is read", () => {
  test.for(streams)("has the data lines and the terminal event of the whole, wherever it is cut (%$)", (text) => {
    const whole = streamLines(text);
    const expected = {
      dataLines: whole.filter(({ kind }) => kind === "data").length,
      sawTerminalEvent: streamEvents(whole).some(({ type = "" }) => terminalTypes.has(type)),
    };
    for (const pieces of listCuts(text)) expect(scanned(pieces)).toEqual(expected);
  });

  test("keeps none of many pieces of a line, but their bytes", async () => {
    const scanner = new EventStreamScanner();
    scanner.feed(Buffer.from('data: {"type":"done","message":"'));
    const pieces: WeakRef<ArrayBuffer>[] = [];
    for (let count = 0; count < 2_000; count += 1) {
      const piece = Uint8Array.of(0x78);
      pieces.push(new WeakRef(piece.buffer));
      scanner.feed(piece);
    }
    await nextTurn(); // until then a reference keeps what it was made of
    collectGarbage();
    expect(pieces.filter((piece) => piece.deref() !== undefined).length).toBeLessThanOrEqual(1_000);
    scanner.feed(Buffer.from('"}\n'));
    expect(scanner).toMatchObject({ dataLines: 1, sawTerminalEvent: true });
  });

  test("has its terminal event before the line of it ends", () => {
    for (const pieces of listCuts('data: 1\ndata: {"type":"done"}')) {
      expect(scanned(pieces)).toEqual({ dataLines: 1, sawTerminalEvent: true });
    }
  });
});
