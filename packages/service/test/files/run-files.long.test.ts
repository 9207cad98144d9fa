import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readAutomationStream, type StreamEvent } from "@cloud-browser/stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import type { FileView } from "../../src/control/file-view.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
let site: Site;

/** Says which files a page has got, and what is in them. */
const reader = `<script>
  window.told = async (files) => {
    const all = await Promise.all([...files].map(async (file) => file.name + '=' + await file.text()));
    const said = document.createElement('h2'); said.textContent = 'Got ' + all.join('+'); document.body.append(said);
  };
  addEventListener('change', ({ target }) => told(target.files), true);
</script>`;
const hidden = "style='display:none'";

const uploadPages: Readonly<Record<string, string>> = {
  "/labelled": "<label>Attachment <input type=file></label>",
  "/only": "<h1>Send us</h1><input type=file>",
  "/behind-label": `<label for=f style='padding:9px;background:#ddd'>Choose a photo</label><input type=file id=f ${hidden}>`,
  "/behind-button": `<button onclick="f.click()">Browse…</button><input type=file id=f ${hidden}>`,
  "/made-by-script": `<button onclick="const i=document.createElement('input');i.type='file';i.onchange=()=>told(i.files);i.click()">Pick a file</button>`,
  "/zone": `<div style='cursor:pointer;padding:30px;border:1px dashed' onclick="f.click()"><p>Drop files here</p></div><input type=file id=f ${hidden}>`,
  "/zone-around": `<div style='padding:30px;border:1px dashed'><p>Drop files here</p><input type=file style='opacity:0'></div>`,
  "/several":
    "<label>Passport <input type=file name=passport></label><label>Photo <input type=file name=photo></label>",
  "/under-heading": "<h3>Invoice</h3><input type=file name=a><h3>Receipt</h3><input type=file name=b>",
  "/many": "<label>Pictures <input type=file multiple></label>",
  "/frame": `<iframe srcdoc="<label>Attachment <input type=file></label><script>addEventListener('change',(e)=>parent.told(e.target.files))</script>"></iframe>`,
  "/disabled": "<label>Attachment <input type=file disabled></label>",
  "/none": "<button>Attachment</button>",
};
const attachment = (name: string): Record<string, string> => ({
  "content-disposition": `attachment; filename="${name}"`,
});

