import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { Session } from "../../src/sessions/session.ts";
import type { SessionOptions } from "../../src/sessions/session-options.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";
import { startHttpProxy } from "../../../browsers/test/proxy/proxies.ts";
import { makeGate, startSite, type Site } from "@cloud-browser/testing/site.ts";

let running: TestService;
let site: Site;
const late = makeGate();

beforeAll(async () => {
  running = await startTestService();
  site = await startSite({
    "/": "<title>Ferries</title><h1>Harbour ferries</h1>",
    "/late": late.page,
    "/never": () => {},
    "/drops": ({ socket }) => void socket.destroy(),
    "/to-metadata": (_, response) =>
      void response.writeHead(302, { location: "http://169.254.169.254/latest?token=hunter2" }).end(),
    "/file": (_, response) =>
      response.writeHead(200, { "content-type": "application/zip", "content-disposition": "attachment" }).end("PK"),
  });
});
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  await running?.[Symbol.asyncDispose]();
});

async function refusal(options: SessionOptions): Promise<{ status: number; text: string }> {
  const response = await running.ask("POST", "/control/sessions", options);
  return { status: response.status, text: JSON.stringify(await response.json()) };
}

describe("a session that ends while it is created", () => {
  test("says so at every moment of it", async () => {
    const limits = Array.from({ length: 10 }, (_, index) => 0.05 + index * 0.05);
    for (const total_limit_s of limits) {
      const { status, text } = await refusal({ total_limit_s, url: `${site.url}/never` });
      expect({ status, text }).toEqual({
        status: expect.any(Number),
        text: expect.stringContaining("time-limit"),
      });
    }
  });

  test.each<readonly [string, SessionOptions, string]>([
    ["before it has a page", { idle_limit_s: 1e-9 }, "idle"],
    ["while its page loads", { total_limit_s: 0.5 }, "time-limit"],
  ])("says so and why: %s", async (_, options, reason) => {
    const { status, text } = await refusal({ ...options, url: `${site.url}/never` });
    expect({ status, text }).toEqual({
      status: 409,
      text: expect.stringContaining(`while it was created (${reason})`),
    });
  });
});

test.each(["http://", "http://ferries:99999/", "http://%00/", "http://a b/"])(
  "%j is no address to begin on",
  async (url) => {
    expect(await refusal({ url })).toEqual({ status: 422, text: expect.stringContaining("uri") });
  },
);

test("a first page may have an address in any language", async () => {
  const { session_id: id, url } = await running.open({ url: `${site.url}/fähre?über=日本#früh` });
  expect(decodeURI(url ?? "")).toBe(`${site.url}/fähre?über=日本#früh`);
  await running.end(id);
});

test("a first page that is a download is reported as such", async () => {
  const { status, text } = await refusal({ url: `${site.url}/file` });
  expect({ status, text }).toEqual({ status: 502, text: expect.stringContaining("it is a download") });
});

test.each([
  ["closes the connection", "/drops?token=hunter2", "127.0.0.1", "the site closed the connection without a response"],
  ["leads to a blocked address", "/to-metadata", "http://169.254.169.254 could not", "its address is blocked"],
])("a site that %s gives no first page, with the reason", async (_, path, where, why) => {
  const { status, text } = await refusal({ url: site.url + path });
  expect({ status, text }).toEqual({ status: 502, text: expect.stringContaining(where) });
  expect(text).toContain(why);
  expect(text).not.toMatch(/hunter2|latest/);
});

test("an unknown host gives no first page", async () => {
  const { status, text } = await refusal({ url: "http://no-such-host.invalid/?token=hunter2" });
  const why = "http://no-such-host.invalid could not be opened: DNS lookup failed: no address for no-such-host.invalid";
  expect({ status, text }).toEqual({ status: 502, text: JSON.stringify({ detail: why }) });
});

test("a page that could not be had is not scraped", async () => {
  const { session_id: id, cdp_url } = await running.open({ url: `${site.url}/` });
  const browser = await chromium.connectOverCDP(cdp_url ?? "");
  const [page] = browser.contexts()[0]?.pages() ?? [];
  await expect(page?.goto(`${site.url}/drops`)).rejects.toThrow("net::ERR_EMPTY_RESPONSE");
  const response = await running.ask("POST", `/sessions/${id}/page/scrape`, {});
  expect({ status: response.status, text: await response.text() }).toEqual({
    status: 502,
    text: expect.stringContaining("could not be opened: the site closed the connection"),
  });
  await browser.close();
  await running.end(id);
});

