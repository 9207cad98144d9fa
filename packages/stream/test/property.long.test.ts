import { inspect, isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { seed } from "@cloud-browser/testing/seed.ts";
import { createAutomationDecoder, StreamError, type AutomationDecoderOptions } from "../src/index.ts";
import { readByOracle, type Reading } from "./oracle.ts";

/** More cases: `SEED=7 TIMES=9 npx vitest run --testTimeout=0 test/property`. */
const times = Number(process.env["TIMES"] ?? 1);

/** A stream, the sizes of its chunks, which are repeated until it is used up, and the objects written in it if it is valid. */
class Case {
  readonly bytes: Uint8Array;
  readonly sizes: readonly number[];
  readonly objects: readonly unknown[];
  constructor(bytes: Uint8Array, chunkSizes: readonly number[], objects: readonly unknown[] = []) {
    this.bytes = bytes;
    this.sizes = chunkSizes;
    this.objects = objects;
  }
  /** How fast-check shows it. */
  [fc.toStringMethod](): string {
    const text = JSON.stringify(Buffer.from(this.bytes).toString("latin1"));
    const ascii = text.replaceAll(/[^ -~]/g, (char) => `\\x${char.charCodeAt(0).toString(16)}`);
    return `${ascii} in chunks of ${this.sizes.join(", ")} bytes`;
  }
}

type Bound = Pick<AutomationDecoderOptions, "maxEventBytes" | "oversize">;

/** What the decoder makes of a case. */
function decode({ bytes, sizes }: Case, bound: Bound = {}): Reading & { code?: string } {
  const things: unknown[] = [];
  const note = (thing: unknown): void => void things.push(thing);
  const decoder = createAutomationDecoder({ onEvent: note, onReport: note, ...bound });
  const memory = new Uint8Array(bytes.length + 2); // larger than a chunk, and used again for the next one
  let beforeEnd = 0;
  try {
    for (let from = 0, turn = 0; from < bytes.length; turn++) {
      const size = Math.min(sizes[turn % sizes.length] ?? 1, bytes.length - from);
      memory.set(bytes.subarray(from, from + size), 1);
      decoder.feed(memory.subarray(1, 1 + size));
      memory.fill(0x0a, 0, size + 2);
      from += size;
    }
    beforeEnd = things.length;
    decoder.end();
  } catch (error) {
    if (error instanceof StreamError) return { things, beforeEnd, dataLines: 0, code: error.code };
    throw error;
  }
  return { things, beforeEnd, dataLines: decoder.dataLines };
}

/** Deep equality, down to the order of keys, the sign of zero and the prototype of objects. */
function isAlike(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other) && JSON.stringify(one) === JSON.stringify(other);
}

function mustBeAlike(got: unknown, want: unknown): void {
  if (isAlike(got, want)) return;
  const [gotText, wantText] = [got, want].map((one) => inspect(one, { depth: 9, breakLength: 200 }));
  throw new Error(`got ${gotText}\nwant ${wantText}`);
}

/** Checks that a property holds for so many cases, says how fast that was, and gives their number. */
function checkCases<Args extends [unknown, ...unknown[]]>(cases: number, property: fc.IProperty<Args>): number {
  const start = performance.now();
  const details = runWithoutStacks(() => fc.check(property, { seed, numRuns: cases * times }));
  const seconds = (performance.now() - start) / 1000;
  if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
  console.log(`${cases * times} cases in ${seconds.toFixed(1)} s, seed ${seed}`);
  return cases;
}

/** Does something in which most errors are caught, as texts are tried as JSON: their stacks would take half of its time. */
function runWithoutStacks<Result>(work: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Bytes of a text in which `‹FF›` stands for the byte 0xFF. */
function getBytes(text: string): Uint8Array {
  const parts = text.split(/‹([\dA-F]{2})›/);
  if (parts.length === 1) return Buffer.from(text);
  return Buffer.concat(parts.map((part, at) => (at % 2 ? Buffer.of(Number.parseInt(part, 16)) : Buffer.from(part))));
}

/** One of the texts between the bars. */
function pick(texts: string): fc.Arbitrary<string> {
  return fc.constantFrom(...texts.split("|"));
}

/** One of the usual texts so many times in a row as one of the unusual. */
function prefer(weight: number, usual: string, unusual: string): fc.Arbitrary<string> {
  return fc.oneof({ weight, arbitrary: pick(usual) }, { weight: 1, arbitrary: pick(unusual) });
}

const sizes = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 4 }).map((some) => some.concat(9)),
  fc.constantFrom([1], [2], [1, 0], [1e6], [1e6], [4096], [1000, 1]),
);

