import { connect } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RawClient, type Relayed } from "./relayed-session.ts";
import type { Site } from "@cloud-browser/testing/site.ts";
import { startTickingPages, type TickingPages } from "./ticking-pages.ts";

let relayed: Relayed;
let site: Site;
let client: RawClient;
let session: string;
let ownTarget: string;

let pages: TickingPages;

beforeAll(async () => {
  pages = await startTickingPages();
  ({ relayed, site, client, session, ownTarget } = pages);
});
afterAll(() => pages?.[Symbol.asyncDispose]());

describe("a file of the machine", () => {
  const addresses = [
    "file:///etc/hostname",
    "FILE:/etc/hostname",
    " file:///etc/hostname",
    "\tfi\nle:///etc/hostname",
    "view-source:file:///etc/hostname",
    "filesystem:http://x/temporary/a",
    "chrome://version",
    "about:version",
    "ABOUT:gpu",
    "about:blank:version",
    "devtools://devtools/bundled/inspector.html",
    "chrome-extension://a/b",
    "javascript:location='file:///etc/hostname'",
  ];

  it.each(addresses)("can't be opened as %j", async (url) => {
    for (const [method, params, sessionId] of [
      ["Page.navigate", { url }, session],
      ["Target.createTarget", { url }, undefined],
      ["Target.createTarget", { url }, session],
      ["Network.loadNetworkResource", { url, frameId: ownTarget, options: {} }, session],
      ["Fetch.continueRequest", { url, requestId: "1" }, session],
    ] as const) {
      expect((await client.ask(method, params, sessionId)).error).toBeDefined();
    }
    const { result } = await client.ask("Target.getTargets");
    expect(result.targetInfos).toHaveLength(1);
    expect(result.targetInfos[0].url).toBe(`${site.url}/`);
  });

  it("can't be put into a page by its path", async () => {
    const drag = { type: "drop", x: 1, y: 1, data: { items: [], files: ["/etc/hostname"], dragOperationsMask: 1 } };
    expect((await client.ask("Input.dispatchDragEvent", drag, session)).error?.message).toMatch(
      /uploaded to its session/u,
    );
    const { result } = await client.ask(
      "Runtime.evaluate",
      { expression: "Object.assign(document.createElement('input'), { type: 'file' })" },
      session,
    );
    const set = (files: string[]) =>
      client.ask("DOM.setFileInputFiles", { files, objectId: result.result.objectId }, session);
    const upload = "/session-files/1/a.txt";
    relayed.uploads.set(upload, import.meta.filename);
    const places = [
      "/etc/hostname",
      "",
      import.meta.filename,
      `${upload}/../../../etc/hostname`,
      "/session-files/1/A.txt",
    ];
    for (const place of places) {
      expect((await set([place])).error?.message).toMatch(/uploaded to its session/u);
      expect((await set([upload, place])).error?.message).toMatch(/uploaded to its session/u);
    }
    const odd = { files: upload, objectId: result.result.objectId };
    expect((await client.ask("DOM.setFileInputFiles", odd, session)).error?.message).toMatch(/uploaded to its/u);
    expect(await set([])).toMatchObject({ result: {} });
    expect(await set([upload])).toMatchObject({ result: {} });
    const script = "function () { return this.files[0].text() }";
    const call = {
      functionDeclaration: script,
      objectId: result.result.objectId,
      awaitPromise: true,
      returnByValue: true,
    };
    const { result: text } = await client.ask("Runtime.callFunctionOn", call, session);
    expect(text.result.value).toContain("can't be put into a page by its path");
    expect((await client.ask("DOM.getFileInfo", { objectId: "1" }, session)).error?.message).toMatch(/exposes paths/u);
  });

  it("can't be reached by scripts, nor with the access to all origins that a client may have", async () => {
    const { result } = await client.ask(
      "Page.createIsolatedWorld",
      { frameId: ownTarget, grantUniveralAccess: true },
      session,
    );
    for (const contextOfScript of [undefined, Number(result.executionContextId)]) {
      const evaluate = async (expression: string) => {
        const params = {
          expression,
          contextId: contextOfScript,
          awaitPromise: true,
          returnByValue: true,
          userGesture: true,
        };
        return (await client.ask("Runtime.evaluate", params, session)).result.result.value as unknown;
      };
      expect(await evaluate("fetch('file:///etc/hostname').then(() => 'read', () => 'refused')")).toBe("refused");
      expect(await evaluate("location = 'file:///etc/hostname'; open('file:///etc/hostname'); 1")).toBe(1);
    }
    const { result: targets } = await client.ask("Target.getTargets");
    const urls = targets.targetInfos.map(({ url }: { url: string }) => url);
    expect(urls.filter((url: string) => url.startsWith("file:"))).toStrictEqual([]);
    expect(urls).toContain(`${site.url}/`);
    for (const page of relayed.own.context.pages().slice(1)) await page.close();
  });

  it("is not given by Puppeteer's uploadFile, unless it was uploaded: it reads how to do that", async () => {
    const browser = await connect({ browserWSEndpoint: relayed.url(), defaultViewport: null });
    const page = await browser.newPage();
    await page.setContent("<input id=file type=file>");
    const input = await page.$("input");
    await expect(input?.uploadFile("/etc/hostname")).rejects.toThrow(/POST .*files.*new DataTransfer/u);
    relayed.uploads.set("/session-files/2/b.txt", import.meta.filename);
    await input?.uploadFile("/session-files/2/b.txt");
    expect(await input?.evaluate(({ files }) => files?.[0]?.name)).toBe("host-files.test.ts");
    await page.close();
    await browser.disconnect();
  });
});
