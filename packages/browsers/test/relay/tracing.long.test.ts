import { chromium, type Page } from "playwright-core";
import { connect } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RawClient, startRelayed, readTargetId, type Message, type Relayed } from "./relayed-session.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let relayed: Relayed;
let site: Site;
let ownTarget: string;
let foreign: Page;

beforeAll(async () => {
  [relayed, site] = await Promise.all([
    startRelayed(),
    startSite({
      "/": `<title>Traced</title><script>performance.mark("mark-" + location.search.slice(1))</script>`,
      "/frames": `<title>Frames</title><iframe></iframe><script>document.querySelector("iframe").src = "//localhost:" + location.port + "/" + location.search</script>`,
    }),
  ]);
  await (await relayed.own.context.newPage()).goto(site.url);
  foreign = await relayed.foreign.context.newPage();
  await foreign.goto(`${site.url}/?theirs`);
  ownTarget = await readTargetId(relayed.own);
});
afterAll(async () => {
  await relayed?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

/** What Chromium's tools ask for, and more than they are given. */
const everything = {
  includedCategories: [
    "*",
    "netlog",
    "navigation",
    "loading",
    "toplevel",
    "blink.user_timing",
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.screenshot",
    "disabled-by-default-memory-infra",
    "disabled-by-default-v8.cpu_profiler",
  ],
};

/** Ends a trace; resolves when all of it has been told. */
async function end(client: RawClient, session: string): Promise<Message> {
  const complete = client.waitForEvent("Tracing.tracingComplete");
  expect(await client.ask("Tracing.end", {}, session)).toMatchObject({ result: {} });
  return complete;
}

/** Traces a page that goes from one process to another, while the page of the neighbour does the same. */
async function readTrace(client: RawClient, session: string, config: object): Promise<Message> {
  expect(await client.ask("Tracing.start", config, session)).toMatchObject({ result: {} });
  const [own] = relayed.own.context.pages();
  for (const host of ["127.0.0.1", "localhost"]) {
    const url = site.url.replace("127.0.0.1", host);
    await own?.goto(`${url}/?ours`);
    await foreign.goto(`${url}/?theirs`);
  }
  await own?.goto(`${site.url}/frames?ours`);
  await foreign.goto(`${site.url}/frames?theirs`);
  return end(client, session);
}

describe("a trace", () => {
  it("has the marks, navigations and pictures of the page, and nothing of the neighbour's", async () => {
    await using client = await RawClient.open(relayed.url());
    const session = await client.attach(ownTarget);
    const { params } = await readTrace(client, session, { traceConfig: everything });
    expect(params).toStrictEqual({ dataLossOccurred: false });
    const events = client.events.filter(({ method }) => method === "Tracing.dataCollected");
    const values: { name: string; cat: string }[] = events.flatMap((event) => event.params.value);
    const marks = values.filter(({ cat }) => cat === "blink.user_timing").map(({ name }) => name);
    // One of each page, and one of the frame that lives in another process.
    expect(marks.filter((name) => name === "mark-ours").length).toBe(3);
    const names = new Set(values.map(({ name }) => name));
    for (const name of ["TracingStartedInBrowser", "FrameCommittedInBrowser", "navigationStart", "Screenshot"]) {
      expect(names).toContain(name);
    }
    expect(JSON.stringify(events)).not.toContain("theirs");
    expect(JSON.stringify(events)).not.toContain(relayed.foreign.contextId);
  });

  it("is read as a stream, in the form that Chromium writes", async () => {
    await using client = await RawClient.open(relayed.url());
    const session = await client.attach(ownTarget);
    const config = {
      transferMode: "ReturnAsStream",
      categories: "-*,blink.user_timing,disabled-by-default-devtools.timeline",
    };
    expect(await client.ask("Tracing.start", config, session)).toMatchObject({ result: {} });
    await Promise.all([relayed.own.context.pages()[0]?.goto(`${site.url}/?ours`), foreign.goto(`${site.url}/?theirs`)]);
    const { params } = await end(client, session);
    expect(params).toMatchObject({ dataLossOccurred: false, traceFormat: "json", streamCompression: "none" });
    let text = "";
    for (let eof = false; !eof;) {
      const { result } = await client.ask("IO.read", { handle: params.stream }, session);
      text += result.data;
      ({ eof } = result);
    }
    expect(await client.ask("IO.close", { handle: params.stream }, session)).toMatchObject({ result: {} });
    expect((await client.ask("IO.read", { handle: params.stream }, session)).error).toBeDefined();
    const trace: { traceEvents: { name: string }[] } = JSON.parse(text);
    expect(trace.traceEvents.map(({ name }) => name)).toContain("mark-ours");
    expect(text).not.toContain("theirs");
    expect(client.events.map(({ method }) => method)).not.toContain("Tracing.dataCollected");
  });

  it("excludes another one, until it ends or its client disconnects", async () => {
    const client = await RawClient.open(relayed.url());
    const session = await client.attach(ownTarget);
    await using other = await RawClient.open(relayed.url());
    const otherSession = await other.attach(ownTarget);
    expect(await client.ask("Tracing.start", {}, session)).toMatchObject({ result: {} });
    for (const [who, where] of [
      [client, session],
      [other, otherSession],
    ] as const) {
      expect((await who.ask("Tracing.start", {}, where)).error?.message).toMatch(
        /A trace is already running.*try again/u,
      );
    }
    await end(client, session);
    expect(await client.ask("Tracing.start", {}, session)).toMatchObject({ result: {} });
    await client[Symbol.asyncDispose]();
    await expect
      .poll(() => other.ask("Tracing.start", {}, otherSession), { timeout: 20_000 })
      .toMatchObject({ result: {} });
    await other.ask("Target.detachFromTarget", { sessionId: otherSession });
    const again = await other.attach(ownTarget);
    expect(await other.ask("Tracing.start", {}, again)).toMatchObject({ result: {} });
    await end(other, again);
  });

  it.each([
    ["of the whole browser", {}, undefined, /session of a page/u],
    ["in a form that can't be told apart", { streamFormat: "proto" }, "page", /streamFormat/u],
    ["compressed", { streamCompression: "gzip", transferMode: "ReturnAsStream" }, "page", /compressed/u],
    ["configured by Perfetto", { perfettoConfig: "CgA=" }, "page", /traceConfig/u],
    ["told of in another way", { transferMode: "Shout" }, "page", /ReportEvents or ReturnAsStream/u],
  ])("%s is refused with what to do", async (_, params, where, reason) => {
    await using client = await RawClient.open(relayed.url());
    const session = where && (await client.attach(ownTarget));
    expect((await client.ask("Tracing.start", params, session)).error?.message).toMatch(reason);
  });

  it("is what Playwright's browser.startTracing gives", async () => {
    const browser = await chromium.connectOverCDP(relayed.url());
    const page = browser.contexts()[0]?.pages()[0];
    await browser.startTracing(page, { screenshots: true });
    await page?.goto(`${site.url}/?playwright`);
    expect((await browser.stopTracing()).toString()).toContain("mark-playwright");
    await browser.close();
  });

  it("is what Puppeteer's page.tracing gives", async () => {
    const browser = await connect({ browserWSEndpoint: relayed.url(), defaultViewport: null });
    const [page] = await browser.pages();
    await page?.tracing.start({ screenshots: true });
    await page?.goto(`${site.url}/?puppeteer`);
    const trace = await page?.tracing.stop();
    expect(Buffer.from(trace ?? []).toString()).toContain("mark-puppeteer");
    await browser.disconnect();
  });
});