/** What JSON strings are made of, as it stands on the wire. */
const jsonString = fc
  .array(
    pick(
      String.raw`|x|x| |word |{|}|,|:|[|data: |'|é|ÿ|€|😀|\"|\\|\/|\n|\r|\t|\b|\f|\u0022|\u005C|\u005c|\u0000|\u000a|\u00e9|\uD83D|\ude00|\ud83d\ude00|\"}|\"},\"|a lot of more words|ééééééééééééééééééééééé` +
        "|\u007F|\u0085|\u00A0|\u2028|\u2029|\uFEFF|\uFFFD",
    ),
    { maxLength: 5 },
  )
  .map((parts) => `"${parts.join("")}"`);
const string = fc.oneof(
  { weight: 30, arbitrary: jsonString },
  { weight: 10, arbitrary: fc.string({ unit: "binary", maxLength: 9 }).map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: jsonString.map((text) => `"${"x".repeat(1100)}${text.slice(1)}`) },
);

const listedTypes =
  "status|thinking_delta|text_delta|tool_start|tool_result|message_complete|notte_session_data|function_uploaded";
const terminal = "done|error|timeout|cancelled";
const unlistedTypes = String.raw`ping||unknown|__proto__|constructor|Done|donnée|text_delta |text_delta\u0000|text_delta_|text_delt`;
const anyType = prefer(
  30,
  String.raw`${listedTypes}|${unlistedTypes}|text\u005fdelta|text_delta`,
  String.raw`${terminal}|d\u006fne`,
);
const anyKey = pick(String.raw`delta|content|__proto__|toString|d\u0065lta|Type|a||type `);
const simple = pick(`0|-0|1.5e3|12345678901234567890|1e999|true|null|[]|{}|[1,"a"]|{"type":"done"}`);
const delta = string.map((text) => `"delta"¦${text}`);
const anyField = fc.tuple(anyKey, fc.oneof(string, simple)).map(([key, value]) => `"${key}"¦${value}`);
const anotherType = pick(String.raw`"type"¦"text_delta"|"type"¦"x"|"t\u0079pe"¦"status"|"type"¦"type"`);
const fields = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(delta) },
  { weight: 3, arbitrary: fc.array(anyField, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.tuple(delta, fc.oneof(delta, anyField, anotherType)) },
);

/** White space in an object: after `{`, around `:`, around `,`, before `}`. */
const spacings = pick("{¦:¦,¦}|{¦: ¦, ¦}|{ ¦ : ¦ , ¦ }|\t{¦:\t¦,¦} |{\n  ¦: ¦,\n  ¦\n}|{\n¦\n:\n¦\n,\n¦\n}\n");
const event = fc
  .tuple(prefer(30, '"type"', String.raw`"t\u0079pe"`), anyType, fields, spacings, prefer(5, "first", "last"))
  .map(([key, type, others, spacing, place]) => {
    const [open = "", colon = "", comma, close = ""] = spacing.split("¦");
    const typeField = `${key}¦"${type}"`;
    const all = place === "first" ? [typeField, ...others] : [...others, typeField];
    return open + all.map((field) => field.replace("¦", () => colon)).join(comma) + close;
  });

const noise = ":|: ping|:data: {}|event: done|id: 1|retry|data|data:|data:  |datax: 1| data: 1";
const validStream = fc
  .record({
    items: fc.array(fc.tuple(event, prefer(3, "data: ", "data:"), prefer(9, "", noise), prefer(3, "|blank", noise)), {
      maxLength: 7,
    }),
    ends: pick("\n|\n|\r\n|\r|\n¦\r\n¦\r"),
    mark: prefer(9, "", "\uFEFF"),
    last: prefer(3, "ended", "not ended"),
  })
  .map(({ items, ends, mark, last }) => {
    const lines = items.flatMap(([text, field, within, after]) => {
      const data = text.split("\n").flatMap((part) => [field + part, within].filter((line) => line !== ""));
      return [...data, ...(after === "" ? [] : [after.replace("blank", "")])];
    });
    const text = mark + lines.map((line, at) => line + (ends.split("¦").at(at % 3) ?? ends.split("¦").at(0))).join("");
    const bytes = Buffer.from(last === "ended" ? text : text.replace(/[\r\n]+$/, ""));
    return { bytes, objects: items.map(([json]): unknown => JSON.parse(json)) };
  });

