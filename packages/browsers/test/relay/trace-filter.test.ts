import { describe, expect, it } from "vitest";
import { traceParams } from "../../src/relay/trace-config.ts";
import { TraceFilter } from "../../src/relay/trace-filter.ts";

const browser = 10;
const page = { frame: "PAGE", processId: 20, url: "http://ours/" };
const child = { frame: "CHILD", parent: "PAGE", processId: 21, url: "http://ours/frame" };
const neighbour = { frame: "OTHER", processId: 30, url: "http://theirs/" };

const makeBrowserEvent = (name: string, data: object) => ({ pid: browser, name, args: { data } });
const announceFrames = (...frames: object[]) => makeBrowserEvent("TracingStartedInBrowser", { frames });
const makeMark = (pid: number, name = `mark of ${pid}`) => ({ pid, name, cat: "blink.user_timing", ph: "I" });

function filterEvents(...events: unknown[]): unknown[] {
  const filter = new TraceFilter(browser, "PAGE");
  for (const event of events) filter.add([event], 100);
  expect(filter.hasDataLoss).toBe(false);
  return filter.finish();
}

describe("a trace keeps", () => {
  it.each([
    ["what the page's process tells", announceFrames(page), makeMark(20)],
    [
      "what it told before it was known to be the page's",
      makeMark(20),
      makeBrowserEvent("FrameCommittedInBrowser", page),
    ],
    [
      "the process of a frame below of it",
      announceFrames(page),
      makeBrowserEvent("FrameCommittedInBrowser", child),
      makeMark(21),
    ],
    [
      "a process that was there only later",
      announceFrames(page),
      makeBrowserEvent("FrameCommittedInBrowser", { frame: "PAGE", processPseudoId: "0x1" }),
      makeBrowserEvent("ProcessReadyInBrowser", { frame: "PAGE", processPseudoId: "0x1", processId: 22 }),
      makeMark(22),
    ],
    [
      "that a frame has gone",
      announceFrames(page, child),
      makeBrowserEvent("FrameDeletedInBrowser", { frame: "CHILD" }),
    ],
    ["pictures of the page", { pid: browser, name: "Screenshot", cat: "disabled-by-default-devtools.screenshot" }],
    ["names of threads", { pid: browser, ph: "M", name: "thread_name", args: { name: "CrBrowserMain" } }],
  ])("%s", (_, ...events) => {
    expect(filterEvents(...events)).toHaveLength(events.length);
  });
});

describe("a trace drops", () => {
  it.each([
    ["what the process of another page tells", makeMark(30)],
    ["that another page went somewhere", makeBrowserEvent("FrameCommittedInBrowser", neighbour)],
    [
      "that a frame of another page did",
      makeBrowserEvent("FrameCommittedInBrowser", { ...child, frame: "X", parent: "OTHER" }),
    ],
    ["that another page has gone", makeBrowserEvent("FrameDeletedInBrowser", { frame: "OTHER" })],
    ["a list of frames with one of another page", announceFrames(page, neighbour), makeMark(30)],
    [
      "what a page forges in the name of the browser",
      { ...announceFrames({ ...page, processId: 30 }), pid: 30 },
      makeMark(30),
    ],
    [
      "what the browser process does",
      { pid: browser, name: "NavigationControllerImpl::LoadURL", args: { url: "http://theirs/" } },
    ],
    ["what it says of itself", { pid: browser, ph: "M", name: "process_labels" }],
    ["what the GPU process tells", makeMark(15)],
    ["what a page calls a picture", { ...makeMark(30, "Screenshot"), cat: "disabled-by-default-devtools.screenshot" }],
    [
      "the browser process as one of a page",
      announceFrames({ ...page, processId: browser, url: 1 }),
      { ...makeMark(browser) },
    ],
    ["what is no event", null, 1, "x", [], {}],
  ])("%s", (_, ...events) => {
    const text = JSON.stringify(
      filterEvents(...events).filter((event) => JSON.stringify(event) !== JSON.stringify(announceFrames(page))),
    );
    expect(text).not.toContain("theirs");
    expect(text).not.toContain("mark of");
    expect(text).not.toMatch(/"pid":(?:15|30)/u);
    expect(text).not.toMatch(/process_labels|OTHER/u);
  });

  it("events beyond 64 MiB of them, and says so", () => {
    const filter = new TraceFilter(browser, "PAGE");
    for (const pid of [20, 20, 20]) filter.add([makeMark(pid)], 32 * 2 ** 20);
    filter.add([announceFrames(page)], 100);
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
    for (const [kilobytes, traceBufferSizeInKb] of [
      [1_024, 1_024],
      [2 ** 30, 65_536],
      [-1, 65_536],
    ]) {
      expect(getConfig({ traceConfig: { traceBufferSizeInKb: kilobytes } })).toMatchObject({
        traceBufferSizeInKb,
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
