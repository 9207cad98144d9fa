import type { PageEvent } from "@cloud-browser/browsers";
import { describe, expect, test } from "vitest";
import { readEntries, viewTimeline } from "../../src/control/timeline-view.ts";
import type { SessionRecord } from "../../src/storage/session-store.ts";
import { Actors } from "../../src/timeline/actors.ts";
import { consoleLimit, ConsoleRing } from "../../src/timeline/console-ring.ts";
import { SessionHistory } from "../../src/timeline/session-history.ts";
import { writeTimelineMarkdown } from "../../src/control/timeline-markdown.ts";
import type { TimelineEvent } from "../../src/timeline/timeline-event.ts";
import { Timeline, timelineLimits } from "../../src/timeline/timeline.ts";
import { withoutQueries } from "../../src/timeline/without-queries.ts";

/** The history of a session whose pages tell what the test says. */
function watchedHistory(): { readonly history: SessionHistory; readonly observe: (event: PageEvent) => void } {
  const listeners: ((event: PageEvent) => void)[] = [];
  const pooled = {
    context: { on: () => undefined },
    watchPages: (listener: (event: PageEvent) => void) => void listeners.push(listener),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a context as is used
  const context = pooled as unknown as ConstructorParameters<typeof SessionHistory>[0];
  const history = new SessionHistory(context, (address) => address, 0);
  return { history, observe: (event) => listeners.forEach((listener) => listener(event)) };
}

const click = (name = "Save"): TimelineEvent => ({
  kind: "click",
  by: "person",
  tab: 1,
  target: { role: "button", name },
});
const record: SessionRecord = {
  session_id: "s",
  created_ms: 1_000,
  ended_ms: 9_000,
  end_reason: "service-died",
  url: null,
  title: null,
  key: null,
  recorded: true,
};
const all = { after: 0, limit: 10_000 };

describe("a timeline", () => {
  test("keeps each entry once, also those from before it was kept", () => {
    const timeline = new Timeline();
    const lines: string[] = [];
    timeline.record(click("a"));
    timeline.keepWith((line) => lines.push(line));
    timeline.record(click("b"));
    expect(readEntries(lines.join("\n"))).toEqual(timeline.entries);
    expect(timeline.entries.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test("takes nothing after the end", () => {
    const timeline = new Timeline();
    timeline.record({ kind: "end", by: "service", reason: "requested" });
    timeline.record(click());
    expect(timeline.entries).toHaveLength(1);
  });

  test("tells an act at the moment at which it was done, and never before the entry that precedes it", () => {
    const timeline = new Timeline(60_000);
    timeline.record(click("typed for a while"), 50_000);
    timeline.record(click("told late"), 59_000);
    const [first, second] = timeline.entries.map(({ at_ms }) => at_ms);
    expect(first).toBeGreaterThanOrEqual(10_000);
    expect(first).toBeLessThan(50_000);
    expect(second).toBe(first);
  });

  test("counts what comes beyond its limits, and tells of it before the end", () => {
    const timeline = new Timeline();
    for (let left = timelineLimits.entries + 7; left > 0; left -= 1) timeline.record(click("x"));
    timeline.record({ kind: "handover", by: "client", state: "asked" });
    timeline.record({ kind: "end", by: "service", reason: "requested" });
    expect(timeline.entries.slice(timelineLimits.entries)).toMatchObject([
      { kind: "dropped", count: 7 },
      { kind: "handover" },
      { kind: "end" },
    ]);
  });

  test("is bounded in bytes", () => {
    const timeline = new Timeline();
    let bytes = 0;
    timeline.keepWith((line) => (bytes += line.length));
    for (let left = 3_000; left > 0; left -= 1)
      timeline.record({ kind: "fill", by: "person", target: null, value: "v".repeat(500) });
    expect(bytes).toBeLessThan(timelineLimits.bytes + 1_000);
    expect(timeline.entries.length).toBeGreaterThan(1_000);
  });

  test("leaves no room to a page that changes its address all the time", () => {
    const timeline = new Timeline();
    for (let left = 5_000; left > 0; left -= 1)
      timeline.record({ kind: "navigation", by: "page", tab: 1, url: "http://a/", same_document: true });
    timeline.record(click());
    expect(timeline.entries.length).toBeLessThan(60);
    expect(timeline.entries.slice(-2)).toMatchObject([{ kind: "dropped", count: 4_950 }, { kind: "click" }]);
  });
});

describe("what is kept of a timeline", () => {
  const lines = `{"seq":1,"at_ms":500,"kind":"click","by":"person","target":null}\n{"seq":2,"at_ms":3500,"kind":"navigation","by":"client","url":"http://a/","same_document":false}\n{"seq":3,"at_m`;
  const video = { startMs: 1_000, durationMs: 4_000, gaps: [] };

  test("is read without the line that the death of the process has torn, and ends as the session did", () => {
    expect(viewTimeline(record, readEntries(lines), video, all)).toMatchObject({
      state: "ended",
      video: { start_ms: 1_000, duration_ms: 4_000 },
      entries: [
        { seq: 1, video_ms: null },
        { seq: 2, video_ms: 2_500 },
        { seq: 3, kind: "end", reason: "service-died", at_ms: 8_000, video_ms: null },
      ],
      has_more: false,
    });
  });

  test("is read in parts", () => {
    const first = viewTimeline(record, readEntries(lines), video, { after: 0, limit: 1 });
    expect(first).toMatchObject({ next_after: 1, has_more: true, entries: [{ seq: 1 }] });
    const rest = viewTimeline(record, readEntries(lines), video, { after: first.next_after, limit: 2 });
    expect(rest).toMatchObject({ next_after: 3, has_more: false, entries: [{ seq: 2 }, { seq: 3 }] });
    expect(viewTimeline(record, [], null, { after: 7, limit: 2 })).toMatchObject({ entries: [], next_after: 7 });
  });

  test("is Markdown in which a page writes no markup, and no line of its own", () => {
    const timeline = new Timeline();
    timeline.record(click("a\n- 0:00.0 **service** <img src=x> [link](http://a) `code`"));
    const text = writeTimelineMarkdown(viewTimeline(record, timeline.entries, video, all));
    expect(text.split("\n").filter((line) => line.startsWith("- "))).toHaveLength(2);
    expect(text).toContain(String.raw`a - 0:00.0 \*\*service\*\* \<img src=x\> \[link\](http://a) \`code\``);
  });
});

test.each([
  ["https://a.example/b?c=d#e", "https://a.example/b"],
  ["see https://u:p@a.example/b?c=d, and http://b/#t=1 too", "see https://a.example/b and http://b/ too"],
  ['{"next":"wss://a/b?token=1"}', '{"next":"wss://a/b"}'],
  ["data:text/html,<b>secret</b>", "data:…<b>secret</b>"],
  ["3 rows of data: all", "3 rows of data: all"],
  ["a?b=c", "a?b=c"],
])("addresses in a text are left without queries: %s", (text, expected) => {
  expect(withoutQueries(text)).toBe(expected);
});

test.each([
  ["http://u:p@127.0.0.1/a?token=x#y", "http://127.0.0.1/a"],
  ["about:blank?token=x", "about:blank"],
  ["data:text/html;base64,c2VjcmV0", "data:…"],
  ["blob:http://a.example/0b9c?x=y", "blob:http://a.example/0b9c"],
  ["file:///home/a?x#y", "file:///home/a"],
])("the address %s is told as %s", (url, expected) => {
  const { history, observe } = watchedHistory();
  observe({ kind: "navigation", tab: 1, url, sameDocument: false });
  observe({ kind: "download", tab: 1, url, fileName: "a" });
  expect(history.timeline.entries).toMatchObject([{ url: expected }, { url: expected }]);
});

test("typing is one entry before what follows it, whether it was told to its end or not", () => {
  const { history, observe } = watchedHistory();
  const type = (typing: number, value: string, isGoingOn: boolean): void =>
    observe({
      kind: "act",
      tab: 1,
      act: { kind: "fill", trusted: true, target: null, ageMs: 0, value, typing, isGoingOn },
    });
  history.actors.noteAct("person");
  type(1, "j", true);
  type(1, "jo", true);
  type(1, "joe", false);
  // A page that searches as somebody types changes its address at each key.
  const go = (url: string, sameDocument: boolean): void => observe({ kind: "navigation", tab: 1, url, sameDocument });
  go("http://a/", false);
  type(2, "a", true);
  go("http://a/?q=a", true);
  type(2, "ab", true);
  go("http://a/?q=ab", true);
  type(2, "ab", false);
  type(3, "gone with its document", true);
  go("http://a/next", false);
  type(4, "b", true);
  history.end("requested");
  expect(history.timeline.entries.map((entry) => ("value" in entry ? entry.value : entry.kind))).toEqual([
    "joe",
    "navigation",
    "ab",
    "gone with its document",
    "navigation",
    "b",
    "end",
  ]);
  const unfinished = history.timeline.entries.filter((entry) => "unfinished" in entry && entry.unfinished);
  expect(unfinished).toMatchObject([{ value: "gone with its document" }, { value: "b" }]);
});

test("a text of one long word takes no long time", () => {
  const begun = process.cpuUsage();
  withoutQueries("a.".repeat(100_000));
  expect(process.cpuUsage(begun).user).toBeLessThan(1_000_000);
});

test("the console keeps the newest, in order, and counts the others", () => {
  const ring = new ConsoleRing();
  for (let line = 1; line <= consoleLimit + 3; line += 1)
    ring.add({ kind: "console", tab: 1, level: "log", text: String(line), url: "http://a/b.js?v=1", line });
  const { messages, forgotten } = ring.view;
  expect(messages.map(({ text }) => Number(text))).toEqual(Array.from({ length: consoleLimit }, (_, at) => at + 4));
  expect(messages[0]?.url).toBe("http://a/b.js");
  expect(forgotten).toBe(3);
});

describe("who acted", () => {
  test("an event that only input makes is of the one whose input came last, however many scripts ran since", () => {
    const actors = new Actors();
    actors.noteCommand("Input.dispatchMouseEvent");
    actors.noteAct("person");
    for (let left = 10; left > 0; left -= 1) actors.noteCommand("Runtime.evaluate");
    actors.noteCommand("Page.navigate");
    expect(actors.findActor(true)).toBe("person");
  });

  test("an event of a script is of the client that has just run one, and otherwise of the page", () => {
    const actors = new Actors();
    expect(actors.findActor(false)).toBe("page");
    actors.noteAct("person");
    expect(actors.findActor(false)).toBe("page");
    actors.noteCommand("Runtime.callFunctionOn");
    expect(actors.findActor(false)).toBe("client");
  });

  test("what the page does is of the one who has just acted, and of the page when nobody has", () => {
    const actors = new Actors();
    expect(actors.findCause()).toBe("page");
    actors.noteAct("service");
    expect(actors.findCause()).toBe("service");
    actors.noteCommand("Page.navigate");
    expect(actors.findCause()).toBe("client");
    actors.noteAct("run");
    expect(actors.findCause()).toBe("run");
    expect(actors.findActor(false)).toBe("run");
  });
});
