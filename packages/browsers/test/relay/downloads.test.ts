import { chromium } from "playwright-core";
import { connect } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RawClient, startRelayed, type Relayed } from "./relayed-session.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let relayed: Relayed;
let site: Site;
let downloadPath: string;
beforeAll(async () => {
  downloadPath = await mkdtemp(join(tmpdir(), "downloads-test-"));
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
  await rm(downloadPath, { recursive: true, force: true });
});

const reason = /"x\.bin" canceled: downloads are disabled\..*fetch/u;

describe("enabling downloads without events is refused with advice", () => {
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
    expect(error?.message).toMatch(/store no files.*fetch.*eventsEnabled/u);
  });

  it("Puppeteer's downloadBehavior", async () => {
    const options = { browserWSEndpoint: relayed.url(), defaultViewport: null };
    const behavior = { policy: "allow", downloadPath } as const;
    await expect(connect({ ...options, downloadBehavior: behavior })).rejects.toThrow(/store no files/u);
  });

  it.each(["deny", "default"])("disabling downloads succeeds: %s", async (behavior) => {
    await using client = await RawClient.open(relayed.url());
    expect(await client.ask("Browser.setDownloadBehavior", { behavior })).toStrictEqual({ result: {} });
  });
});

describe("a client with download events", () => {
  it.each([[true], [false]])(
    "receives the cancellation of each download with its reason (enabled on a page: %s)",
    async (onPage) => {
      await relayed.own.context.newPage();
      await using client = await RawClient.open(relayed.url());
      const [session, same] = [await client.attach(), await client.attach()];
      for (const one of [session, same]) await client.ask("Page.enable", {}, one);
      await client.ask("Log.enable", {}, session);
      const behavior = { behavior: "allow", downloadPath, eventsEnabled: true };
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
      // Once, although two sessions with the page report it.
      expect(begun).toHaveLength(1);
      expect(client.events.filter(({ method }) => method === "Log.entryAdded")).toMatchObject([{ sessionId: session }]);
      expect(client.events.map(({ params }) => params.state)).not.toContain("completed");
      expect(await readdir(downloadPath)).toEqual([]);
    },
  );

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
