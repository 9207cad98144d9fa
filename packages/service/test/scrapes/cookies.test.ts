import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BrowserPool, type PooledContext } from "@cloud-browser/browsers";
import { readCookies } from "../../src/sessions/session-cookies.ts";
import { startSite, type Site } from "@cloud-browser/testing/scrape/site.ts";

let site: Site;
let pool: BrowserPool;
let pooled: PooledContext;
let page: Page;

beforeAll(async () => {
  site = await startSite();
  pool = await BrowserPool.start({ maxBrowsers: 1 });
  pooled = await pool.open();
  page = await pooled.context.newPage();
});

afterAll(async () => {
  await pool.close();
  await site.close();
});

/** The cookies after a page has set some. */
async function cookiesAfter(...lines: readonly string[]) {
  await pooled.context.clearCookies();
  site.put("/set", (response) => {
    response.setHeader("set-cookie", [...lines]);
    response.setHeader("content-type", "text/html");
    response.end("<p>a</p>");
  });
  // Chromium trusts localhost: it takes secure cookies from there without TLS.
  await page.goto(`${site.otherUrl}/set`);
  return readCookies(pooled);
}

const plain = { name: "a", value: "b", domain: "localhost", path: "/", httpOnly: false, hostOnly: true, secure: false };

describe("The cookies of a session", () => {
  it.each<readonly [sentence: string, line: string, want: object]>([
    ["one that ends with the session does not expire", "a=b", { ...plain, session: true }],
    [
      "scripts can't read one, and it is there",
      "a=b; HttpOnly; Path=/x",
      { ...plain, httpOnly: true, path: "/x", session: true },
    ],
    ["Lax", "a=b; SameSite=Lax", { ...plain, sameSite: "Lax", session: true }],
    ["Strict", "a=b; SameSite=strict", { ...plain, sameSite: "Strict", session: true }],
    ["None", "a=b; SameSite=None; Secure", { ...plain, sameSite: "None", secure: true, session: true }],
  ])("%s", async (_, line, want) => {
    const [cookie, ...others] = await cookiesAfter(line);
    expect(others).toEqual([]);
    expect(cookie).toEqual({ ...want, storeId: pooled.contextId });
  });

  it("one that lasts expires at the same second in both fields", async () => {
    const now = Date.now() / 1_000;
    const [cookie] = await cookiesAfter("a=b; Max-Age=3600");
    expect(cookie).toMatchObject({ session: false, expires: cookie?.expirationDate });
    expect(Math.abs((cookie?.expires ?? 0) - now - 3_600)).toBeLessThan(30);
  });

  it("none lasts longer than 400 days", async () => {
    const now = Date.now() / 1_000;
    const [cookie] = await cookiesAfter("a=b; Max-Age=63072000");
    expect(Math.abs((cookie?.expires ?? 0) - now - 400 * 86_400)).toBeLessThan(60);
  });

  it("a partitioned one names its partition", async () => {
    const [cookie] = await cookiesAfter("__Host-a=b; Secure; Path=/; SameSite=None; Partitioned");
    expect(cookie).toMatchObject({
      name: "__Host-a",
      partitionKey: "http://localhost",
      secure: true,
      sameSite: "None",
    });
  });

  it("are those of its own context", async () => {
    await cookiesAfter("a=b");
    const other = await pool.open();
    await other.context.addCookies([{ name: "foreign", value: "x", url: site.url }]);
    expect((await readCookies(pooled)).map(({ name }) => name)).toEqual(["a"]);
    await other.close();
  });

  it("of a domain and of a host are distinguished", async () => {
    await pooled.context.clearCookies();
    await pooled.context.addCookies([
      { name: "d", value: "", domain: ".example.com", path: "/" },
      { name: "h", value: "", url: "http://example.com" },
    ]);
    const cookies = await readCookies(pooled);
    expect(Object.fromEntries(cookies.map(({ name, hostOnly }) => [name, hostOnly]))).toEqual({ d: false, h: true });
  });

  it("of a browser that is gone are refused", async () => {
    const others = await BrowserPool.start({ maxBrowsers: 1 });
    const lost = await others.open();
    await others.close();
    await expect(readCookies(lost)).rejects.toMatchObject({ code: "session-ended" });
  });
});
