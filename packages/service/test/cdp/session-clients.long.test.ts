import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { FileView } from "../../src/control/file-view.ts";
import { SessionTokens } from "../../src/control/session-tokens.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

const limit = 16;
let running: TestService;
beforeAll(async () => void (running = await startTestService()));
afterAll(() => running?.[Symbol.asyncDispose]());

/** Connects a client; gives the status of its refusal when it may not. */
async function connect(url: string): Promise<WebSocket | number | undefined> {
  const client = new WebSocket(url);
  const refused = once(client, "unexpected-response").then(([, response]) => {
    client.on("error", () => {}).terminate();
    return Number(Object(response).statusCode);
  });
  return Promise.race([once(client, "open").then(() => client), refused]);
}

test("16 clients drive one session, one more when one of them has gone, and another session has its own 16", async () => {
  const [one, other] = [await running.open(), await running.open()];
  const clients = await Promise.all(Array.from({ length: limit }, () => connect(one.cdp_url ?? "")));
  expect(clients.every((client) => client instanceof WebSocket)).toBe(true);
  expect(await connect(one.cdp_url ?? "")).toBe(429);
  expect(await connect(other.cdp_url ?? "")).toBeInstanceOf(WebSocket);
  const [first] = clients;
  if (!(first instanceof WebSocket)) throw new Error("the first client is connected");
  first.close();
  await once(first, "close");
  await expect.poll(() => connect(one.cdp_url ?? "")).toBeInstanceOf(WebSocket);
  await running.end(one.session_id);
  await running.end(other.session_id);
});

test("16 viewers look at one session, and one more when one of them has gone", async () => {
  const { session_id: id } = await running.open();
  const secret = Buffer.from(readFileSync(join(running.data, "signing.secret"), "utf8"), "base64url");
  const address = `${running.service.url}/viewer/${id}/pictures?token=${new SessionTokens(secret).sign("view", id)}`;
  const leaving = new AbortController();
  const first = await fetch(address, { signal: leaving.signal });
  const viewers = await Promise.all(Array.from({ length: limit - 1 }, () => fetch(address)));
  expect([first, ...viewers].map(({ status }) => status)).toEqual(Array(limit).fill(200));
  const refused = await fetch(address);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toEqual({
    detail: "viewer limit (16) of the session reached; close another viewer of it",
  });
  leaving.abort();
  await expect
    .poll(async () => {
      const again = await fetch(address);
      await again.body?.cancel();
      return again.status;
    })
    .toBe(200);
  await running.end(id);
});

test("twenty screenshots of a client at once leave no listener behind", async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", onWarning);
  const { session_id: id, cdp_url: url } = await running.open();
  const driver = await chromium.connectOverCDP(url ?? "");
  const page = driver.contexts()[0]?.pages()[0];
  const devtools = page && (await page.context().newCDPSession(page));
  const pictures = await Promise.all(Array.from({ length: 20 }, async () => devtools?.send("Page.captureScreenshot")));
  expect(pictures.every((picture) => (picture?.data.length ?? 0) > 0)).toBe(true);
  await driver.close();
  await running.end(id);
  process.off("warning", onWarning);
  expect(warnings.map(({ message }) => message)).toEqual([]);
});

test("a client downloads a file, which the session has after its end, and chooses one that was uploaded", async () => {
  const { session_id: id, cdp_url: url } = await running.open();
  const driver = await chromium.connectOverCDP(url ?? "");
  const page = driver.contexts()[0]?.pages()[0];
  if (!page) throw new Error("no page");
  await page.setContent("<a download=a.txt href='data:text/plain,content'>download</a><input type=file>");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("a")]);
  expect(await download.failure()).toBeNull();
  const files = `/control/sessions/${id}/files`;
  const uploaded = await readAnswer<FileView>(await running.ask("POST", `${files}?name=b.txt`, "text"));
  const devtools = await page.context().newCDPSession(page);
  const { root } = await devtools.send("DOM.getDocument");
  const { nodeId } = await devtools.send("DOM.querySelector", { nodeId: root.nodeId, selector: "input" });
  await devtools.send("DOM.setFileInputFiles", { nodeId, files: [uploaded.path ?? ""] });
  expect(await page.$eval("input", async ({ files: chosen }) => chosen?.[0]?.text())).toBe('"text"');
  await driver.close();
  await running.end(id);
  const listed = await readAnswer<{ files: readonly FileView[] }>(await running.ask("GET", files));
  expect(listed.files).toMatchObject([{ name: "a.txt", state: "complete" }, { name: "b.txt" }]);
  const fetched = await running.ask("GET", `${files}/${listed.files[0]?.file_id}`);
  expect([fetched.headers.get("content-disposition"), await fetched.text()]).toEqual([
    "attachment; filename=a.txt",
    "content",
  ]);
});
