import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import type { SessionView } from "../../src/control/session-view.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

vi.setConfig({ testTimeout: 120_000 });

/** A page that answers all the while; its script runs when its session is there. */
const page = (script: string): string =>
  `<!doctype html><title>Ferries</title><h1>Harbour ferries</h1><script>addEventListener("load", () => setTimeout(() => { const kept = []; ${script} }, 1000))</script>`;

const inWorker = (script: string, kind = "Worker"): string =>
  page(`new ${kind}(URL.createObjectURL(new Blob([${JSON.stringify(`const kept = []; ${script}`)}])))`);

const bytes = "setInterval(() => kept.push(new Uint8Array(2 ** 24).fill(1)), 50)";
const canvas = (script: string): string =>
  `setInterval(() => { const canvas = ${script}; canvas.width = canvas.height = 2048; canvas.getContext("2d").fillRect(0, 0, 2048, 2048); kept.push(canvas) }, 50)`;

/** Where pages keep what they do not report. */
const places: Readonly<Record<string, string>> = {
  "the buffers of a worker": inWorker(bytes),
  "the buffers of a shared worker": inWorker(bytes, "SharedWorker"),
  "the objects of a worker": inWorker(
    'setInterval(() => { for (let i = 0; i < 2e4; i += 1) kept.push({ a: Math.random() + "x" }) }, 20)',
  ),
  "the modules of a worker": inWorker(
    "setInterval(() => { const memory = new WebAssembly.Memory({ initial: 256, maximum: 256 }); new Uint8Array(memory.buffer).fill(1); kept.push(memory) }, 50)",
  ),
  canvases: page(canvas('document.createElement("canvas")')),
  "the canvases of a worker": inWorker(canvas("new OffscreenCanvas(1, 1)")),
  "texts of its elements": page(
    'setInterval(() => { const one = document.createElement("i"); one.title = kept.push(0) + "t".repeat(1e7); document.body.append(one) }, 50)',
  ),
  "a frame of another site": page(
    'document.body.append(Object.assign(document.createElement("iframe"), { src: `http://localhost:${location.port}/frame` }))',
  ),
  "the stores of frames that it removes": page(
    'let number = 0; addEventListener("message", ({ source }) => { for (const one of document.querySelectorAll("iframe")) if (one.contentWindow === source) one.remove(); next() }); const next = () => document.body.append(Object.assign(document.createElement("iframe"), { src: `http://site-${number += 1}.localhost:${location.port}/stores` })); next()',
  ),
};
const names = Object.keys(places);

let running: TestService;
let site: Site;
let neighbour: SessionView;

beforeAll(async () => {
  running = await startTestService({ limits: { memoryBytes: 2 ** 28 } });
  site = await startSite({
    "/": page(""),
    "/frame": `<script>const kept = []; ${bytes}</script>`,
    "/stores": `<script>caches.open("all").then(async (all) => { for (let i = 0; i < 4; i += 1) await all.put("/" + i, new Response(new Uint8Array(2 ** 24))); parent.postMessage("stored", "*") })</script>`,
    "/textures": page(
      'const gl = document.createElement("canvas").getContext("webgl2"); gl.canvas.addEventListener("webglcontextlost", () => { document.querySelector("h1").textContent = "Lost" }); const points = new Uint8Array(2 ** 24).fill(7); setInterval(() => { gl.bindTexture(gl.TEXTURE_2D, gl.createTexture()); gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 2048, 2048, 0, gl.RGBA, gl.UNSIGNED_BYTE, points) }, 50)',
    ),
    ...Object.fromEntries(names.map((name, index) => [`/${index}`, places[name] ?? ""])),
  });
  neighbour = await running.open({ url: `${site.url}/` });
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const readMarkdown = async (id: string): Promise<string> =>
  (await running.ask("POST", `/sessions/${id}/page/scrape`, {})).text();

describe("a page that takes more and more memory in", () => {
  test.each(names.map((name, index) => [name, index] as const))("%s ends its own session", async (_, index) => {
    const { session_id: id } = await running.open({ url: `${site.url}/${index}` });
    const view = async (): Promise<SessionView> => readAnswer(await running.ask("GET", `/control/sessions/${id}`));
    while ((await view()).state === "active") await delay(200);
    expect((await view()).end_reason).toBe("memory");
  });

  test("textures loses them, and its session goes on", async () => {
    const { session_id: id } = await running.open({ url: `${site.url}/textures` });
    while (!(await readMarkdown(id)).includes("# Lost")) await delay(200);
    expect((await running.end(id)).end_reason).toBe("requested");
  });
});

test("all the while another session of the browser goes on, and is recorded", async () => {
  expect(await readMarkdown(neighbour.session_id)).toContain("# Harbour ferries");
  const ended = await running.end(neighbour.session_id);
  expect(ended.end_reason).toBe("requested");
});