beforeAll(async () => {
  service = await startTestService({ fileLimits: { count: 20, fileBytes: 50_000, totalBytes: 200_000 } });
  const pages = Object.entries(uploadPages).map(([path, html]) => [path, reader + html]);
  site = await startSite({
    ...Object.fromEntries(pages),
    "/refuses": `<label>Attachment <input type=file onchange="const a=document.createElement('p');a.setAttribute('role','alert');a.textContent='Upload failed: wrong type';document.body.append(a)"></label>`,
    "/downloads": `<a href=/file>Report</a> <a href=/file target=_blank>In a tab</a> <a download=own.txt href="data:text/plain,own">Own</a>
      <button onclick="const a=document.createElement('a');a.href=window.URL.createObjectURL(new Blob(['made']));a.download='made.bin';a.click()">Make</button>
      <button onclick="setTimeout(() => location.href='/file', 700)">Later</button> <a href=/large>Large</a> <a href=/cut>Cut</a> <a href=/slow>Slow</a>
      <form action=/file method=post><button>Export</button></form>`,
    "/file": (_, response) => void response.writeHead(200, attachment("report.csv")).end("content"),
    "/large": (_, response) => void response.writeHead(200, attachment("large.bin")).end("x".repeat(50_001)),
    "/slow": (_, response) => {
      response.writeHead(200, { ...attachment("slow.bin"), "content-type": "application/zip" });
      response.write("a");
      setTimeout(() => response.end("b"), 11_500);
    },
    "/cut": (_, response) => {
      response.writeHead(200, { ...attachment("cut.bin"), "content-length": "1000" });
      response.write("x".repeat(100), () => response.destroy());
    },
    "/both": `${reader}<a href=/file>Report</a> <label>Attachment <input type=file></label>`,
  });
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const makeFile = (name: string, text: string): object => ({ name, base64: Buffer.from(text).toString("base64") });

/** The end of a run, and where its session is. */
interface Ended {
  readonly end: StreamEvent | undefined;
  readonly sessionId: string;
  readonly results: readonly string[];
}

async function run(path: string, body: object, onEvent: (event: StreamEvent) => unknown = () => {}): Promise<Ended> {
  const events: StreamEvent[] = [];
  const answer = await service.ask("POST", path, body);
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  for await (const event of readAutomationStream(answer)) {
    events.push(event);
    await onEvent(event);
  }
  const data = events.find(({ type }) => type === "notte_session_data");
  const results = events.flatMap((event) => (event.type === "tool_result" ? [String(event.content)] : []));
  return { end: events.at(-1), sessionId: String(Object(data)["session_id"]), results };
}

const automate = (query: string, files: readonly object[] = []): Promise<Ended> =>
  run("/api/automation/start", { query, files });

const cv = makeFile("cv.txt", "my life");

test.each([
  ["/labelled", "upload cv.txt to Attachment"],
  ["/labelled", 'attach "cv.txt" to the "Attachment" field'],
  ["/only", "upload cv.txt"],
  ["/behind-label", "upload cv.txt to Choose a photo"],
  ["/behind-label", "upload the file cv.txt"],
  ["/behind-button", 'upload cv.txt with "Browse…"'],
  ["/behind-button", "attach cv.txt"],
  ["/made-by-script", "upload cv.txt with the Pick a file button"],
  ["/zone", 'upload cv.txt to "Drop files here"'],
  ["/zone-around", 'upload cv.txt into the "Drop files here" area'],
  ["/several", "upload cv.txt to Photo"],
  ["/under-heading", "upload cv.txt for Receipt"],
  ["/frame", "upload cv.txt to Attachment"],
  ["/frame", "upload cv.txt"],
  ["/labelled", "choose the file cv.txt for Attachment"],
])("a file of the session is given to the file chooser of %s: %s", async (path, clause) => {
  const { end } = await automate(`Open ${site.url}${path}, ${clause} and wait for "Got cv.txt=my life"`, [cv]);
  expect(end).toMatchObject({ type: "done" });
});

test("several files are given to an input that takes several, and to no other", async () => {
  const files = [makeFile("a.txt", "1"), makeFile("b.txt", "2")];
  const many = await automate(
    `Open ${site.url}/many, upload a.txt and b.txt to Pictures, wait for "Got a.txt=1+b.txt=2"`,
    files,
  );
  expect(many.end).toMatchObject({ type: "done" });
  const { end } = await automate(`Open ${site.url}/labelled, upload a.txt and b.txt to Attachment`, files);
  expect(end).toMatchObject({ type: "error", detail: expect.stringContaining("it takes one file, not 2") });
});

test.each([
  ["/labelled", "upload other.txt to Attachment", /no file "other\.txt": it has "cv\.txt"/u],
  ["/several", "upload cv.txt", /2 file inputs/u],
  ["/disabled", "upload cv.txt to Attachment", /disabled/u],
  ["/none", "upload cv.txt to Attachment", /no file chooser opened/u],
  ["/none", "upload cv.txt", /no file input/u],
  ["/refuses", "upload cv.txt to Attachment", /Upload failed: wrong type/u],
])("an upload that did not happen is no done: %s, %s", async (path, clause, why) => {
  const { end } = await automate(`Open ${site.url}${path} and ${clause}`, [cv]);
  expect(end).toMatchObject({ type: "error", error: "step_failed", detail: expect.stringMatching(why) });
});

const report = { file_id: expect.any(String), name: "report.csv", size: 7 };

test.each<readonly [clause: string, file: object]>([
  ["click Report", report],
  ['click "In a tab"', report],
  ["click Own", { ...report, name: "own.txt", size: 3 }],
  ["click Make", { ...report, name: "made.bin", size: 4 }],
  ["click Later", report],
  ["click Export", report],
  ["click Slow", { ...report, name: "slow.bin", size: 2 }],
])("a download is kept as a file of the session, and its end tells it: %s", async (clause, file) => {
  const { end, sessionId } = await automate(`Open ${site.url}/downloads and ${clause}`);
  expect(end).toMatchObject({ type: "done", metadata: { files: [file] } });
  const { files } = await readAnswer<{ files: readonly FileView[] }>(
    await service.ask("GET", `/control/sessions/${sessionId}/files`),
  );
  expect(files).toMatchObject([{ ...file, state: "complete", origin: "download" }]);
  const bytes = await service.ask("GET", `/control/sessions/${sessionId}/files/${files[0]?.file_id}`);
  expect((await bytes.arrayBuffer()).byteLength).toBe(files[0]?.size);
});

test("an address that is a download is one", async () => {
  const { end, results } = await automate(`Open ${site.url}/downloads, open ${site.url}/file`);
  expect(results.at(-1)).toContain('Downloaded "report.csv" (7 bytes)');
  expect(end).toMatchObject({ type: "done", metadata: { files: [report] } });
  const { end: failed } = await automate(`Open ${site.url}/large`);
  expect(failed).toMatchObject({ type: "error", detail: expect.stringContaining("file limit") });
});

test.each([
  ["click Large", /the download "large\.bin" was not kept: file limit \(50000 bytes\) exceeded/u],
  ["click Cut", /the download "cut\.bin" was not kept/u],
])("a download that did not happen is no done: %s", async (clause, why) => {
  const { end } = await automate(`Open ${site.url}/downloads and ${clause}`);
  expect(end).toMatchObject({ type: "error", detail: expect.stringMatching(why) });
});

test("what a run has downloaded can be uploaded, in it and in another run", async () => {
  const task = `Open ${site.url}/both, click Report, upload report.csv to Attachment, wait for "Got report.csv=content"`;
  const { end, sessionId } = await automate(task);
  expect(end).toMatchObject({ type: "done", metadata: { files: [report] } });
  const [{ file_id }] = Object(end)["metadata"]["files"];
  const refers = [{ session_id: sessionId, file_id }];
  const other = await automate(
    `Open ${site.url}/labelled, upload report.csv to Attachment, wait for "Got report.csv=content"`,
    refers,
  );
  expect(other.end).toMatchObject({ type: "done" });
  const renamed = [{ session_id: sessionId, file_id, name: "b.csv" }];
  expect(
    (await automate(`Open ${site.url}/only, upload b.csv, wait for "Got b.csv=content"`, renamed)).end,
  ).toMatchObject({ type: "done" });
});

test("a file that can't be read is no done", async () => {
  const query = `Open ${site.url}/both, click Report, wait 2 s, upload report.csv to Attachment`;
  const { end } = await run("/api/automation/start", { query }, async (event) => {
    if (event.type !== "tool_result" || !String(event.content).includes("Downloaded")) return;
    const folder = join(service.data, "files", "kept");
    for (const session of await readdir(folder)) await rm(join(folder, session), { recursive: true });
  });
  expect(end).toMatchObject({ type: "error", detail: expect.stringContaining('the file "report.csv" can\'t be read') });
});

test("a function uploads the file that it is run again with, and tells what it has downloaded", async () => {
  const { end } = await automate(`Open ${site.url}/both, upload cv.txt to Attachment, click Report`, [cv]);
  const id = Object(end)["function_id"];
  const path = `/control/functions/${id}/run`;
  const again = await run(path, { files: [makeFile("cv.txt", "another")] });
  expect(again.end).toMatchObject({ type: "done", metadata: { files: [report] } });
  expect(again.results.join("\n")).toContain('Chose "cv.txt"');
  const other = await run(path, { variables: { file: "x.txt" }, files: [makeFile("x.txt", "x")] });
  expect(other.results.join("\n")).toContain('Chose "x.txt"');
  expect((await run(path, {})).end).toMatchObject({
    type: "error",
    detail: expect.stringContaining('no file "cv.txt"'),
  });
  const source = await (await service.ask("GET", `/control/functions/${id}/source`)).text();
  expect(source).toContain("chooseFiles(page, ");
});

test.each([
  [[{ name: "a" }], "files.0: Input should have name and base64, or session_id and file_id"],
  [[{ name: "a", base64: "?" }], "files.0.base64"],
  [[{ session_id: "x", file_id: "y" }], "There is no such session"],
  ["a.txt", "files"],
  [Array.from({ length: 21 }, () => cv), "files"],
])("files that can't be given are refused before the run: %#", async (files, why) => {
  const answer = await service.ask("POST", "/api/automation/start", { query: "Open http://127.0.0.1:1/", files });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(why)]);
});
