import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import type { FileView } from "../../src/control/file-view.ts";
import type { SessionView } from "../../src/control/session-view.ts";
import { driveSession } from "../drive-session.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
let site: Site;
let session: SessionView;
let browser: Browser;
let page: Page;

const attachment = (name: string): Record<string, string> => ({
  "content-disposition": `attachment; filename="${name}"`,
});

beforeAll(async () => {
  [service, site] = await Promise.all([
    startTestService({ fileLimits: { count: 7, fileBytes: 100_000, totalBytes: 150_000 } }),
    startSite({
      "/": "<a id=file href=/file>a</a><a id=large href=/large>b</a><a id=half href=/half>c</a><a id=endless href=/endless>d</a><a id=cut href=/cut>e</a><a id=data download='a/b.txt' href='data:text/plain,hi'>f</a><input type=file>",
      "/file": (_, response) => void response.writeHead(200, attachment("report.csv")).end("content"),
      "/half": (_, response) => void response.writeHead(200, attachment("half.bin")).end("x".repeat(99_000)),
      "/large": (_, response) => void response.writeHead(200, attachment("large.bin")).end("x".repeat(100_001)),
      "/endless": (_, response) => void response.writeHead(200, attachment("endless.bin")).write("x".repeat(10_000)),
      "/cut": (_, response) => {
        response.writeHead(200, { ...attachment("cut.bin"), "content-length": "1000" });
        response.write("x".repeat(100), () => response.destroy());
      },
    }),
  ]);
  session = await service.open({ url: site.url });
  ({ browser, page } = await driveSession(session));
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const base = (): string => `/control/sessions/${session.session_id}/files`;
const list = async (): Promise<readonly FileView[]> =>
  (await readAnswer<{ files: readonly FileView[] }>(await service.ask("GET", base()))).files;
const send = (body: BodyInit, query = "", headers: Record<string, string> = {}): Promise<Response> => {
  const allHeaders = { authorization: `Bearer ${service.service.apiKey}`, ...headers };
  return fetch(`${service.service.url}${base()}${query}`, { method: "POST", headers: allHeaders, body });
};

/** Clicks a link, and waits until the download that it begins has ended. Returns its failure, and its file. */
async function download(id: string): Promise<{ readonly failure: string | null; readonly file: FileView | undefined }> {
  const [one] = await Promise.all([page.waitForEvent("download"), page.click(`#${id}`)]);
  const failure = await one.failure();
  return { failure, file: (await list()).at(-1) };
}

test("a download is a file of the session when its client is told that it is complete", async () => {
  const complete = { origin: "download", state: "complete", reason: null, path: null };
  const { failure, file } = await download("file");
  expect(failure).toBeNull();
  expect(file).toMatchObject({ ...complete, name: "report.csv", size: 7 });
  expect((await download("file")).file).toMatchObject({ ...complete, name: "report (1).csv" });
  expect((await download("data")).file).toMatchObject({ ...complete, name: "a_b.txt", size: 2 });
  const [from, whole] = [await fetchFile(file, { range: "bytes=3-4" }), await fetchFile(file)];
  expect([whole.status, await whole.text(), from.status, await from.text()]).toEqual([200, "content", 206, "te"]);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    "content-disposition": "attachment; filename=report.csv",
    "content-type": "application/octet-stream",
    "x-content-type-options": "nosniff",
  });
});

