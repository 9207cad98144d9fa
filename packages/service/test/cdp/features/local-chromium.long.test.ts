import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { findChromium } from "../../../../browsers/src/chromium/chromium-binary.ts";
import { startService, type RunningService } from "../../../src/index.ts";
import { differences } from "./differences.ts";
import type { Feature } from "./feature.ts";
import { networkFeatures } from "./network-features.ts";
import { pageFeatures } from "./page-features.ts";

let site: Site;
let service: RunningService;
let local: Browser;

beforeAll(async () => {
  site = await startSite({
    "/": "<!doctype html><title>Home</title><p>Hello",
    "/echo": ({ method, headers }, response) =>
      void response.setHeader("content-type", "text/html").end(`${method} ${String(headers["x-mine"] ?? "none")}`),
    "/length": (request, response) => {
      let length = 0;
      request.on("data", (chunk: Buffer) => (length += chunk.length));
      request.on("end", () => response.end(String(length)));
    },
    "/away": (_, response) => void response.writeHead(302, { location: "/echo" }).end(),
    "/to-nowhere": (_, response) => void response.writeHead(302, { location: "http://no-such-host.invalid/" }).end(),
    "/drop": (request) => void request.socket.destroy(),
  });
  service = await startService({ allow: ["127.0.0.1"] });
  const { executable: executablePath, env } = await findChromium();
  const args = ["--no-sandbox", "--disable-gpu"];
  local = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
}, 60_000);

afterAll(async () => {
  await local.close();
  await service[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** What a feature gives in a local Chromium. */
async function locally([, attempt]: Feature): Promise<unknown> {
  const context = await local.newContext();
  try {
    const page = await context.newPage();
    return await attempt({ page, context, site, cdp: await context.newCDPSession(page) });
  } finally {
    await context.close();
  }
}

/** What a feature gives in a session. */
async function inSession([, attempt]: Feature): Promise<unknown> {
  const { session_id, cdp_url } = await service.open({});
  const browser = await chromium.connectOverCDP(cdp_url);
  try {
    const [context] = browser.contexts();
    const [page] = context?.pages() ?? [];
    if (!context || !page) throw new Error("the session has no page");
    return await attempt({ page, context, site, cdp: await context.newCDPSession(page) });
  } finally {
    await browser.close();
    await service.end(session_id);
  }
}

const features = [...pageFeatures, ...networkFeatures];

const isDifferent = ([name]: Feature): boolean => Object.hasOwn(differences, name);

test.each(features.filter((feature) => !isDifferent(feature)))("as in a local Chromium: %s", async (...feature) => {
  const expected = await locally(feature);
  expect(await inSession(feature)).toEqual(expected);
});

test.each(features.filter(isDifferent))("otherwise than in a local Chromium: %s", async (...feature) => {
  const expected = await locally(feature);
  expect(await inSession(feature)).not.toEqual(expected);
});

test("each difference has a reason, and is tried", () => {
  const names = new Set(features.map(([name]) => name));
  expect(features).toHaveLength(names.size);
  expect(Object.keys(differences).filter((name) => !names.has(name))).toEqual([]);
  expect(Object.values(differences).filter((reason) => reason.length < 20)).toEqual([]);
});
