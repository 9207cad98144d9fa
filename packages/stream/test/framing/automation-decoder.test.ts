import { expect, test } from "vitest";
import { createAutomationDecoder, StreamError, type StreamEvent, type StreamReport } from "../../src/index.ts";
import { getBytes, listCuts } from "../chunking.ts";
import cases from "../data/sse-cases.json" with { type: "json" };
import { decode, readEach } from "./decoded-cases.ts";

test.for(cases)("reads alike at every chunking: $name", (one) => {
  // Longer texts are cut at every place in the long test.
  const { readings, expectedItems } = readEach(one, 400);
  for (const { cut, items } of readings) expect({ cut, items }).toEqual({ cut, items: expectedItems });
});

const numbers = [
  { framing: "both", want: 106 },
  { framing: "line", want: 38 },
  { framing: "recovery", want: 12 },
];
test.for(numbers)("knows $want cases of framing $framing", ({ framing, want }) => {
  expect(cases.filter((one) => one.framing === framing)).toHaveLength(want);
});

const damage = [
  {
    name: "a cut pretty-printed event, and the pretty-printed one after it is read",
    text: 'data: {"type":"a",\ndata: "x":\ndata: {\ndata: "type":"b"\ndata: }\ndata: {"type":"c"}\n',
    want: ["invalid-json 1", "invalid-json 2", "b", "c"],
  },
  {
    name: "every line of two cut events over many lines each, and reads the one over several lines after them",
    text: [
      "{",
      '"type"',
      ":",
      '"a"',
      ",",
      '"x"',
      ":",
      "0",
      ",",
      '"y"',
      ":",
      "0",
      "{",
      '"type":"b",',
      '"x":1',
      "{",
      '"type":"c"',
      "}",
    ]
      .map((data) => `data: ${data}\n`)
      .join(""),
    want: [...Array.from({ length: 15 }, (_, line) => `invalid-json ${line + 1}`), "c"],
  },
  {
    name: "what is damaged among CRLF lines by their numbers, and reads an event over several of them",
    text: 'data: x\r\n\r\ndata: {"type":\r\ndata: "a"}\r\n\r\ndata: y\r\n',
    want: ["invalid-json 1", "a", "invalid-json 6"],
  },
  {
    name: "two unfinished lines at the blank line, and joins nothing across it",
    text: 'data: {"a":\ndata: {"b":\n\ndata: {"type":"c"}\n\ndata: [\ndata: {"a":\n\ndata: {"type":"d"}}\n',
    want: ["invalid-json 1", "invalid-json 2", "c", "invalid-json 6", "invalid-json 7", "invalid-json 9"],
  },
  {
    name: "an array over several lines, once, and not the objects in it",
    text: 'data: [\ndata: {"type":"a"}\ndata: ]\n\ndata: {"type":"b"}\n\n',
    want: ["invalid-json 1", "b"],
  },
  {
    name: "an unfinished block at the blank line, and the good line in it is read",
    text: 'data: {"a":\ndata: {"type":"b"}\n\ndata: {"type":"c"}\n',
    want: ["invalid-json 1", "b", "c"],
  },
  {
    name: "an unfinished block at the end, and the good line in it is read",
    text: 'data: {"a":\ndata: {"type":"b"}',
    want: ["invalid-json 1", "b"],
  },
  {
    name: "every line of nesting that never closes, and the good line after it is read",
    text: `${"data: [\n".repeat(40)}data: }\ndata: {"type":"a"}\n`,
    want: [...Array.from({ length: 41 }, (_, line) => `invalid-json ${line + 1}`), "a"],
  },
  {
    name: "what follows the terminal event, but no comment, blank line or empty data",
    text: 'data: {"type":"done"}\n\n: bye\ndata:\nevent: x\ndata: {"type":"status"}\ndata: [DONE]\ndata: {"ty',
    want: ["done", "after-terminal 6", "sentinel 7", "after-terminal 8"],
  },
  {
    name: "events behind a terminal one that is only found when lines are read again",
    text: 'data: {"a":\ndata: {"type":"done"}\ndata: {"type":"status"}\n',
    want: ["invalid-json 1", "done", "after-terminal 3"],
  },
];
test.for(damage)("reports $name", ({ text, want }) => {
  for (const cut of listCuts(getBytes(text))) {
    const results = decode(cut.chunks).map((thing) => {
      if ("kind" in thing) return `${thing.kind} ${thing.line}`;
      return thing.type === "unknown" ? thing.originalType : thing.type;
    });
    expect({ cut: cut.name, results }).toEqual({ cut: cut.name, results: want });
  }
});

