import { expect, test } from "vitest";
import type { ListedSession } from "../src/api/control.ts";
import { findJsonFault } from "../src/session/json-fault.ts";
import { cutPage, filterSessions } from "../src/sessions/session-filter.ts";
import { readSessionForm } from "../src/sessions/session-form.ts";
import { readForm } from "../src/ui/submit.tsx";
import { formatBytes, formatDuration, formatMoment } from "../src/ui/time.tsx";

function session(fields: Partial<ListedSession>): ListedSession {
  return {
    session_id: "6f1c1a52-0b7e-4f60-9d2a-111111111111",
    key: "main",
    state: "active",
    created_at: "2026-01-01T00:00:00Z",
    ended_at: null,
    end_reason: null,
    url: null,
    title: null,
    cdp_url: null,
    viewer_url: null,
    thread_id: null,
    recording: null,
    control: null,
    profile: null,
    ...fields,
  };
}

test("a filter finds words anywhere in what a row shows, and a state", () => {
  const shop = session({ title: "Shop", url: "https://shop.example/basket", key: "till" });
  const other = session({ title: "News", state: "ended", end_reason: "idle" });
  const all = [shop, other];
  expect(filterSessions(all, { text: "BASKET till", state: "" })).toEqual([shop]);
  expect(filterSessions(all, { text: "idle", state: "ended" })).toEqual([other]);
  expect(filterSessions(all, { text: "shop", state: "ended" })).toEqual([]);
  expect(filterSessions(all, { text: " ", state: "" })).toEqual(all);
});

test("a page beyond the last one is the last one", () => {
  expect(cutPage([1, 2, 3], 2, 9)).toEqual({ items: [3], index: 1, count: 2 });
  expect(cutPage([], 2, 0)).toEqual({ items: [], index: 0, count: 1 });
});

function form(fields: Readonly<Record<string, string>>) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return readSessionForm(readForm(data));
}

test("an empty form asks for nothing but what it says", () => {
  expect(form({ record: "on" })).toEqual({});
  expect(form({})).toEqual({ record: false });
});

test("a form becomes a request; an address without a scheme gets one", () => {
  expect(
    form({ url: " example.com ", viewport: "800 x 600", locale: "de", idle: "2", cookies: "[]", record: "on" }),
  ).toEqual({
    url: "https://example.com",
    viewport: { width: 800, height: 600 },
    locale: "de",
    idle_limit_s: 120,
    cookies: [],
  });
  expect(form({ url: "about:blank", record: "on" })).toEqual({ url: "about:blank" });
});

test.each(["[", "{}", "3"])("cookies that are no array of JSON are refused: %s", (cookies) => {
  expect(() => form({ cookies })).toThrow(/cookies/);
});

test("a schema that can't be sent says why", () => {
  expect(findJsonFault('{"type": "object"}')).toBeUndefined();
  expect(findJsonFault('{\n"type": }')).toMatch(/^Line 2, column 9: /);
  expect(findJsonFault("[]")).toMatch(/is an object/);
});

test("durations, sizes and moments are written for people", () => {
  expect([7_400, 62_000, 3_723_000].map(formatDuration)).toEqual(["0:07", "1:02", "1:02:03"]);
  expect([999, 1_400_000].map(formatBytes)).toEqual(["999 B", "1.4 MB"]);
  expect(formatMoment(new Date(0), 120_000)).toBe("2 minutes ago");
  expect(formatMoment(new Date(0), 400)).toBe("now");
});
