import { describe, expect, it } from "vitest";
import { traceParams } from "../../src/relay/trace-config.ts";
import { TraceFilter } from "../../src/relay/trace-filter.ts";

const browser = 10;
const page = { frame: "PAGE", processId: 20, url: "http://ours/" };
const child = { frame: "CHILD", parent: "PAGE", processId: 21, url: "http://ours/frame" };
const neighbour = { frame: "OTHER", processId: 30, url: "http://theirs/" };

const ofBrowser = (name: string, data: object) => ({ pid: browser, name, args: { data } });
const started = (...frames: object[]) => ofBrowser("TracingStartedInBrowser", { frames });
const mark = (pid: number, name = `mark of ${pid}`) => ({ pid, name, cat: "blink.user_timing", ph: "I" });

function kept(...events: unknown[]): unknown[] {
  const filter = new TraceFilter(browser, "PAGE");
  for (const event of events) filter.add([event], 100);
  expect(filter.hasDataLoss).toBe(false);
  return filter.finish();
}

describe("a trace keeps", () => {
  it.each([
    ["what the page's process tells", started(page), mark(20)],
    ["what it told before it was known to be the page's", mark(20), ofBrowser("FrameCommittedInBrowser", page)],
    ["the process of a frame below of it", started(page), ofBrowser("FrameCommittedInBrowser", child), mark(21)],
    [
      "a process that was there only later",
      started(page),
      ofBrowser("FrameCommittedInBrowser", { frame: "PAGE", processPseudoId: "0x1" }),
      ofBrowser("ProcessReadyInBrowser", { frame: "PAGE", processPseudoId: "0x1", processId: 22 }),
      mark(22),
    ],
    ["that a frame has gone", started(page, child), ofBrowser("FrameDeletedInBrowser", { frame: "CHILD" })],
    ["pictures of the page", { pid: browser, name: "Screenshot", cat: "disabled-by-default-devtools.screenshot" }],
    ["names of threads", { pid: browser, ph: "M", name: "thread_name", args: { name: "CrBrowserMain" } }],
  ])("%s", (_, ...events) => {
    expect(kept(...events)).toHaveLength(events.length);
  });
});

describe("a trace drops", () => {
  it.each([
    ["what the process of another page tells", mark(30)],
    ["that another page went somewhere", ofBrowser("FrameCommittedInBrowser", neighbour)],
    [
      "that a frame of another page did",
      ofBrowser("FrameCommittedInBrowser", { ...child, frame: "X", parent: "OTHER" }),
    ],
    ["that another page has gone", ofBrowser("FrameDeletedInBrowser", { frame: "OTHER" })],
    ["a list of frames with one of another page", started(page, neighbour), mark(30)],
    ["what a page forges in the name of the browser", { ...started({ ...page, processId: 30 }), pid: 30 }, mark(30)],
    [
      "what the browser process does",
      { pid: browser, name: "NavigationControllerImpl::LoadURL", args: { url: "http://theirs/" } },
    ],
    ["what it says of itself", { pid: browser, ph: "M", name: "process_labels" }],
    ["what the GPU process tells", mark(15)],
    ["what a page calls a picture", { ...mark(30, "Screenshot"), cat: "disabled-by-default-devtools.screenshot" }],
    ["the browser process as one of a page", started({ ...page, processId: browser, url: 1 }), { ...mark(browser) }],
    ["what is no event", null, 1, "x", [], {}],
  ])("%s", (_, ...events) => {
    const text = JSON.stringify(
      kept(...events).filter((event) => JSON.stringify(event) !== JSON.stringify(started(page))),
    );
    expect(text).not.toContain("theirs");
    expect(text).not.toContain("mark of");
    expect(text).not.toMatch(/"pid":(?:15|30)/u);
    expect(text).not.toMatch(/process_labels|OTHER/u);
  });

  it("events beyond 64 MiB of them, and says so", () => {
    const filter = new TraceFilter(browser, "PAGE");
    for (const pid of [20, 20, 20]) filter.add([mark(pid)], 32 * 2 ** 20);
    filter.add([started(page)], 100);
    expect(filter.finish()).toHaveLength(3);
    expect(filter.hasDataLoss).toBe(true);
  });
});

const getConfig = (params: object): unknown => traceParams({ ...params })["traceConfig"];

describe("what Chromium is asked to trace", () => {
  it.each([
    [
      "of pages only",
      { categories: "-*,*,netlog,disabled-by-default-memory-infra,loading,v8.execute" },
      ["loading", "v8.execute"],
    ],
    [
      "as a list",
      { traceConfig: { includedCategories: ["devtools.timeline", "disabled-by-default-netlog"] } },
      ["devtools.timeline"],
    ],
    [
      "without what is excluded",
      { traceConfig: { includedCategories: ["loading", "cc"], excludedCategories: ["cc"] } },
      ["loading"],
    ],
  ])("%s", (_, params, includedCategories) => {
    expect(getConfig(params)).toStrictEqual({
      includedCategories,
      excludedCategories: ["*"],
      traceBufferSizeInKb: 65_536,
    });
  });

  it("has the default categories unless others are given", () => {
    expect(getConfig({})).toMatchObject({ includedCategories: expect.arrayContaining(["devtools.timeline"]) });
  });

  it("takes at most 64 MiB, and less when asked for", () => {
    for (const [given, taken] of [
      [1_024, 1_024],
      [2 ** 30, 65_536],
      [-1, 65_536],
    ]) {
      expect(getConfig({ traceConfig: { traceBufferSizeInKb: given } })).toMatchObject({
        traceBufferSizeInKb: taken,
      });
    }
  });

  it("is never a stream, which could not be filtered, nor in memory dumps or files of the machine", () => {
    const params = {
      transferMode: "ReturnAsStream",
      traceConfig: { memoryDumpConfig: {}, recordMode: "recordContinuously" },
    };
    expect(Object.keys(traceParams(params))).toStrictEqual(["transferMode", "traceConfig"]);
    expect(traceParams(params)["transferMode"]).toBe("ReportEvents");
    expect(getConfig(params)).toStrictEqual({
      includedCategories: expect.arrayContaining(["devtools.timeline"]),
      excludedCategories: ["*"],
      traceBufferSizeInKb: 65_536,
    });
  });
});
