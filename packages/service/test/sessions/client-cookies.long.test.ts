import { createServer } from "node:http";
import {
  fromPlaywrightCookies,
  fromPuppeteerCookies,
  toCookieHeader,
  toPlaywrightCookies,
  toPuppeteerCookies,
  type Cookie,
} from "@cloud-browser/client/cookies";
import { chromium } from "playwright-core";
import { launch } from "puppeteer-core";
import { expect, test } from "vitest";
import { findChromium } from "../../../browsers/src/chromium/chromium-binary.ts";

const { executable: executablePath, env: extra } = await findChromium();
const env = { ...process.env, ...extra };
// Names lead to this machine, so that no cookie is for `localhost` unless it says so.
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--host-resolver-rules=MAP * 127.0.0.1"];

const nextYear = Math.floor(Date.now() / 1000) + 300 * 86_400;
const common = { value: "v", domain: "a.example", hostOnly: true, path: "/", httpOnly: false, secure: false };
const session = { ...common, expires: -1, session: true };
/** Cookies that a browser takes, in the one way in which we write them. */
const accepted: Cookie[] = [
  { ...session, name: "plain", sameSite: "Lax" },
  { ...session, name: "wide", domain: ".a.example", hostOnly: false, sameSite: "Strict" },
  { ...session, name: "none", secure: true, httpOnly: true, sameSite: "None" },
  { ...session, name: "deep", path: "/b", sameSite: "Lax" },
  { ...session, name: "sub", domain: "b.a.example", sameSite: "Lax" },
  { ...session, name: "ip", domain: "127.0.0.1", sameSite: "Lax" },
  { ...session, name: "local", domain: "localhost", secure: true, sameSite: "Lax" },
  { ...session, name: "sublocal", domain: "b.localhost", secure: true, sameSite: "Lax" },
  { ...session, name: "loopback", domain: "127.0.0.1", secure: true, sameSite: "Lax" },
  { ...session, name: "odd", value: `"a=b, c" {#}`, sameSite: "Lax" },
  { ...session, name: "foreign", value: "é€😀", sameSite: "Lax" },
  { ...session, name: "empty", value: "", sameSite: "Lax" },
  { ...session, name: "__Host-a", secure: true, sameSite: "Lax" },
  { ...session, name: "long", value: "x".repeat(4092), path: "/long", sameSite: "Lax" },
  { ...session, name: "embedded", secure: true, sameSite: "None", partitionKey: "https://b.example" },
  { ...common, name: "lasting", expires: nextYear + 0.25, session: false, sameSite: "Lax" },
];
/** Cookies of which any would spoil the call, or not be set. */
const refused: Cookie[] = [
  { ...session, name: "semicolon", value: "a;b" },
  { ...session, name: "control", value: "a\tb" },
  { ...session, name: "a=b" },
  { ...session, name: "edge", value: " a" },
  { ...session, name: "relative", path: "b" },
  { ...session, name: "pathless", path: `/${"b".repeat(1024)}` },
  { ...session, name: "dots", domain: "..a.example" },
  { ...session, name: "ipv6", domain: "::x" },
  { ...session, name: "toolong", value: "x".repeat(4090) },
  { ...session, name: "__Secure-b" },
  { ...session, name: "__Host-b", secure: true, path: "/b" },
  { ...session, name: "__Host-c", secure: true, domain: ".a.example", hostOnly: false },
  { ...session, name: "__Http-b", secure: true },
  { ...session, name: "insecure", partitionKey: "https://b.example" },
  { ...session, name: "nowhere", secure: true, partitionKey: "b" },
];
/** A cookie that is set without its rule. */
const lax: Cookie = { ...session, name: "lax", sameSite: "None" };

const byName = (one: Cookie, other: Cookie): number => ((one.name ?? "") < (other.name ?? "") ? -1 : 1);

/** A server that answers with the cookies it was sent. */
async function startEcho(): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer(({ headers }, response) => {
    response.end(Buffer.from(headers.cookie ?? "", "latin1")); // as the bytes came
  });
  await new Promise<void>((resolve) => void server.listen(0, resolve));
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

const pages = [
  "http://a.example",
  "http://a.example/b/c",
  "http://b.a.example",
  "http://127.0.0.1",
  "http://localhost",
  "http://b.localhost",
];

test("Chromium takes it all from Playwright, gives it back and sends it", async () => {
  await using echo = await startEcho();
  const browser = await chromium.launch({ executablePath, args, env });
  try {
    const context = await browser.newContext();
    const { cookies, losses } = toPlaywrightCookies([...accepted, ...refused, lax]);
    expect(losses.filter(({ reason }) => reason === "skipped").map(({ name, at }) => name ?? `${at}`)).toEqual(
      refused.map(({ name }, at) => (name === "a=b" ? `${accepted.length + at}` : name)),
    );
    await context.addCookies(cookies);

    const back = fromPlaywrightCookies(await context.cookies());
    expect(back.losses).toEqual([]);
    expect(back.cookies.sort(byName)).toEqual([...accepted, { ...lax, sameSite: "Lax" }].sort(byName));

    const again = await browser.newContext({ storageState: { cookies: await context.cookies(), origins: [] } });
    expect(fromPlaywrightCookies(await again.storageState()).cookies.sort(byName)).toEqual(back.cookies);

    for (const cookie of refused) {
      const { session: _session, hostOnly: _hostOnly, ...raw } = cookie;
      // @ts-expect-error: it is meant to be refused
      await expect(context.addCookies([raw]), `${cookie.name} is refused`).rejects.toThrow("Invalid cookie fields");
    }

    const page = await context.newPage();
    for (const origin of pages) {
      const url = new URL(origin);
      url.port = String(echo.port);
      await page.goto(url.href);
      const sent = (await page.textContent("body"))?.split("; ") ?? [];
      // Our header leaves that one out, and says so.
      const others = sent.filter((pair) => !pair.startsWith("foreign="));
      const { header } = toCookieHeader([...accepted, lax], url);
      expect(others.sort()).toEqual(header.split("; ").sort());
    }
  } finally {
    await browser.close();
  }
});

test("Chromium takes it all from Puppeteer, and gives it back", async () => {
  const browser = await launch({ executablePath, args, env });
  try {
    await browser.setCookie(...toPuppeteerCookies([...accepted, ...refused, lax]).cookies);
    const cookies = await browser.cookies();
    expect(cookies.find(({ name }) => name === "embedded")?.partitionKey).toEqual({
      sourceOrigin: "https://b.example",
      hasCrossSiteAncestor: true,
    });
    const back = fromPuppeteerCookies(cookies);
    expect(back.losses).toEqual([]);
    const { sameSite: _none, ...withoutRule } = lax;
    expect(back.cookies.sort(byName)).toEqual([...accepted, withoutRule].sort(byName));
  } finally {
    await browser.close();
  }
});
