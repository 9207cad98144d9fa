import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { connect } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import type { BegunDownload, PageDownloadState } from "../../src/pool/context-downloads.ts";
import { RawClient, startRelayed, type Relayed } from "./relayed-session.ts";

let relayed: Relayed;
let site: Site;
/** Folder of the session, and the one that clients ask for. */
let folder: string;
let downloadPath: string;
const ends: PageDownloadState[] = [];
const foreign: BegunDownload[] = [];
/** Why downloads that are complete are not kept. */
let fault: string | undefined;

beforeAll(async () => {
  [folder, downloadPath] = await Promise.all([
    mkdtemp(join(tmpdir(), "session-downloads-")),
    mkdtemp(join(tmpdir(), "client-downloads-")),
  ]);
  const file = { "content-disposition": 'attachment; filename="x.bin"' };
  [relayed, site] = await Promise.all([
    startRelayed(),
    startSite({
      "/": "<title>Files</title><a id=file href=/file>file</a><a id=tab target=_blank href=/file>tab</a><iframe srcdoc='<a id=framed href=/file>framed</a>'></iframe>",
      "/file": (_, response) => void response.writeHead(200, file).end("content"),
      "/endless": (_, response) => void response.writeHead(200, file).write("x".repeat(10_000)),
    }),
  ]);
  await relayed.own.acceptDownloads(folder, {
    onBegin: (download) => relayed.tell({ method: "downloadWillBegin", params: { ...download } }),
    onProgress: (progress) => {
      const isFinal = progress.state !== "inProgress";
      if (isFinal) ends.push(progress);
      const state = fault === undefined ? progress.state : "canceled";
      relayed.tell({ method: "downloadProgress", params: { ...progress, state }, isFinal, reason: fault });
    },
  });
  const others = await mkdtemp(join(folder, "others-"));
  await relayed.foreign.acceptDownloads(others, { onBegin: (one) => foreign.push(one), onProgress: () => {} });
});
afterAll(async () => {
  await relayed?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
  for (const one of [folder, downloadPath]) await rm(one, { recursive: true, force: true });
});

describe("the folder that a client asks for", () => {
  it.each([
    ["Browser.setDownloadBehavior", { behavior: "allow", downloadPath: "/tmp" }, false],
    ["Browser.setDownloadBehavior", { behavior: "allowAndName", downloadPath: "/tmp", eventsEnabled: false }, false],
    ["Page.setDownloadBehavior", { behavior: "allow", downloadPath: "/tmp" }, true],
    ["Browser.setDownloadBehavior", { behavior: "default" }, true],
    ["Browser.setDownloadBehavior", { behavior: "deny" }, false],
  ])("is taken, and not used: %s %j", async (method, params, onPage) => {
    await relayed.own.context.newPage();
    await using client = await RawClient.open(relayed.url());
    const session = onPage ? await client.attach() : undefined;
    expect(await client.ask(method, params, session)).toMatchObject({ result: {} });
  });

  it.each([{}, { behavior: "some" }, { behavior: "allow" }, { behavior: "allowAndName", downloadPath: 1 }])(
    "has to be there, as for Chromium: %j",
    async (params) => {
      await using client = await RawClient.open(relayed.url());
      expect((await client.ask("Browser.setDownloadBehavior", params)).error?.code).toBe(-32_602);
    },
  );
});