test("delivers an event at the end of its own line, not at the blank line", () => {
  const events: StreamEvent[] = [];
  const decoder = createAutomationDecoder({ onEvent: (event) => events.push(event) });
  decoder.feed(getBytes('data: {"type":"status","status":"a"}'));
  expect(events).toEqual([]);
  decoder.feed(getBytes("\n"));
  expect(events).toEqual([{ type: "status", status: "a" }]);
});

test("gives up an unfinished block at the blank line, and does not wait for more", () => {
  const things: (StreamEvent | StreamReport)[] = [];
  const note = (thing: StreamEvent | StreamReport): void => void things.push(thing);
  const decoder = createAutomationDecoder({ onEvent: note, onReport: note });
  decoder.feed(getBytes('data: {"a":\n\n'));
  expect(things).toEqual([{ kind: "invalid-json", line: 1 }]);
});

test("keeps an unlisted event whole, also one that calls itself unknown", () => {
  expect(decode([getBytes('data: {"type":"unknown","a":1}\n')])).toEqual([
    { type: "unknown", originalType: "unknown", event: { type: "unknown", a: 1 } },
  ]);
});

test("takes no harm when the caller reuses the memory of a chunk", () => {
  const events: StreamEvent[] = [];
  const decoder = createAutomationDecoder({ onEvent: (event) => events.push(event) });
  const memory = new Uint8Array(1);
  for (const byte of getBytes('data: {"type":"status","status":"a"}\n')) {
    memory[0] = byte;
    decoder.feed(memory);
  }
  expect(events).toEqual([{ type: "status", status: "a" }]);
});

const event = 'data: {"type":"text_delta","delta":"abc"}'; // 41 bytes
const bounds = [
  { name: "accepts a line of exactly the bound", text: `${event}\n`, maxEventBytes: 41, want: "read" },
  { name: "refuses a line over the bound", text: `${event}\n`, maxEventBytes: 40, want: "event-too-large" },
  { name: "refuses a line over the bound that never ends", text: event, maxEventBytes: 40, want: "event-too-large" },
  {
    name: "refuses a comment over the bound that never ends",
    text: ":".repeat(41),
    maxEventBytes: 40,
    want: "event-too-large",
  },
  { name: "counts bytes, not characters", text: 'data: {"type":"é"}\n', maxEventBytes: 18, want: "event-too-large" },
  {
    name: "refuses an event whose lines together exceed the bound",
    text: `data: [\n${"data: 1,\n".repeat(5)}`,
    maxEventBytes: 40,
    want: "event-too-large",
  },
  { name: "counts each event by itself", text: `${event}\n`.repeat(5), maxEventBytes: 41, want: "read" },
];
test.for(bounds)("$name", ({ text, maxEventBytes, want }) => {
  for (const cut of listCuts(getBytes(text))) {
    let result = "read";
    try {
      decode(cut.chunks, maxEventBytes);
    } catch (error) {
      result = error instanceof StreamError ? error.code : String(error);
    }
    expect({ cut: cut.name, result }).toEqual({ cut: cut.name, result: want });
  }
});

const misuses = [
  { name: "a bound of zero", act: () => createAutomationDecoder({ onEvent() {}, maxEventBytes: 0 }) },
  {
    name: "a bound that is no number",
    act: () => createAutomationDecoder({ onEvent() {}, maxEventBytes: Number.NaN }),
  },
  {
    name: "feed after end",
    act: () => {
      const decoder = createAutomationDecoder({ onEvent() {} });
      decoder.end();
      decoder.end();
      decoder.feed(getBytes("x"));
    },
  },
  {
    name: "feed from within a callback",
    act: () => {
      const decoder = createAutomationDecoder({ onEvent: () => decoder.feed(getBytes("x")) });
      decoder.feed(getBytes('data: {"type":"status"}\n'));
    },
  },
  {
    name: "feed after an error",
    act: () => {
      const decoder = createAutomationDecoder({ onEvent() {}, maxEventBytes: 1 });
      expect(() => decoder.feed(getBytes("::"))).toThrow(StreamError);
      decoder.feed(getBytes("\n"));
    },
  },
];
test.for(misuses)("calls it misuse: $name", ({ act }) => {
  expect(act).toThrow(expect.objectContaining({ name: "StreamError", code: "misuse" }));
});
