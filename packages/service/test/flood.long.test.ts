import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionView } from "../src/control/session-view.ts";
import { answerOf, startTestService, type TestService } from "./running-service.ts";
import { gate, startSite, type Site } from "@cloud-browser/testing/site.ts";

let running: TestService;
let site: Site;
let neighbour: SessionView;
beforeAll(async () => {
  running = await startTestService();
  site = await startSite({ "/": "<title>Ferries</title><h1>Harbour ferries</h1>" });
  neighbour = await running.open({ url: `${site.url}/` });
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const often = (work: string): string => `setInterval(() => { for (let i = 0; i < 20; i++) { ${work} } }, 10);`;
const long = `const long = "z".repeat(1e5);`;

/** What a page can send on its own, and how. */
const ways: readonly [what: string, script: string, ready?: (driver: Browser) => Promise<unknown>][] = [
  ["its console", often("console.log(long)")],
  ["its console, with many arguments", often("console.log(...Array(100).fill(long.slice(0, 1e3)))")],
  [
    "its console, with objects that are shown",
    often("console.log({ a: long, b: [long], c: new Map([[long, long]]) })"),
  ],
  ["its console, with tables", often("console.table(Array.from({ length: 50 }, () => ({ a: long, b: long })))")],
  ["errors that nobody catches", often("setTimeout(() => { throw new Error(long) })")],
  ["promises that are rejected", often("Promise.reject(new Error(long))")],
  [
    "a function of its client",
    often("globalThis.tell?.(long)"),
    async (driver) => driver.contexts()[0]?.exposeBinding("tell", () => {}),
  ],
  ["requests for long addresses", often('fetch("data:text/plain," + long + i).catch(() => {})')],
  ["requests with long bodies", often('fetch("/x?" + Math.random(), { method: "POST", body: long }).catch(() => {})')],
  ["the console of a worker", `new Worker(URL.createObjectURL(new Blob(['${long} ${often("console.log(long)")}'])))`],
  [
    "the console of a frame",
    `document.body.append(Object.assign(document.createElement("iframe"), { srcdoc: '<script>${long} ${often("console.log(long)")}</' + "script>" }))`,
  ],
  ["workers that come and go", often('const url = URL.createObjectURL(new Blob(["close()"])); new Worker(url)')],
];

test.each(ways)(
  "a session that floods %s is ended as that, and its neighbour is read meanwhile",
  { timeout: 180_000 },
  async (_, script, ready) => {
    const begun = gate();
    await using loud = await startSite({
      "/": `<body><script>fetch("/begin").then(() => { ${long} ${script} })</script>`,
      "/begin": begun.page,
    });
    const { session_id: id, cdp_url: url } = await running.open({ url: `${loud.url}/` });
    const driver = await chromium.connectOverCDP(url ?? "");
    await ready?.(driver);
    const gone = new Promise((resolve) => driver.once("disconnected", resolve));
    begun.open();
    const view = async (): Promise<SessionView> => answerOf(await running.ask("GET", `/control/sessions/${id}`));
    const scrapes: number[] = [];
    while ((await view()).state === "active") {
      const scrape = await running.ask("POST", `/sessions/${neighbour.session_id}/page/scrape`, {});
      scrapes.push(scrape.status);
      expect(await scrape.json()).toMatchObject({ markdown: expect.stringContaining("Harbour ferries") });
    }
    expect(await view()).toMatchObject({ state: "ended", end_reason: "flood" });
    await gone;
    expect(new Set(scrapes)).toEqual(new Set([200]));
    const kept = await answerOf<SessionView>(await running.ask("GET", `/control/sessions/${neighbour.session_id}`));
    expect(kept.state).toBe("active");
  },
);
