import { describe, expect, test } from "vitest";
import { createCloudBrowser } from "../../src/index.ts";
import { startRun } from "../../src/runs.ts";
import { getEvent, readRun, type Connection } from "./run-reading.ts";

describe("framing", () => {
  const all = ["a", "b", "done"];
  const framings = [
    { name: "LF", end: "\n\n" },
    { name: "CRLF", end: "\r\n\r\n" },
    { name: "CR", end: "\r\r" },
    { name: "one LF between events", end: "\n" },
    { name: "one CRLF between events", end: "\r\n", line: true },
    { name: "one CR between events", end: "\r" },
  ];
  const ways = framings.flatMap(({ name, end, line }) =>
    (["with ids", "without ids"] as const).flatMap((ids) =>
      (["stays", "breaks", undefined] as const).map((ending) => ({ name, end: line ? "\r\n" : end, ids, ending })),
    ),
  );
  test.for(ways)("$name, $ids, of a connection that $ending", async ({ end, ids, ending }) => {
    const text = all.map((delta, index) => getEvent(delta, ids === "with ids" ? index + 1 : undefined, end)).join("");
    const trimmed = text.replace(/[\r\n]+$/, end.slice(0, 1));
    for (const chunk of [1, 7, Infinity]) {
      for (const body of [text, trimmed, `\uFEFF${text}`]) {
        const { events, outcome, requestTimes } = await readRun([{ text: body, ending }], { chunk });
        expect({ chunk, events, outcome, requests: requestTimes.length }).toEqual({
          chunk,
          events: all,
          outcome: "done",
          requests: 1,
        });
      }
    }
  });
  test("an event over several lines, with its id behind it, and without the last line end", async () => {
    const text = 'data: {"type":"text_delta",\ndata: "delta":"a"}\nid: 7\n\nid: 8\ndata: {"type":"done"}';
    const { events, outcome } = await readRun([{ text }]);
    expect({ events, outcome }).toEqual({ events: ["a", "done"], outcome: "done" });
  });
});

describe("what is no event stream ends the run at once", () => {
  const html = "<!doctype html><title>App</title>";
  test.for<[string, Connection]>([
    ["HTML", { text: html, init: { headers: { "content-type": "text/html; charset=utf-8" } } }],
    ["JSON", { text: '{"detail":"no"}', init: { headers: { "content-type": "application/json" } } }],
    ["HTML that claims to be one", { text: html }],
    ["JSON without a type", { text: '{"detail":"no"}\n', init: { headers: {} } }],
    ["HTML that stays open", { text: html, ending: "stays", init: { headers: { "content-type": "text/html" } } }],
  ])("%s", async ([, connection]) => {
    const { outcome, fullOutcome, requestTimes } = await readRun([connection]);
    expect({ outcome, requests: requestTimes.length }).toEqual({ outcome: "not-a-stream", requests: 1 });
    expect(fullOutcome).toMatchObject({ error: { head: connection.text } });
  });
  test.for(["", "\n", "i", "dat", ":", "retry: 5\n"])("but %j is the beginning of one", async (text) => {
    const { events, outcome } = await readRun([{ text }, { text: getEvent("done", 1) }]);
    expect({ events, outcome }).toEqual({ events: ["done"], outcome: "done" });
  });
});

describe("each event once, with ids that", () => {
  const big = 2n ** 53n;
  const cases: { name: string; first: string; second: string; want: string[]; after?: string }[] = [
    {
      name: "exceed 2^53, resumed",
      first: getEvent("a", `${big}`) + getEvent("b", `${big + 1n}`),
      second: getEvent("c", `${big + 2n}`) + getEvent("done", `${big + 3n}`),
      want: ["a", "b", "c", "done"],
    },
    {
      name: "exceed 2^53, after one of them, sent again",
      first: getEvent("a", `${big}`) + getEvent("b", `${big + 1n}`),
      second: getEvent("a", `${big}`) + getEvent("b", `${big + 1n}`) + getEvent("done", `${big + 2n}`),
      want: ["b", "done"],
      after: `${big}`,
    },
    {
      name: "begin again",
      first: getEvent("a", 1) + getEvent("b", 2),
      second: getEvent("c", 1) + getEvent("d", 2) + getEvent("done", 3),
      want: ["a", "b", "c", "d", "done"],
    },
    {
      name: "are missing, and all is sent again",
      first: getEvent("a") + getEvent("a") + getEvent("b"),
      second: getEvent("a") + getEvent("a") + getEvent("b") + getEvent("b") + getEvent("done"),
      want: ["a", "a", "b", "b", "done"],
    },
    {
      name: "are missing, and only what is new is sent",
      first: getEvent("a") + getEvent("b"),
      second: getEvent("c") + getEvent("a") + getEvent("done"),
      want: ["a", "b", "c", "a", "done"],
    },
    {
      name: "are no numbers, and all is sent again",
      first: getEvent("a", "x1") + getEvent("b", "x2"),
      second: getEvent("a", "x1") + getEvent("b", "x2") + getEvent("done", "x3"),
      want: ["a", "b", "done"],
    },
    {
      name: "only some events have",
      first: getEvent("a", 1) + getEvent("tick"),
      second: getEvent("tick") + getEvent("done", 2),
      want: ["a", "tick", "tick", "done"],
    },
  ];
  test.for(cases)("$name", async ({ first, second, want, after }) => {
    for (const ending of ["breaks", undefined] as const) {
      for (const chunk of [1, Infinity]) {
        const { events, outcome } = await readRun(
          [
            { text: first, ending },
            { text: second, ending },
          ],
          { after, chunk },
        );
        expect({ events, outcome }).toEqual({ events: want, outcome: "done" });
      }
    }
  });
});

/** A connection that is refused until a time. */
function refuse(after: string, status = 429): Connection {
  return { text: "{}", init: { status, headers: { "retry-after": after } } };
}

describe("Retry-After", () => {
  test.for([429, 503])("of a %d is waited for", async (status) => {
    const { events, requestTimes } = await readRun([refuse("20", status), { text: getEvent("done", 1) }]);
    expect(events).toEqual(["done"]);
    expect(requestTimes[1]).toBeGreaterThanOrEqual(20_000);
  });
  test("that is longer than is waited for bytes is an error at once", async () => {
    const { fullOutcome, requestTimes } = await readRun([refuse("301")]);
    expect(requestTimes).toHaveLength(1);
    expect(fullOutcome).toMatchObject({
      error: { cause: { code: "rate-limited", status: 429, retryAfterMs: 301_000 } },
    });
  });
});

test.each(["run.1", "urn:uuid:0b9c7a52-0000-4000-8000-000000000000", "run~7", "a@b", "a/b", "..", "a b"])(
  "a run that is billed is a run, with the id %j",
  async (id) => {
    const requests: string[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      requests.push(`${request.method} ${decodeURIComponent(new URL(request.url).pathname)}`);
      if (request.method === "POST") return new Response(null, { status: 202, headers: { "x-service-run-id": id } });
      return new Response(getEvent("done", 1), { headers: { "content-type": "text/event-stream" } });
    };
    const client = createCloudBrowser({ apiKey: "key", baseUrl: "https://service.test", fetch });
    const started = await startRun(client, { query: "x" });
    expect(started).toMatchObject({ id, isDetached: true });
    const { type } = await started.stream.outcome();
    const isAttached = !["a/b", "..", "a b"].includes(id);
    const want = isAttached
      ? [["POST /api/automation/start", `GET /control/runs/${id}/events`], "done"]
      : [["POST /api/automation/start"], "broken"];
    expect([requests, type]).toEqual(want);
  },
);