/** Deltas and what almost looks like one, from four parts each of which is mostly a usual one. */
const nearly = fc
  .tuple(
    prefer(20, "data: ", "data:|data:  |data :| data: |Data: |\uFEFFdata: |data:\t|data: \u00A0|data: [|data"),
    prefer(
      6,
      '{"type":"text_delta","delta":|{"type":"thinking_delta","delta":',
      String.raw`{"type": "text_delta", "delta": |{"type":"text_delta", "delta":|{ "type":"text_delta","delta":|{"type":"text_delta" ,"delta":` +
        String.raw`|{"type":"text_delta","delta" :|{"type":"text_delta","delta":  |{"type":"text_delta","Delta":|{"type":"text_delta","content":` +
        String.raw`|{"type":"tick","delta":|{"type":"__proto__","delta":|{"type":"","delta":|{"type":"text_deltas","delta":|{"type":"text_delt","delta":` +
        String.raw`|{"type":"text\u005fdelta","delta":|{"type":"text_delta","d\u0065lta":|{"t\u0079pe":"text_delta","delta":|{"type":"a\"b","delta":` +
        String.raw`|{"type":"text_delta","__proto__":|{"__proto__":"text_delta","delta":|{"type":"text_delta""delta":|{"type":"text_delta","delta"` +
        String.raw`|{"delta":"x","type":"text_delta","delta":|{"type":"x","type":"text_delta","delta":|{"type":5,"delta":|{"type":"done","delta":` +
        String.raw`|{"delta":"text_delta","type":|{"type":"text_delta",delta:|{"type":text_delta","delta":|{"type":"‹09›text_delta","delta":|{‹00›"type":"text_delta","delta":`,
    ),
    fc.oneof(
      { weight: 9, arbitrary: string },
      {
        weight: 1,
        arbitrary: pick(
          String.raw`5|-0|null|true|{"a":1}|["x"]|""|''||"|"abc|abc"|"a"b"|"a‹09›b"|"‹00›"|"a‹1F›"|"‹7F›"|"\x"|"\u12"|"\"|"\u002"|"\uD83D"|"a","b":"c"` +
            String.raw`|"‹FF›"|"‹C3›"|"‹C3›‹28›"|"‹ED›‹A0›‹80›"|"‹F0›‹9F›‹98›"|"‹C0›‹A2›"|"‹EF›‹BB›‹BF›"|"a‹0C›"|"a‹0D›"|"a‹0A›b"`,
        ),
      },
    ),
    prefer(
      12,
      "}",
      String.raw`},| }|}x|}}|} |‹09›}|}‹09›||"}|]}|}‹00›|}‹FF›|}‹0C›|,"a":1}|,"delta":"y"}|,"delta":5}|,"type":"done"}|,"type":"tick"}|,"type":7}` +
        String.raw`|,"__proto__":{"a":1}}|,"__proto__":null}|,}|}{"type":"text_delta","delta":"x"}|,"a":|,"a":[|}‹C2›‹A0›|}‹EF›‹BB›‹BF›`,
    ),
  )
  .map((parts) => parts.join(""));
const nearStream = fc
  .record({
    runs: fc.array(fc.tuple(nearly, fc.constantFrom(1, 1, 1, 2, 5)), { maxLength: 7 }),
    end: pick("\n\n|\n\n|\n|\n|\r\n\r\n|\r\n|\r|\n\r"),
    spacing: prefer(2, "none", "python"),
    last: prefer(9, "", 'data: {"type":"text_delta","delta":"|data: [DONE]|data: {"type":"text_delta","delta":"x"}'),
  })
  .map(({ runs, end, spacing, last }) => {
    const text = runs.map(([line, count]) => (line + end).repeat(count)).join("") + last;
    return getBytes(
      spacing === "none" ? text : text.replaceAll('","delta":', '", "delta": ').replaceAll('{"type":', '{"type": '),
    );
  });

const tokens = pick(
  String.raw`data:|data: |data: |data|{|}|[|]|:|,|"|"a"|"type"|"done"|"delta"|1|-|0|1.5|tru|true|null| |‹09›|[DONE]|DONE|:x|id: 1|é|‹FF›|‹C3›|‹80›|‹00›|\|\u00` +
    "|\n|\n|\n|\n|\r|\r\n|\uFEFF|\u2028|" +
    'data: {"type":"a"}\n|data: {"type":"text_delta","delta":"x"}\n\n|data: {"type":"done"}\n|data: {\n|data: "a":\n|data: [\n|data: }\n|data: ]\n|data: 1,\n|data: 1\n',
);
const soup = fc.array(tokens, { maxLength: 30 }).map((parts) => getBytes(parts.join("")));
const edit = fc.record({
  at: fc.nat(2000),
  remove: fc.integer({ min: 0, max: 9 }),
  insert: fc.oneof(fc.constant(""), tokens, fc.nat(255)),
});
const mutated = fc
  .tuple(
    fc.oneof(validStream, nearStream),
    fc.array(edit, { minLength: 1, maxLength: 3 }),
    fc.constantFrom(1, 1, 1, 0.3, 0.6, 0.9),
  )
  .map(([stream, edits, part]) => {
    let all: Uint8Array = "bytes" in stream ? stream.bytes : stream;
    for (const { at, remove, insert } of edits) {
      const place = at % (all.length + 1);
      const put = typeof insert === "number" ? Buffer.of(insert) : getBytes(insert);
      all = Buffer.concat([all.subarray(0, place), put, all.subarray(place + remove)]);
    }
    return all.subarray(0, all.length * part);
  });
