import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { startTestService, type TestService } from "../running-service.ts";

let running: TestService;
let site: Site;

beforeAll(async () => {
  running = await startTestService();
  site = await startSite({
    "/": "<title>Ferries</title><h1>Harbour ferries</h1>",
    "/drops": ({ socket }) => void socket.destroy(),
    "/to-metadata": (_, response) =>
      void response.writeHead(302, { location: "http://169.254.169.254/latest?token=hunter2" }).end(),
    "/to-nowhere": (_, response) => void response.writeHead(302, { location: "http://no-such-host.invalid/x" }).end(),
    "/to-file": (_, response) => void response.writeHead(302, { location: "file:///etc/passwd" }).end(),
    "/to-itself": (_, response) => void response.writeHead(302, { location: "/to-itself" }).end(),
    "/leaves": `<title>Leaves</title><script>location.href = "http://127.0.0.1:1023/?token=hunter2"</script>`,
    "/empty": (_, response) => void response.writeHead(503).end(),
    "/cut": (_, response) =>
      void response
        .writeHead(200, { "content-type": "text/html", "content-length": "99" })
        .write("<title>Cut</title><p>Begun", () => response.destroy()),
    "/undecodable": (_, response) =>
      void response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end("no gzip at all"),
    "/fails": (_, response) =>
      void response.writeHead(500, { "content-type": "text/html" }).end("<title>Sorry</title><p>Out of order"),
    "/bad-gateway": (_, response) =>
      void response.writeHead(502, { "content-type": "text/html" }).end("<title>Bad gateway</title><p>Of the site"),
    "/no-content": (_, response) => void response.writeHead(204).end(),
    "/frame": `<title>Frame</title><p>Around<iframe src="/drops"></iframe>`,
  });
}, 60_000);

afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  await running?.[Symbol.asyncDispose]();
});

async function refusal(url: string): Promise<{ status: number; text: string }> {
  const response = await running.ask("POST", "/control/sessions", { url });
  return { status: response.status, text: JSON.stringify(await response.json()) };
}

const failing: readonly (readonly [what: string, url: (site: string) => string, text: string])[] = [
  [
    "a site that closes the connection",
    (at) => `${at}/drops?token=hunter2`,
    "http://127.0.0.1:PORT could not be opened: the site closed the connection without a response (net::ERR_EMPTY_RESPONSE)",
  ],
  [
    "an unknown host",
    () => "http://no-such-host.invalid/?token=hunter2",
    "http://no-such-host.invalid could not be opened: the host has no address (net::ERR_NAME_NOT_RESOLVED)",
  ],
  [
    "an unknown host, with TLS",
    () => "https://no-such-host.invalid/",
    "https://no-such-host.invalid could not be opened: the host has no address (net::ERR_NAME_NOT_RESOLVED)",
  ],
  [
    "a port where nothing listens",
    () => "http://127.0.0.1:1023/",
    "http://127.0.0.1:1023 could not be opened: the connection was refused (net::ERR_CONNECTION_REFUSED)",
  ],
  [
    "a redirect to a blocked address",
    (at) => `${at}/to-metadata`,
    "http://169.254.169.254 could not be opened: its address is blocked: it is not global and the operator has not allowed it, or the operator has blocked it (net::ERR_BLOCKED_BY_ADMINISTRATOR)",
  ],
  [
    "a redirect to an unknown host",
    (at) => `${at}/to-nowhere`,
    "http://no-such-host.invalid could not be opened: the host has no address (net::ERR_NAME_NOT_RESOLVED)",
  ],
  ["a redirect to a file", (at) => `${at}/to-file`, "it redirects to what is no web page (net::ERR_UNSAFE_REDIRECT)"],
  ["a redirect without end", (at) => `${at}/to-itself`, "it redirects too many times (net::ERR_TOO_MANY_REDIRECTS)"],
  [
    "a site without TLS",
    (at) => at.replace("http:", "https:"),
    "https://127.0.0.1:PORT could not be opened: no secure connection could be made (net::ERR_SSL_PROTOCOL_ERROR)",
  ],
];

