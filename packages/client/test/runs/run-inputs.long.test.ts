import { describe, expect, test } from "vitest";
import { readAutomationStream } from "@cloud-browser/stream";
import { createCloudBrowser } from "../../src/index.ts";
import { createEventLines } from "../../src/runs/event-lines.ts";
import { startRun } from "../../src/runs.ts";
import { measureProcessorTime } from "@cloud-browser/testing/processor-time.ts";
import { getEvent, readRun, getText, type Connection } from "./run-reading.ts";

const eventStream = { "content-type": "text/event-stream" };
const done = '{"type":"done","total_cost_usd":0.25}';

/** What `stream` reads of a text: the events, and how it ends. */
async function readAlone(text: string): Promise<{ events: string[]; outcome: string }> {
  const stream = readAutomationStream(new Response(text, { headers: eventStream }));
  const events: string[] = [];
  for await (const event of stream) events.push(getText(event));
  const { type } = await stream.outcome();
  return { events, outcome: type };
}

/** Bodies as servers in other languages write them, with LF: each is also tried with CRLF and CR. */
const bodies = {
  "an event name before each event": `event: delta\nid: 1\n${getEvent("a")}event: end\nid: 2\ndata: ${done}\n\n`,
  "an event name behind the data": `data: {"type":"text_delta","delta":"a"}\nevent: delta\n\ndata: ${done}\nevent: end\n\n`,
  "event names, and one newline": `event: x\ndata: {"type":"text_delta","delta":"a"}\nevent: y\ndata: ${done}\n`,
  "no blank behind colons": `id:1\ndata:{"type":"text_delta","delta":"a"}\n\nid:2\ndata:${done}\n\n`,
  "two blanks behind the colon": `data:  {"type":"text_delta","delta":"a"}\n\ndata:  ${done}\n\n`,
  "indented JSON, a data line for each": `data: {\ndata:   "type": "text_delta",\ndata:   "delta": "a"\ndata: }\n\ndata: {\ndata:   "type": "done"\ndata: }\n\n`,
  "indented JSON, and ids behind it": `data: {\ndata: "type": "text_delta", "delta": "a" }\nid: 1\n\ndata: { "type":\ndata: "done" }\nid: 2\n\n`,
  "nested objects that end lines": `data: {"type":"tool_result","content":{"a":\ndata: {"b":1}\ndata: }\ndata: }\n\ndata: ${done}\n\n`,
  "comments between the lines of an event": `: a\nid: 1\n: b\ndata: {"type":"text_delta","delta":"a"}\n: c\n\n: d\n\ndata: ${done}\n\n`,
  "heartbeats of Spring and sse-starlette": `:\n\n: ping - 2026-11-26 04:05:06.789012\n\n${getEvent("a", 1)}:\n\n${getEvent("done", 2)}`,
  "a time to reconnect": `retry: 3000\n\n${getEvent("a", 1)}retry: 5\n${getEvent("done", 2)}`,
  "unlisted types": `data: {"type":"usage","tokens":7}\n\n${getEvent("a", 3)}data: {"type":"unknown","x":{"type":"done"}}\n\n${getEvent("done", 5)}`,
  "types of deltas within deltas": `${getEvent('{"type":"done"}', 1)}${getEvent("data: {}", 2)}${getEvent("done", 3)}`,
  "blank lines in bunches": `\n\n${getEvent("a", 1)}\n\n\n\n${getEvent("done", 2)}\n\n`,
  "lines that are no fields": `Data: {"type":"text_delta","delta":"lost"}\n\n${getEvent("a", 1)}{"type":"x"}\n\n${getEvent("done", 2)}`,
  "sentinels of other services": `${getEvent("a", 1)}data: [DONE]\n\n${getEvent("b", 2)}${getEvent("done", 3)}`,
  "damaged events": `${getEvent("a", 1)}data: {"type":"text_delta","del\n\n${getEvent("b", 3)}data: {}\n\n${getEvent("done", 4)}`,
  "a damaged event, and one newline": `data: {"type":"text_delta","del\ndata: {"type":"text_delta","delta":"a"}\ndata: ${done}\n`,
  "events without a type, and one newline": `data: {"a":1}\ndata: {"a":2}\nid: 3\ndata: {"type":"text_delta","delta":"a"}\nid: 4\ndata: ${done}\n`,
  "a bracket that nothing opened": `data: }\ndata: {"type":"text_delta","delta":"a"}\ndata: ]\ndata: ${done}\n`,
  "an array, a number and a string": `data: [1]\ndata: 2\ndata: "x"\ndata: {"type":"text_delta","delta":"a"}\n\ndata: ${done}\n\n`,
  "a part of an event, and its whole": `data: {"type":\ndata: {"type":"text_delta","delta":"a"}\nid: 1\n\nid: 2\ndata: ${done}\n\n`,
  "text beyond ASCII": `${getEvent("é€😀\u2028\u0085", 1)}${getEvent("done", 2)}`,
  "keys in another order, and blanks": `data: { "delta" : "a" , "type" : "text_delta" }\n\ndata: { "total_cost_usd" : 0.25 , "type" : "done" }\n\n`,
  "an escaped type":
    String.raw`data: {"t\u0079pe":"text_delt\u0061","delta":"a"}` +
    `\n\n` +
    String.raw`data: {"type":"d\u006fne"}` +
    "\n\n",
  "no line end at the end": `${getEvent("a", 1)}id: 2\ndata: ${done}`,
  "no line end, and no ids": `data: {"type":"text_delta","delta":"a"}\ndata: ${done}`,
  "an error as its end": `${getEvent("a", 1)}event: error\ndata: {"type":"error","error":"quota","detail":"no"}\n\n`,
  "a timeout as its end, and more behind it": `${getEvent("a", 1)}id: 2\ndata: {"type":"timeout"}\n\n${getEvent("late", 3)}`,
  "empty data lines": `data\n\ndata:\n\n${getEvent("a", 1)}data: \n\n${getEvent("done", 2)}`,
  "ids with colons and blanks": `${getEvent("a", "2026-11-27T04:05:06Z#1 a")}${getEvent("done", "urn:x:2")}`,
};
const endings = ["stays", "breaks", undefined] as const;