const anyBytes = fc.oneof(
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
  { weight: 6, arbitrary: soup },
  { weight: 6, arbitrary: mutated },
);

function cutAnywhere(streams: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Case> {
  return fc.tuple(streams, sizes).map(([bytes, cut]) => new Case(bytes, cut));
}

const validCases = fc.tuple(validStream, sizes).map(([{ bytes, objects }, cut]) => new Case(bytes, cut, objects));

function isEvent(thing: unknown): boolean {
  return typeof thing === "object" && thing !== null && !("kind" in thing);
}

/** What a stream of these events must give, without the oracle. */
function listEvents(objects: readonly unknown[]): unknown[] {
  const last = objects.findIndex((object) => terminal.split("|").includes(getType(object)));
  return (last === -1 ? objects : objects.slice(0, last + 1)).map((object) => {
    const type = getType(object);
    return `${listedTypes}|${terminal}`.split("|").includes(type)
      ? object
      : { type: "unknown", originalType: type, event: object };
  });
}
function getType(object: unknown): string {
  return typeof object === "object" && object !== null && "type" in object ? String(object.type) : "";
}

test("gives the events of any valid stream, whatever the framing and the cuts", () => {
  const property = fc.property(validCases, (sample) => {
    const reading = decode(sample);
    mustBeAlike(reading, readByOracle(sample.bytes));
    mustBeAlike(reading.things.filter(isEvent), listEvents(sample.objects));
  });
  expect(checkCases(20_000, property)).toBe(20_000);
});

test("reads deltas, and what almost looks like one, as JSON.parse does", () => {
  const property = fc.property(cutAnywhere(nearStream), (sample) =>
    mustBeAlike(decode(sample), readByOracle(sample.bytes)),
  );
  expect(checkCases(35_000, property)).toBe(35_000);
});

test("reads any bytes as the oracle does", () => {
  const property = fc.property(cutAnywhere(anyBytes), (sample) =>
    mustBeAlike(decode(sample), readByOracle(sample.bytes)),
  );
  expect(checkCases(30_000, property)).toBe(30_000);
});

const bounds = fc.constantFrom(1, 9, 30, 60, 200);

test("reads any bytes up to the first event that is too large, whatever the cuts", () => {
  const property = fc.property(cutAnywhere(anyBytes), bounds, (sample, maxEventBytes) => {
    const reading = decode(sample, { maxEventBytes });
    const events = reading.things.filter(isEvent);
    const all = readByOracle(sample.bytes).things.filter(isEvent);
    mustBeAlike(events, reading.code === undefined ? all : all.slice(0, events.length));
    mustBeAlike(reading.code ?? "event-too-large", "event-too-large");
    const whole = decode(new Case(sample.bytes, [1e6]), { maxEventBytes });
    mustBeAlike([reading.things, reading.code], [whole.things, whole.code]);
  });
  expect(checkCases(10_000, property)).toBe(10_000);
});

test("skips what is too large, whatever the cuts", () => {
  const property = fc.property(cutAnywhere(anyBytes), bounds, (sample, maxEventBytes) => {
    const reading = decode(sample, { maxEventBytes, oversize: "skip" });
    const whole = decode(new Case(sample.bytes, [1e6]), { maxEventBytes, oversize: "skip" });
    mustBeAlike([reading.things, reading.code], [whole.things, undefined]);
  });
  expect(checkCases(10_000, property)).toBe(10_000);
});

test("delivers no event without the part of it that is too large", () => {
  const property = fc.property(validCases, fc.constantFrom(30, 60, 200), (sample, maxEventBytes) => {
    const { things } = decode(sample, { maxEventBytes, oversize: "skip" });
    const possible = [...sample.objects.flatMap((object) => listEvents([object])), { type: "done" }]; // one is a value in others
    mustBeAlike(
      things.filter(isEvent).filter((one) => !possible.some((other) => isAlike(other, one))),
      [],
    );
  });
  expect(checkCases(10_000, property)).toBe(10_000);
});
