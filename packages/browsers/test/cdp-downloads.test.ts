import { chromium } from "playwright-core";
import { connect } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RawClient, startRelayed, type Relayed } from "./cdp-relayed.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let relayed: Relayed;
let site: Site;
beforeAll(async () => {
  [relayed, site] = await Promise.all([
    startRelayed(),
    startSite({
      "/": "<title>Files</title><a href=/file>file</a>",
      "/file": (_, response) => {
        response.writeHead(200, { "content-disposition": 'attachment; filename="x.bin"' }).end("content");
      },
    }),
  ]);
});
afterAll(async () => {
  await relayed?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const reason = /"x\.bin" canceled: downloads are disabled\..*fetch/u;

describe("a client that only asks for downloads is refused with what to do instead", () => {
  it.each([
    ["Browser.setDownloadBehavior", { behavior: "allow", downloadPath: "/tmp" }, false],
    ["Browser.setDownloadBehavior", { behavior: "allowAndName", downloadPath: "/tmp", eventsEnabled: false }, false],
    ["Browser.setDownloadBehavior", { behavior: "allow", downloadPath: "/tmp" }, true],
    ["Page.setDownloadBehavior", { behavior: "allow", downloadPath: "/tmp", eventsEnabled: true }, true],
    ["Page.setDownloadBehavior", {}, true],
  ])("%s %j", async (method, params, onPage) => {
    await relayed.own.context.newPage();
    await using client = await RawClient.open(relayed.url());
    const session = await client.attach();
    const { error } = await client.ask(method, params, onPage ? session : undefined);
    expect(error?.message).toMatch(/keep no files.*fetch.*eventsEnabled/u);
  });

  it("Puppeteer's downloadBehavior", async () => {
    const options = { browserWSEndpoint: relayed.url(), defaultViewport: null };
    const behavior = { policy: "allow", downloadPath: "/tmp" } as const;
    await expect(connect({ ...options, downloadBehavior: behavior })).rejects.toThrow(/keep no files/u);
  });

  it.each(["deny", "default"])("one that asks for none has its way: %s", async (behavior) => {
    await using client = await RawClient.open(relayed.url());
    expect(await client.ask("Browser.setDownloadBehavior", { behavior })).toStrictEqual({ result: {} });
  });
});

describe("a client that hears of downloads", () => {
  it.each([[true], [false]])("is told that each is canceled, and why (asked on a page: %s)", async (onPage) => {
    await relayed.own.context.newPage();
    await using client = await RawClient.open(relayed.url());
    const [session, same] = [await client.attach(), await client.attach()];
    for (const one of [session, same]) await client.ask("Page.enable", {}, one);
    await client.ask("Log.enable", {}, session);
    const behavior = { behavior: "allow", downloadPath: "/tmp/nowhere-of-a-client", eventsEnabled: true };
    const where = onPage ? session : undefined;
    expect(await client.ask("Browser.setDownloadBehavior", behavior, where)).toMatchObject({ result: {} });
    const canceled = client.event("Browser.downloadProgress", ({ state }) => state === "canceled");
    const told = client.event("Log.entryAdded");
    await client.ask("Page.navigate", { url: `${site.url}/file` }, session);
    expect(await canceled).toMatchObject(onPage ? { sessionId: session } : {});
    expect((await told).params.entry).toMatchObject({
      level: "error",
      source: "other",
      text: expect.stringMatching(reason),
    });
    const begun = client.events.filter(({ method }) => method === "Browser.downloadWillBegin");
    // Once, though two sessions with the page tell of it.
    expect(begun).toHaveLength(1);
    expect(client.events.filter(({ method }) => method === "Log.entryAdded")).toMatchObject([{ sessionId: session }]);
    expect(client.events.map(({ params }) => params.state)).not.toContain("completed");
  });

  it("with Playwright finds the reason in the console", async () => {
    const browser = await chromium.connectOverCDP(relayed.url());
    const page = await browser.contexts()[0]?.newPage();
    if (!page) throw new Error("no page");
    await page.goto(site.url);
    const [download, message] = await Promise.all([
      page.waitForEvent("download"),
      page.waitForEvent("console", (one) => reason.test(one.text())),
      page.getByRole("link").click(),
    ]);
    expect(message.type()).toBe("error");
    expect(await download.failure()).toBe("canceled");
    const content = await page.evaluate(
      async (url) => [...new Uint8Array(await (await fetch(url)).arrayBuffer())],
      "/file",
    );
    expect(Buffer.from(content).toString()).toBe("content");
    await browser.close();
  });
});