describe("a run is read as a stream is", () => {
  test.for(Object.entries(bodies))("with %s", async ([, lf]) => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const text = lf.replaceAll("\n", end);
      const want = await readAlone(text);
      expect(want.events.length).toBeGreaterThan(1);
      // Nobody can know of a line without an end that it is complete, while the connection stays.
      for (const ending of endings.slice(/[\r\n]$/.test(text) ? 0 : 1)) {
        for (const chunk of [1, 5, Infinity]) {
          const { events, outcome, requestTimes } = await readRun([{ text, ending }], { chunk });
          expect({ end, ending, chunk, events, outcome, requests: requestTimes.length }).toEqual({
            end,
            ending,
            chunk,
            ...want,
            requests: 1,
          });
        }
      }
    }
  });
});

describe("lines are split in linear time", () => {
  const many: Record<string, string> = {
    "brackets that nothing opened": "data: }\n",
    "events without a type": 'data: {"a":1}\n',
    "beginnings of events": 'data: {"a":\n',
    arrays: "data: [{}]\n",
    "one long line": "x",
  };
  test.for(Object.entries(many))("of %s", ([, one]) => {
    const text = (one === "x" ? "data: " : "") + one.repeat(400_000 / one.length);
    const lines = createEventLines();
    const blocks: unknown[] = [];
    const ms = measureProcessorTime(() => {
      for (let at = 0; at < text.length; at += 64) blocks.push(...lines.add(text.slice(at, at + 64)));
      blocks.push(...lines.end());
    });
    expect(blocks).toEqual([]);
    expect(ms).toBeLessThan(2_000);
  });
});

describe("what is no event stream ends the run at once, and is asked for once", () => {
  const answers: Record<string, [text: string, type: string | undefined]> = {
    XHTML: ["<html xmlns='http://www.w3.org/1999/xhtml'/>", "application/xhtml+xml"],
    "a problem document": ['{"type":"about:blank","title":"Gone"}', "application/problem+json"],
    NDJSON: ['{"type":"text_delta","delta":"a"}\n{"type":"done"}\n', "application/x-ndjson"],
    "NDJSON that claims to be one": ['{"type":"text_delta","delta":"a"}\n{"type":"done"}\n', "text/event-stream"],
    "plain text": ["not found", "text/plain; charset=utf-8"],
    "plain text without a type": ["Service Unavailable", undefined],
    "XML without a type": ["<?xml version='1.0'?><Error/>", undefined],
    "an image": ["\u0089PNG\r\n\u001a\n", "image/png"],
    "a type that only begins like one": [getEvent("done", 1), "text/event-streaming"],
    "a sign-in page behind blank lines": ["\n\n  <html><form action=/login>", "text/event-stream"],
    "a JSON array": ["[]", "application/json"],
    "a JSON string that claims to be one": ['"no such run"', "text/event-stream"],
    "a body of JavaScript": ["window.location='/login'", "application/javascript"],
  };
  test.for(Object.entries(answers))("%s", async ([, [text, type]]) => {
    for (const ending of type === undefined || type === "text/event-stream" ? [undefined] : endings.slice(0, 1)) {
      const init = { headers: type === undefined ? new Headers() : { "content-type": type } };
      const { outcome, requestTimes } = await readRun([{ text, ending, init }]);
      expect({ outcome, requests: requestTimes.length }).toEqual({ outcome: "not-a-stream", requests: 1 });
    }
  });
});

