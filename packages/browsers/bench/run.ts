/** Measures sessions of the pool, the relay and the egress proxy beside plain Playwright. Run: npm run bench [-- times] */
import { once } from "node:events";
import { chromium, type Browser, type Page } from "playwright-core";
import { pino } from "pino";
import { WebSocketServer } from "ws";
import { median } from "@cloud-browser/testing/median.ts";
import { startSite } from "@cloud-browser/testing/site.ts";
import { BrowserPool, GuardedBrowsers, relaySession } from "../src/index.ts";
import { findChromium } from "../src/chromium/chromium-binary.ts";

const times = Number(process.argv[2] ?? 20);
if (!Number.isInteger(times) || times < 1)
  throw new Error(`The number of times is ${process.argv[2]}; give 1 or more.`);

await using closing = new AsyncDisposableStack();
const { executable, env } = await findChromium();
const site = await startSite({
  "/": "<title>Ferries</title><h1>Harbour ferries</h1>",
  "/timetable": "every ten minutes",
});
closing.defer(() => site[Symbol.asyncDispose]());

/** Starts Chromium as Playwright does. */
const launch = async (): Promise<Browser> =>
  chromium.launch({ executablePath: executable, env: { ...process.env, ...env }, args: ["--no-sandbox"] });

/** A way to do something; resolves with the milliseconds of one time. */
type Way = () => Promise<number>;

async function readTime(work: () => Promise<unknown>): Promise<number> {
  const begunMs = performance.now();
  await work();
  return performance.now() - begunMs;
}

/** Runs ways alternately, and prints a row for each; the first one is the peer that the others are compared with. */
async function compare(what: string, ways: Readonly<Record<string, Way>>): Promise<void> {
  const took = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
  for (let time = 0; time <= times; time += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const ms = await way();
      if (time > 0) took.get(name)?.push(ms); // the first one loads what is loaded once
    }
  }
  const [peer = []] = took.values();
  for (const [name, values] of took) {
    console.log(`| ${what} | ${name} | ${median(values).toFixed(2)} | ${(median(values) / median(peer)).toFixed(2)} |`);
  }
}

console.log(
  `Medians of ${times} times, alternating.\n\n| what | way | ms | beside plain Playwright |\n|---|---|---|---|`,
);

const plain = await launch();
closing.defer(() => plain.close());
const pool = await BrowserPool.start();
closing.defer(() => pool.close());
await compare("an isolated session with a page, opened and closed", {
  "plain Playwright, a Chromium for each": () =>
    readTime(async () => {
      const browser = await launch();
      await (await browser.newContext()).newPage();
      await browser.close();
    }),
  "plain Playwright, a context of one Chromium": () =>
    readTime(async () => {
      const context = await plain.newContext();
      await context.newPage();
      await context.close();
    }),
  "the pool": () =>
    readTime(async () => {
      const pooled = await pool.open();
      await pooled.context.newPage();
      await pooled.close();
    }),
});

const pooled = await pool.open();
const direct = await pooled.context.newPage();
const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
await once(server, "listening");
closing.defer(() => {
  for (const client of server.clients) client.terminate();
  server.close();
});
const ignored = {
  onAction: () => undefined,
  onUse: () => undefined,
  onActivate: async () => undefined,
  onClosePage: async () => undefined,
  onClose: () => undefined,
  setLocale: (locale: string | undefined) => pooled.setLocale(locale),
  onDetach: () => pooled.blockSecurityKeys(),
};
server.on("connection", (client) => relaySession(client, pooled, ignored));
const address = server.address();
if (address === null || typeof address === "string") throw new Error("The relay has no port.");
const driver = await chromium.connectOverCDP(`ws://127.0.0.1:${address.port}/`);
closing.defer(() => driver.close());
const [relayed] = driver.contexts()[0]?.pages() ?? [];
if (!relayed) throw new Error("The driver sees no page through the relay.");

/** Milliseconds of one command of a hundred, one after the other. */
const commands = async (page: Page): Promise<number> =>
  (await readTime(async () => {
    for (let count = 0; count < 100; count += 1) await page.evaluate(() => 1);
  })) / 100;
await compare("a command to a page", {
  "directly, through the pipe": () => commands(direct),
  "through the relay": () => commands(relayed),
});

const options = { allow: ["127.0.0.1"], chromium: undefined, contexts: 2, contextsPerBrowser: undefined, ownPort: 0 };
const guarded = await GuardedBrowsers.start({ ...options, log: pino({ level: "silent" }) }, closing);
const [unguardedPage, guardedPage] = [await plain.newPage(), await (await guarded.open({})).context.newPage()];
await Promise.all([unguardedPage, guardedPage].map((page) => page.goto(`${site.url}/`)));

/** Milliseconds of one request of a page of a hundred, one after the other. */
const requests = async (page: Page): Promise<number> =>
  (await readTime(() =>
    page.evaluate(async () => {
      for (let count = 0; count < 100; count += 1)
        await (await fetch(`/timetable?${count}`, { cache: "no-store" })).text();
    }),
  )) / 100;
await compare("a request of a page to a site on loopback", {
  "without a proxy": () => requests(unguardedPage),
  "through the egress proxy": () => requests(guardedPage),
});