test("text that nobody sees is left out of a scrape that prefers this, and of no other one", async () => {
  const { session_id: id, cdp_url } = await running.open({ url: `${site.url}/` });
  const browser = await chromium.connectOverCDP(cdp_url ?? "");
  await browser.contexts()[0]?.pages()[0]?.setContent('<p>seen</p><p style="opacity:0">hidden</p>');
  const { url, apiKey } = running.service;
  const scrape = async (prefer: string): Promise<readonly [applied: string | null, body: string]> => {
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json", prefer };
    const response = await fetch(`${url}/sessions/${id}/page/scrape`, { method: "POST", headers, body: "{}" });
    return [response.headers.get("preference-applied"), await response.text()];
  };
  for (const prefer of ["visible-text", "wait=5, Visible-Text"]) {
    expect(await scrape(prefer)).toEqual(["visible-text", expect.not.stringContaining("hidden")]);
  }
  for (const prefer of ["", "no-visible-text", "visible-texts", "respond-async"]) {
    expect(await scrape(prefer)).toEqual([null, expect.stringContaining("hidden")]);
  }
  await browser.close();
  await running.end(id);
});

describe("a cookie that the browser does not take", () => {
  const cookie = { name: "c1", value: "hunter2", domain: "example.com" };
  test.each<readonly [string, Partial<typeof cookie & { sameSite: "None"; path: string }>]>([
    ["for other sites and not secure", { sameSite: "None" }],
    ["of an address", { domain: "http://example.com" }],
    ["of a host and a port", { domain: "example.com:80" }],
    ["of a path that is none", { path: "x" }],
    ["with a name that only secure ones have", { name: "__Host-a" }],
  ])("is reported by name, without its value: %s", async (_, change) => {
    const { status, text } = await refusal({
      cookies: [
        { ...cookie, name: "fine" },
        { ...cookie, ...change },
      ],
    });
    expect(status).toBe(422);
    expect(text).toContain(change.name ?? "c1");
    expect(text).not.toContain("hunter2");
  });
});

test("while another page is on its way, a session has the title that it had", async () => {
  const session = await running.open({ url: `${site.url}/` });
  const browser = await chromium.connectOverCDP(session.cdp_url ?? "");
  const going = browser.contexts()[0]?.pages()[0]?.goto(`${site.url}/late`);
  await expect.poll(() => site.requests).toContain("/late");
  const path = `/control/sessions/${session.session_id}`;
  const view = await readAnswer<SessionView>(await running.ask("GET", path));
  expect(view).toMatchObject({ url: `${site.url}/`, title: "Ferries" });
  late.open();
  await going;
  await browser.close();
});

const fails = (what: string) => (): Promise<never> => Promise.reject(new Error(what));

test("a session ends even if its recording and browser fail to, and logs the failure", async () => {
  const context = { on: () => context, pages: () => [], route: () => undefined, setDefaultTimeout: () => undefined };
  const ended: unknown[] = [];
  const parts = {
    id: "a",
    createdMs: 0,
    pooledContext: {
      context,
      lost: new Promise(() => undefined),
      flooded: new Promise(() => undefined),
      watchPages: () => undefined,
      close: fails("context"),
    },
    clock: { now: () => 0, at: () => () => undefined },
    monotonic: { now: () => 0, callAfter: () => () => undefined },
    limits: { idleMs: 1, totalMs: 1 },
    onEnd: (...call: unknown[]) => ended.push(call),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of the parts as an end needs
  const session = new Session(parts as unknown as ConstructorParameters<typeof Session>[0]);
  await session.recordWith({
    onActivity: () => undefined,
    note: () => undefined,
    holdForScreenshot: () => () => undefined,
    watch: () => () => undefined,
    end: fails("recorder"),
  });
  let disconnected = 0;
  session.addClient(() => (disconnected += 1));
  await session.end("requested");
  expect(disconnected).toBe(1);
  expect(ended).toEqual([["requested", { url: null, title: null }, [new Error("recorder"), new Error("context")], 0]]);
});

test("a session with a proxy loads its pages through it, and fails with its reason", async () => {
  const credentials = { username: "somebody", password: "hunter2" };
  const { port, hosts: requests } = await startHttpProxy({
    to: Number(new URL(site.url).port),
    needs: "somebody:hunter2",
  });
  const proxy = { server: `http://127.0.0.1:${port}`, ...credentials };
  const { session_id: id, title } = await running.open({ url: `${site.url}/`, proxy });
  expect([title, requests.length > 0]).toEqual(["Ferries", true]);
  await running.end(id);
  const wrong = await refusal({ url: `${site.url}/`, proxy: { ...proxy, username: "x" } });
  expect(wrong).toEqual({ status: 502, text: expect.stringContaining("refuses the credentials") });
});