/** Writes events by pairs of text and id. */
const getEvents = (...pairs: [string, (string | number)?][]): string =>
  pairs.map(([text, id]) => getEvent(text, id)).join("");

describe("each event once, and in order, with ids that", () => {
  const [a, b, c, end] = ["a", "b", "c", "done"] as const;
  const huge = 10n ** 40n;
  const cases: Record<string, { texts: string[]; want: string[]; after?: string }> = {
    "have forty digits": {
      texts: [getEvents([a, `${huge}`]), getEvents([b, `${huge + 1n}`], [end, `${huge + 2n}`])],
      want: [a, b, end],
    },
    "have forty digits, and are sent again": {
      texts: [
        getEvents([a, `${huge}`], [b, `${huge + 1n}`]),
        getEvents([a, `${huge}`], [b, `${huge + 1n}`], [end, `${huge + 2n}`]),
      ],
      want: [a, b, end],
    },
    "are known by a number of forty digits": {
      texts: [getEvents([a, `${huge - 1n}`], [b, `${huge}`], [end, `${huge + 1n}`])],
      want: [end],
      after: `${huge}`,
    },
    "begin with zeros": {
      texts: [getEvents([a, "001"], [b, "002"]), getEvents([a, "001"], [b, "002"], [end, "003"])],
      want: [a, b, end],
    },
    "are negative": { texts: [getEvents([a, "-2"], [b, "-1"]), getEvents([b, "-1"], [end, "0"])], want: [a, b, end] },
    "count down": { texts: [getEvents([a, 3], [b, 2]), getEvents([a, 3], [b, 2], [end, 1])], want: [a, b, end] },
    "are names of what objects inherit": {
      texts: [
        getEvents([a, "__proto__"], [b, "constructor"]),
        getEvents([a, "__proto__"], [b, "constructor"], [end, "toString"]),
      ],
      want: [a, b, end],
    },
    "are UUIDs, resumed": {
      texts: [
        getEvents([a, "3f2b0000-0000-4000-8000-000000000001"]),
        getEvents([b, "3f2b0000-0000-4000-8000-000000000002"], [end, "3f2b0000-0000-4000-8000-000000000003"]),
      ],
      want: [a, b, end],
    },
    "are of Redis streams": {
      texts: [
        getEvents([a, "1732680000000-0"], [b, "1732680000000-1"]),
        getEvents([b, "1732680000000-1"], [c, "1732680000001-0"], [end, "1732680000001-1"]),
      ],
      want: [a, b, c, end],
    },
    "are times": {
      texts: [
        getEvents([a, "2026-11-27T04:05:06.7Z"]),
        getEvents([a, "2026-11-27T04:05:06.7Z"], [end, "2026-11-27T04:05:07Z"]),
      ],
      want: [a, end],
    },
    "are empty": { texts: [getEvents([a, ""]), getEvents([end, ""])], want: [a, end] },
    "are the same for different events": {
      texts: [getEvents([a, 7], [b, 7]), getEvents([c, 7], [end, 7])],
      want: [a, b, c, end],
    },
    "begin again with the same text at another number": {
      texts: [getEvents([a, 1], [b, 2]), getEvents([b, 1], [a, 2], [end, 3])],
      want: [a, b, b, a, end],
    },
    "begin again at 0": { texts: [getEvents([a, 5], [b, 6]), getEvents([c, 0], [end, 1])], want: [a, b, c, end] },
    "begin again twice": {
      texts: [getEvents([a, 1]), getEvents([b, 1]), getEvents([c, 1], [end, 2])],
      want: [a, b, c, end],
    },
    "are missing, and a part is sent again": {
      texts: [getEvents([a], [b]), getEvents([a]), getEvents([a], [b], [c], [end])],
      want: [a, b, c, end],
    },
    "are missing, and equal events end what was sent": {
      texts: [getEvents([a], [a]), getEvents([a], [a], [a], [end])],
      want: [a, a, a, end],
    },
    "are missing at first": { texts: [getEvents([a], [b, 2]), getEvents([c, 3], [end, 4])], want: [a, b, c, end] },
    "grow from 9 to 10": {
      texts: [getEvents([a, 8], [b, 9]), getEvents([b, 9], [c, 10], [end, 11])],
      want: [b, c, end],
      after: "8",
    },
  };
  test.for(Object.entries(cases))("%s", async ([, { texts, want, after }]) => {
    for (const ending of ["breaks", undefined] as const) {
      for (const chunk of [1, 13, Infinity]) {
        const { events, outcome } = await readRun(
          texts.map((text) => ({ text, ending })),
          { after, chunk },
        );
        expect({ ending, chunk, events, outcome }).toEqual({ ending, chunk, events: want, outcome: "done" });
      }
    }
  });
});