describe("a page that could not be had", () => {
  test.each(failing)("is no first page, with the reason: %s", async (_, url, reason) => {
    const { status, text } = await refusal(url(site.url));
    // A host is looked up before a session is created.
    const expected = reason
      .replace("PORT", new URL(site.url).port)
      .replace(/the host has no address.*/, "DNS lookup failed: no address for");
    expect({
      status,
      text: text.replace(" the host has no address (net::ERR_NAME_NOT_RESOLVED)", " DNS lookup failed: no address for"),
    }).toEqual({
      status: 502,
      text: expect.stringContaining(expected),
    });
    expect(text).not.toMatch(/hunter2|latest/);
  });

  test("is no first page where the one before it was there, and led to it", async () => {
    const { status, text } = await refusal(`${site.url}/leaves`);
    expect({ status, text }).toEqual({
      status: 502,
      text: expect.stringContaining("http://127.0.0.1:1023 could not be opened: the connection was refused"),
    });
    expect(text).not.toContain("hunter2");
  });

  test("is not scraped, with the reason, until another one is opened", async () => {
    const { session_id: id, cdp_url } = await running.open({ url: `${site.url}/` });
    const scrape = async (): Promise<{ status: number; text: string }> => {
      const response = await running.ask("POST", `/sessions/${id}/page/scrape`, {});
      return { status: response.status, text: JSON.stringify(await response.json()) };
    };
    const browser = await chromium.connectOverCDP(cdp_url ?? "");
    for (const [, url, reason] of failing) {
      const page = await browser.contexts()[0]?.newPage();
      const name = /net::ERR_\w+/.exec(reason)?.[0];
      await expect(page?.goto(url(site.url))).rejects.toThrow(name);
      const failed = expect.stringContaining(reason.replace("PORT", new URL(site.url).port));
      expect(await scrape()).toEqual({ status: 502, text: failed });
      await page?.waitForURL(/^chrome-error:/);
      expect(await scrape()).toEqual({ status: 502, text: failed });
      await page?.goto(`${site.url}/`);
      expect(await scrape()).toEqual({ status: 200, text: expect.stringContaining("Harbour ferries") });
      await page?.close();
    }
    await browser.close();
    await running.end(id);
  });

  test("whose response can't be decoded, so that nothing of it is shown, says so, at open and at scrape", async () => {
    const why = "its response broke off, or is malformed (net::ERR_CONTENT_DECODING_FAILED)";
    expect(await refusal(`${site.url}/undecodable`)).toEqual({ status: 502, text: expect.stringContaining(why) });
    const { session_id: id, cdp_url } = await running.open({ url: `${site.url}/` });
    const browser = await chromium.connectOverCDP(cdp_url ?? "");
    const page = browser.contexts()[0]?.pages()[0];
    const failed = page?.waitForEvent("requestfailed");
    await page?.goto(`${site.url}/undecodable`, { waitUntil: "commit" });
    await failed;
    const scraped = await running.ask("POST", `/sessions/${id}/page/scrape`, {});
    expect([scraped.status, await scraped.text()]).toEqual([502, expect.stringContaining(why)]);
    await browser.close();
  });

  test.each([
    ["/fails", "Out of order"],
    ["/bad-gateway", "Of the site"],
    ["/missing", "nothing here"],
    ["/frame", "Around"],
    ["/empty", '"markdown":""'],
  ])("is another thing than a page that says so: %s", async (path, words) => {
    const { session_id: id } = await running.open({ url: site.url + path });
    const response = await running.ask("POST", `/sessions/${id}/page/scrape`, {});
    expect({ status: response.status, text: await response.text() }).toEqual({
      status: 200,
      text: expect.stringContaining(words),
    });
    await running.end(id);
  });
});

test("a page whose response breaks off is opened as far as it came, without waiting for its load event", async () => {
  const begunMs = performance.now();
  const { session_id: id } = await running.open({ url: `${site.url}/cut` });
  // The load event would be waited for longer.
  expect(performance.now() - begunMs).toBeLessThan(15_000);
  const response = await running.ask("POST", `/sessions/${id}/page/scrape`, {});
  expect({ status: response.status, text: await response.text() }).toEqual({
    status: 200,
    text: expect.stringContaining("Begun"),
  });
  await running.end(id);
});

// Later on it leaves the page as it is, which is scraped.
test("a response without content is no first page", async () => {
  const { status, text } = await refusal(`${site.url}/no-content`);
  expect(status).toBe(502);
  expect(text).toContain("its response has no page, or another page was opened meanwhile (net::ERR_ABORTED)");
});
