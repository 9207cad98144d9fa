import { expect, test } from "vitest";
import { renderHar } from "../../src/report/har.ts";
import type { RecordedExchange } from "../../src/report/report.ts";
import { acting, exchange, hostile, hostileReport, makeReport } from "./reports.ts";

/** Returns the log of a report with these exchanges. */
function makeLog(...exchanges: readonly RecordedExchange[]): ReturnType<typeof JSON.parse> {
  return JSON.parse(renderHar(makeReport({ exchanges }))).log;
}

test("has every exchange, with all fields that HAR 1.2 demands", () => {
  const record = exchange("a", "{}", "application/json");
  const log = makeLog(record, exchange("b", "", ""));
  expect(log).toMatchObject({ version: "1.2", creator: { name: "@cloud-browser/conformance", version: "0.1.0" } });
  expect(log.entries).toHaveLength(2);
  expect(log.entries[0]).toEqual({
    startedDateTime: "2026-11-20T20:56:05.113Z",
    time: 46,
    request: {
      method: "POST",
      url: "http://target.example/sessions/s1/page/scrape",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [{ name: "authorization", value: "Bearer [redacted]" }],
      queryString: [],
      headersSize: -1,
      bodySize: 2,
      postData: { mimeType: "", text: "{}" },
    },
    response: {
      status: 200,
      statusText: "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [{ name: "content-type", value: "application/json" }],
      content: { size: 2, mimeType: "application/json", text: "{}" },
      redirectURL: "",
      headersSize: -1,
      bodySize: 2,
    },
    cache: {},
    timings: { send: 0, wait: 4, receive: 42 },
    comment: "a",
    _id: "a",
    _operation: "page_scrape",
    _end: "complete",
    _chunks: [{ atMs: 4 }],
  });
});

test("tells the query apart, and counts bytes of the request", () => {
  const record = exchange("a", "", "");
  const request = { ...record.request, url: "http://h/a?x=1&y=%20", body: "é" };
  const queryString = Object.entries({ x: "1", y: " " }).map(([name, value]) => ({ name, value }));
  expect(makeLog({ ...record, request }).entries[0].request).toMatchObject({ queryString, bodySize: 2 });
});

test("has status 0 and the reason where no response came", () => {
  const record = { ...exchange("a", "", ""), response: null, failure: "ECONNRESET" };
  const [entry] = makeLog(record).entries;
  expect(entry.response).toMatchObject({ status: 0, bodySize: -1, content: { size: 0, mimeType: "x-unknown" } });
  expect(entry).toMatchObject({ _error: "ECONNRESET", timings: { send: 0, wait: 46, receive: 0 } });
});

test("has when the pieces of a stream arrived, as far as the report knows it", () => {
  const record = exchange("a", "data: {}\n\n", "text/event-stream");
  const arrivals = (chunks: object): unknown => {
    const response = record.response
      ? { ...record.response, chunks: { count: 3, firstMs: 4, lastMs: 40, ...chunks } }
      : null;
    return makeLog({ ...record, response }).entries[0]["_chunks"];
  };
  expect(arrivals({})).toEqual([{ atMs: 4 }, { atMs: 40 }]);
  const pieces = [4, 9, 40].map((atMs) => ({ atMs, bytes: 100 - atMs }));
  expect(arrivals({ arrivals: pieces.map(({ atMs, bytes }) => [atMs, bytes]) })).toEqual(pieces);
});

test("says that a body was shortened, and gives its whole size", () => {
  const record = exchange("a", "abc", "text/plain");
  const response = record.response ? { ...record.response, truncated: true, bodyBytes: 99_999 } : null;
  expect(makeLog({ ...record, response }).entries[0].response.content).toMatchObject({
    size: 99_999,
    comment: "Only the beginning was kept.",
  });
});

test("keeps every character of a hostile target, and shows none that acts", () => {
  const text = renderHar(hostileReport());
  expect(text).not.toMatch(acting);
  expect(() => encodeURIComponent(text)).not.toThrow();
  const { entries } = makeLog(...hostileReport().exchanges);
  expect(entries[0].request.postData).toMatchObject({ text: hostile });
  expect(entries[2].response.content.text).toBe(hostile);
});