/** A connection that is refused until a time. */
const refuse = (after: string, status: number): Connection => ({
  text: "{}",
  init: { status, headers: { "retry-after": after } },
});

/** Writes the date that is so many seconds ahead. */
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toUTCString();

describe("Retry-After", () => {
  test.for<[string, () => Connection[], number]>([
    ["in seconds, of a 500", () => [refuse("7", 500)], 7000],
    ["in seconds, of a 502", () => [refuse("33", 502)], 33_000],
    ["in seconds, of a 504", () => [refuse("299", 504)], 299_000],
    ["as a date", () => [refuse(inSeconds(40), 429)], 38_000],
    ["as a date, of a 503", () => [refuse(inSeconds(90), 503)], 88_000],
    ["twice", () => [refuse("5", 429), refuse("9", 503)], 14_000],
    ["of blanks around it", () => [refuse(" 12 ", 429)], 12_000],
    ["of zeros before it", () => [refuse("0011", 429)], 11_000],
    ["of 0", () => [refuse("0", 429)], 0],
    ["of a date that is over", () => [refuse("Wed, 21 Oct 2015 07:28:00 GMT", 503)], 0],
    ["that is no number", () => [refuse("soon", 429)], 0],
    ["that is negative", () => [refuse("-5", 429)], 0],
    ["that is empty", () => [refuse("", 503)], 0],
  ])("%s is waited for, and not longer than that and a pause", async ([, connections, atLeast]) => {
    const { events, requestTimes } = await readRun([...connections(), { text: getEvent("done", 1) }]);
    expect(events).toEqual(["done"]);
    expect(requestTimes.at(-1)).toBeGreaterThanOrEqual(atLeast);
    expect(requestTimes.at(-1)).toBeLessThanOrEqual(atLeast + 3000);
  });
  test.for(["3600", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])(
    "of %j is an error at once",
    async (after) => {
      const { outcome, requestTimes } = await readRun([refuse(after, 503), { text: getEvent("done", 1) }]);
      expect({ outcome, requests: requestTimes.length }).toEqual({ outcome: "connection-lost", requests: 1 });
    },
  );
});

describe("a run that was billed is a run", () => {
  const attached = [
    "01JDQ5Z8M7K2V9X4T6W3R1Y0ZA",
    "42",
    "0",
    "run_ABC-def.1",
    "a".repeat(900),
    "run=7",
    "thread:7",
    "x!$&'()*+,;=",
    "...",
    "run.1~2",
  ];
  const others = ["a?b", "a#b", "a%2Fb", "run/../x", ".", "<id>", 'a"b', "a\\b", "{id}", "a|b", "", "ü", "a\tb"];
  test.for([...attached, ...others])("with the id %j", async (id) => {
    const methods: string[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      methods.push(request.method);
      if (request.method === "POST") return new Response(null, { status: 202, headers: { "x-service-run-id": id } });
      return new Response(getEvent("done", 1), { headers: eventStream });
    };
    const client = createCloudBrowser({ apiKey: "key", baseUrl: "https://service.test", fetch });
    const started = await startRun(client, { query: "x" });
    expect(started.id).toBe(id);
    const outcome = await started.stream.outcome();
    expect([methods, outcome.type]).toEqual(attached.includes(id) ? [["POST", "GET"], "done"] : [["POST"], "broken"]);
    expect(outcome).not.toMatchObject({ error: { code: "misuse" } });
  });
});