const fetchFile = (file: FileView | undefined, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service.service.url}${base()}/${file?.file_id}`, {
    headers: { authorization: `Bearer ${service.service.apiKey}`, ...headers },
  });

test("what is over a limit, or broke off, is told, and nothing of it is kept", async () => {
  const large = await download("large");
  expect(large).toMatchObject({ failure: "canceled", file: { state: "failed", size: 0, name: "large.bin" } });
  expect(large.file?.reason).toMatch(/^file limit \(100000 bytes\) exceeded/);
  expect(await download("cut")).toMatchObject({ failure: "canceled", file: { state: "canceled" } });
  expect(await download("half")).toMatchObject({ failure: null, file: { size: 99_000 } });
  expect((await download("half")).file?.reason).toMatch(/^limit of the session's files together \(150000 bytes\)/);
  const refused = await fetchFile(large.file);
  expect([refused.status, await refused.text()]).toEqual([410, expect.stringContaining("file limit")]);
  expect((await readdir(join(service.data, "files", "kept", session.session_id))).length).toBe(4);
});

test("an upload is for file choosers by its path, and by no other", async () => {
  const raw = await readAnswer<FileView>(await send("hello", `?name=${encodeURIComponent("../\u202Eü.txt")}`));
  expect(raw).toMatchObject({ origin: "upload", state: "complete", name: "ü.txt", size: 5 });
  const form = new FormData();
  form.set("file", new File(["in a form"], "C:\\folder\\con.txt"));
  expect(await readAnswer<FileView>(await send(form))).toMatchObject({ name: "con_.txt", size: 9 });
  const cdp = await page.context().newCDPSession(page);
  const { root } = await cdp.send("DOM.getDocument");
  const { nodeId } = await cdp.send("DOM.querySelector", { nodeId: root.nodeId, selector: "input" });
  const choose = (path: string | null): Promise<unknown> =>
    cdp.send("DOM.setFileInputFiles", { nodeId, files: [path ?? ""] });
  await choose(raw.path);
  expect(await page.$eval("input", async ({ files }) => [files?.[0]?.name, await files?.[0]?.text()])).toEqual([
    "ü.txt",
    "hello",
  ]);
  for (const path of [join(service.data, "api-key.secret"), "/etc/hostname", `${raw.path}/../x`])
    await expect(choose(path)).rejects.toThrow(/uploaded to its session/u);
});

test.each([
  ["without a name", "x", "", {}, 422],
  ["with an empty name", "x", "?name=", {}, 422],
  [
    "a form without a file",
    new URLSearchParams({ a: "b" }),
    "",
    { "content-type": "multipart/form-data; boundary=a" },
    422,
  ],
  [
    "a form that breaks off",
    "--a\r\nContent-Disposition: form-data; name=f; filename=x\r\n\r\nab",
    "",
    { "content-type": "multipart/form-data; boundary=a" },
    422,
  ],
  ["a form without a boundary", "x", "", { "content-type": "multipart/form-data" }, 422],
  ["that is too large", "x".repeat(100_001), "?name=a", {}, 413],
  ["that is too large as it announces", "x".repeat(300_001), "?name=a", {}, 413],
])("an upload %s is refused", async (_, body, query, headers, status) => {
  const before = await list();
  const answer = await send(body, query, headers);
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining("detail")]);
  expect(await list()).toEqual(before);
});

test("a session that may have no more files says so, and keeps those that it has after its end", async () => {
  expect((await send("x", "?name=last")).status).toBe(201);
  expect((await send("x", "?name=more")).status).toBe(429);
  expect((await download("file")).file).toMatchObject({
    state: "failed",
    reason: "file limit of the session (7) reached",
  });
  const before = await list();
  await service.end(session.session_id);
  const after = await list();
  expect(after).toEqual(before.map((file) => Object.assign(file, { path: null })));
  expect(await (await fetchFile(after[0])).text()).toBe("content");
  expect((await send("x", "?name=late")).status).toBe(409);
  const metrics = await (await service.ask("GET", "/metrics")).text();
  expect(metrics).toMatch(/session_files_total\{origin="download",outcome="failed"\} 3/);
});

test("a download that is in progress when its session ends is canceled, and all are deleted with the recording", async () => {
  session = await service.open({ url: site.url, record: false });
  const { browser: driven, page: one } = await driveSession(session);
  await Promise.all([one.waitForEvent("download"), one.click("#endless")]);
  expect(await list()).toMatchObject([{ state: "in_progress", name: "endless.bin" }]);
  expect((await fetchFile((await list())[0])).status).toBe(409);
  await Promise.all([one.waitForEvent("download"), one.click("#file")]);
  await service.end(session.session_id);
  await driven.close();
  expect(await list()).toMatchObject([
    { state: "canceled", reason: "the session ended before the download was complete" },
    { name: "report.csv" },
  ]);
  expect((await service.ask("DELETE", `/control/sessions/${session.session_id}/recording`)).status).toBe(200);
  expect(await list()).toEqual([]);
  expect(await readdir(join(service.data, "files", "kept"))).not.toContain(session.session_id);
});