describe("a download", () => {
  it.each(["#file", "#tab", "iframe"])("of %s is told to Playwright, and kept by the session alone", async (link) => {
    const browser = await chromium.connectOverCDP(relayed.url());
    const [context] = browser.contexts();
    const page = await context?.newPage();
    if (!page || !context) throw new Error("no page");
    await page.goto(site.url);
    const clicked = link === "iframe" ? page.frameLocator("iframe").locator("a") : page.locator(link);
    const [download] = await Promise.all([page.waitForEvent("download"), clicked.click()]);
    expect(await download.failure()).toBeNull();
    expect([download.suggestedFilename(), download.url()]).toEqual(["x.bin", `${site.url}/file`]);
    const { guid } = ends.at(-1) ?? {};
    expect(await download.path()).toMatch(new RegExp(`${guid}$`));
    // As with any browser on another machine.
    await expect(download.saveAs(join(downloadPath, "saved"))).rejects.toThrow(/ENOENT/u);
    expect(await readFile(join(folder, guid ?? ""), "utf8")).toBe("content");
    await browser.close();
    // The tab that was a download only: Playwright waits for its first page when it connects, in a local Chromium, too.
    for (const one of relayed.own.context.pages()) await one.close();
  });

  it("is told to Puppeteer once, without the path of the machine, and its folder stays empty", async () => {
    const behavior = { policy: "allowAndName", downloadPath } as const;
    const browser = await connect({
      browserWSEndpoint: relayed.url(),
      defaultViewport: null,
      downloadBehavior: behavior,
    });
    const page = await browser.newPage();
    const session = await page.createCDPSession();
    await session.send("Page.enable");
    await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath, eventsEnabled: true });
    const begins: unknown[] = [];
    session.on("Browser.downloadWillBegin", (event) => begins.push(event));
    const end = new Promise((resolve) =>
      session.on("Browser.downloadProgress", (event) => event.state === "completed" && resolve(event)),
    );
    const endOfPage = new Promise((resolve) =>
      session.on("Page.downloadProgress", (event) => event.state === "completed" && resolve(event)),
    );
    await page.goto(`${site.url}/file`).catch(() => undefined);
    await end;
    const { guid } = ends.at(-1) ?? {};
    expect(await end).toEqual({ guid, totalBytes: 7, receivedBytes: 7, state: "completed" });
    expect(await endOfPage).toEqual(await end);
    expect(begins).toHaveLength(1);
    expect(await readdir(downloadPath)).toEqual([]);
    await page.close();
    await browser.disconnect();
  });

  it("that is not kept is canceled for clients, with the reason in the log of its page", async () => {
    fault = "the disk is full";
    const page = await relayed.own.context.newPage();
    await using client = await RawClient.open(relayed.url());
    const session = await client.attach();
    for (const domain of ["Page", "Log"]) await client.ask(`${domain}.enable`, {}, session);
    await client.ask("Browser.setDownloadBehavior", { behavior: "allow", downloadPath, eventsEnabled: true });
    const entry = client.waitForEvent("Log.entryAdded");
    const canceled = client.waitForEvent("Browser.downloadProgress", ({ state }) => state === "canceled");
    await client.ask("Page.navigate", { url: `${site.url}/file` }, session);
    await canceled;
    expect((await entry).params.entry.text).toBe('Download of "x.bin" canceled: the disk is full');
    expect(client.events.map(({ params }) => params.state)).not.toContain("completed");
    fault = undefined;
    await page.close();
  });

  it("is canceled by its client, and before it begins by one that denies downloads", async () => {
    const page = await relayed.own.context.newPage();
    await using client = await RawClient.open(relayed.url());
    const session = await client.attach();
    await client.ask("Browser.setDownloadBehavior", { behavior: "allow", downloadPath, eventsEnabled: true });
    expect((await client.ask("Browser.cancelDownload", { guid: "unknown" })).error?.message).toMatch(/No download/u);
    const begin = client.waitForEvent("Browser.downloadWillBegin");
    const canceled = (): Promise<unknown> =>
      client.waitForEvent("Browser.downloadProgress", ({ state }) => state === "canceled");
    const byClient = canceled();
    await client.ask("Page.navigate", { url: `${site.url}/endless` }, session);
    const { guid } = (await begin).params;
    expect(await client.ask("Browser.cancelDownload", { guid })).toEqual({ result: {} });
    await byClient;
    await client.ask("Browser.setDownloadBehavior", { behavior: "deny", eventsEnabled: true });
    const denied = canceled();
    await client.ask("Page.navigate", { url: `${site.url}/endless` }, session);
    await denied;
    expect(relayed.canceled).toHaveLength(2);
    await page.close();
  });

  it("is not told to the other sessions of its browser", () => {
    expect(ends.length).toBeGreaterThan(5);
    expect(foreign).toEqual([]);
  });
});
