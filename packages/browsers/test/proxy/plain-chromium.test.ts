import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findChromium } from "../../src/chromium/chromium-binary.ts";
import { type ChromiumProcess, startChromium } from "../../src/chromium/chromium-process.ts";
import { EgressProxy } from "../../src/proxy/egress-proxy.ts";
import { loginServer } from "./login-server.ts";
import { listen, serve, serveRaw } from "./servers.ts";

let guard: EgressProxy;
let process: ChromiumProcess;
let browser: Browser;

beforeAll(async () => {
  guard = await EgressProxy.start({ allow: ["127.0.0.1"] });
  process = await startChromium({
    binary: await findChromium(),
    proxyServer: guard.proxyServer,
    renameError: (url, reported) => guard.renameError(url, reported),
  });
  browser = await chromium.connectOverCDP(process.devtools.driver, { isLocal: true });
});

afterAll(async () => {
  await browser?.close();
  await process?.end();
  await guard?.close();
});

test("Chromium reads bytes above 127 in response headers as it does without the proxy", async () => {
  const port = await serveRaw((socket) => {
    socket.once("data", (request) => {
      socket.end(
        request.toString().startsWith("GET /from")
          ? "HTTP/1.1 302 Found\r\nLocation: /ü€?q=ü\r\nContent-Length: 0\r\n\r\n"
          : "HTTP/1.1 200 OK\r\nSet-Cookie: u8=ü€\r\nContent-Type: text/html\r\n\r\n<title>hello</title>",
      );
    });
  });
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${port}/from`);
  expect(page.url()).toBe(`http://127.0.0.1:${port}/%C3%BC%E2%82%AC?q=%C3%BC`);
  expect(await page.evaluate("document.cookie")).toBe("u8=ü€");
});

test("Chromium logs in with NTLM, and no other session of it is logged in by that", async () => {
  const url = `http://127.0.0.1:${await listen(loginServer())}/`;
  const visit = async (session: Parameters<Browser["newContext"]>[0]): Promise<unknown[]> => {
    const context = await browser.newContext(session);
    const page = await context.newPage();
    const answers: string[] = [];
    for (const path of ["first", "second"]) {
      const answer = await page.goto(url + path);
      answers.push(`${answer?.status()} ${(await page.textContent("p"))?.replace(/,.*/, "")}`);
    }
    const post = `fetch("/post", { method: "POST", body: "x" }).then((answer) => answer.status)`;
    return [...answers, await page.evaluate(post)];
  };
  const httpCredentials = { username: "someone", password: "secret" };
  expect(await visit({ httpCredentials })).toEqual(["200 in", "200 in", 200]);
  expect(await visit({})).toEqual(["401 out", "401 out", 401]);
});

test("a request that a site drops is sent to it once", async () => {
  const paths: string[] = [];
  const port = await serve((request, response) => {
    if (request.method === "GET") return void response.setHeader("content-type", "text/html").end("<p>home");
    request.resume().on("end", () => {
      paths.push(request.url ?? "");
      request.socket.destroy();
    });
  });
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  // The connection of the browser to the proxy is used again, as most are.
  await page.evaluate(`fetch("/again", { cache: "no-store" }).then((response) => response.text())`);
  for (const body of ["small", "large".repeat(1_000_000)]) {
    const order = `fetch("/order", { method: "POST", body: ${JSON.stringify(body)} }).catch(String)`;
    expect(await page.evaluate(order)).toBe("TypeError: Failed to fetch");
  }
  expect(paths).toEqual(["/order", "/order"]);
  await page.context().close();
});

test.each([
  ["http://no-such-host.invalid/", "net::ERR_NAME_NOT_RESOLVED"],
  ["https://no-such-host.invalid/", "net::ERR_NAME_NOT_RESOLVED"],
  ["http://10.0.0.1/", "net::ERR_BLOCKED_BY_ADMINISTRATOR"],
])("%s can't be opened, with the error that a local Chromium gives", async (url, error) => {
  const page = await browser.newPage();
  const failed = page.waitForEvent("requestfailed");
  await expect(page.goto(url)).rejects.toThrow(`${error} at ${url}`);
  expect((await failed).failure()?.errorText).toBe(error);
  await page.context().close();
});
