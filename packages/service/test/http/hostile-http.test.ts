import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitForClose, connectTo, lines, sendRaw, listStatuses } from "../raw-http.ts";
import { startTestService, type TestService } from "../running-service.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let running: TestService;
let site: Site;
/** A session that minds its own business. */
let sessionId: string;

beforeAll(async () => {
  running = await startTestService();
  site = await startSite({ "/": "<title>Ferries</title><h1>Harbour ferries</h1>" });
  sessionId = (await running.open({ url: `${site.url}/` })).session_id;
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const scrapePath = (): string => `/sessions/${sessionId}/page/scrape`;
const scrapeLine = (): string => `POST ${scrapePath()} HTTP/1.1`;
const ownHost = (): string => `Host: ${new URL(running.service.url).host}`;
const authorization = (): string => `Authorization: Bearer ${running.service.apiKey}`;

/** The service goes on, and so does its session. */
async function scrapeNow(): Promise<unknown> {
  const response = await running.ask("POST", scrapePath(), {});
  return { status: response.status, ...(await response.json()) };
}
const unharmed = { status: 200, markdown: "# Harbour ferries" };

describe("malformed HTTP", () => {
  const upgrade = ["Host: a", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  const smuggled = lines("GET /health HTTP/1.1", "Host: a");
  const cases: readonly [string, () => readonly string[], readonly number[]][] = [
    ["no HTTP at all", () => ["\u0000\u0001\u0002 what is this\r\n\r\n"], [400]],
    ["another protocol", () => ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"], [400, 505]],
    [
      "the beginning of TLS",
      () => ["\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n"],
      [400],
    ],
    ["no host", () => [lines("GET /health HTTP/1.1", "Connection: close")], [400]],
    ["a host that is none", () => [lines("GET /health HTTP/1.1", "Host: a b/../@", "Connection: close")], [400]],
    [
      "two lengths",
      () => [
        lines(scrapeLine(), "Host: a", authorization(), "Content-Length: 2", "Content-Length: 40") + `{}${smuggled}`,
      ],
      [400],
    ],
    [
      "a length and chunks",
      () => [
        lines(scrapeLine(), "Host: a", authorization(), "Content-Length: 4", "Transfer-Encoding: chunked") +
          `0\r\n\r\n${smuggled}`,
      ],
      [400],
    ],
    [
      "chunks in disguise",
      () => [lines(scrapeLine(), "Host: a", authorization(), "Transfer-Encoding: xchunked") + `0\r\n\r\n${smuggled}`],
      [400, 501],
    ],
    [
      "a chunk without a length",
      () => [lines(scrapeLine(), "Host: a", authorization(), "Transfer-Encoding: chunked") + `zz\r\n{}\r\n0\r\n\r\n`],
      [400],
    ],
    ["a header with a null byte", () => [lines("GET /health HTTP/1.1", "Host: a", "X-A: b\u0000c")], [400]],
    [
      "a header on two lines",
      () => [lines("GET /health HTTP/1.1", "Host: a", "X-A: b", " c", "Connection: close")],
      [400],
    ],
    [
      "thousands of headers",
      () => [lines("GET /health HTTP/1.1", "Host: a", ...Array.from({ length: 5_000 }, (_, n) => `X-${n}: ${n}`))],
      [431],
    ],
    ["a header of a megabyte", () => [lines("GET /health HTTP/1.1", "Host: a", `X-A: ${"b".repeat(2 ** 20)}`)], [431]],
    ["an address of a megabyte", () => [lines(`GET /${"a".repeat(2 ** 20)} HTTP/1.1`, "Host: a")], [400, 414, 431]],
    ["a request to connect elsewhere", () => [lines("CONNECT 127.0.0.1:22 HTTP/1.1", "Host: a")], [400, 404, 405]],
    [
      "an address of somebody else",
      () => [lines("GET http://169.254.169.254/latest HTTP/1.1", "Host: a", authorization(), "Connection: close")],
      [400, 404],
    ],
    [
      "a method that nobody knows",
      () => [lines("BREW /health HTTP/1.1", "Host: a", "Connection: close")],
      [400, 404, 405],
    ],
    ["an upgrade of an address that is none", () => [lines("GET //[ HTTP/1.1", ...upgrade)], [400]],
    [
      "an upgrade of an address with credentials",
      () => [lines("GET http://u:p@x/control/sessions/a/cdp HTTP/1.1", ...upgrade)],
      [401],
    ],
  ];
  test.each(cases)("%s is refused once, and nothing behind it is read", async (_, request, expected) => {
    const pieces = request().map((piece) => piece.replaceAll(/^Host: a(?=\r\n)/gm, ownHost()));
    const answer = await sendRaw(running.service.url, ...pieces);
    const statuses = listStatuses(answer);
    // A connection that is closed without a word is an answer, too.
    expect(statuses.length).toBeLessThanOrEqual(1);
    for (const status of statuses) expect(expected).toContain(status);
    expect(answer).not.toContain('"sessions"');
    expect(answer).not.toContain(running.service.apiKey);
    expect(await scrapeNow()).toMatchObject(unharmed);
  });
});

describe("a body", () => {
  test("that is larger than a request needs is refused, wherever it is sent", async () => {
    const body = JSON.stringify({ selector: "x".repeat(2 * 2 ** 20), url: "x", query: "x" });
    for (const path of [scrapePath(), "/control/sessions", "/api/automation/start"]) {
      const headers = { authorization: `Bearer ${running.service.apiKey}`, "content-type": "application/json" };
      for (let nth = 0; nth < 5; nth++) {
        const response = await fetch(`${running.service.url}${path}`, { method: "POST", headers, body });
        expect(response.status).toBe(413);
        await response.arrayBuffer();
        expect((await running.ask("GET", "/control/sessions")).status).toBe(200); // on the same connection
      }
    }
    expect(await scrapeNow()).toMatchObject(unharmed);
  });

  test("that says to be larger than anything is not waited for", async () => {
    const head = lines(scrapeLine(), ownHost(), authorization(), "Content-Length: 99999999999999");
    const begun = performance.now();
    const answer = await sendRaw(running.service.url, head, "x".repeat(3 * 2 ** 20));
    expect(listStatuses(answer)).toEqual([413]);
    expect(performance.now() - begun).toBeLessThan(30_000);
  });

  test("of chunks without end is refused where it is too much", async () => {
    const socket = connectTo(running.service.url);
    let received = "";
    let sent = 0;
    socket.on("data", (chunk) => (received += chunk.toString()));
    const closed = waitForClose(socket);
    socket.write(lines(scrapeLine(), ownHost(), authorization(), "Transfer-Encoding: chunked"));
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    while (!socket.destroyed && sent < 256 * 2 ** 20) {
      sent += chunk.length;
      if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
    }
    socket.destroy();
    await closed;
    expect(sent).toBeLessThan(64 * 2 ** 20);
    expect([[], [413]]).toContainEqual(listStatuses(received));
    expect(await scrapeNow()).toMatchObject(unharmed);
  });

  test("that arrives slowly does not delay other requests", async () => {
    const sockets = Array.from({ length: 200 }, () => connectTo(running.service.url));
    for (const socket of sockets) {
      socket.write(`${lines(scrapeLine(), ownHost(), authorization(), "Content-Length: 100")}{`);
    }
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    expect(await scrapeNow()).toMatchObject(unharmed);
    for (const socket of sockets) socket.destroy();
  });

  test("nested 100,000 deep is no fault of the service", async () => {
    const headers = { authorization: `Bearer ${running.service.apiKey}` };
    const body = "[".repeat(100_000) + "]".repeat(100_000);
    expect((await fetch(`${running.service.url}${scrapePath()}`, { method: "POST", headers, body })).status).toBe(422);
  });

  const bodies: readonly [string, string | Uint8Array<ArrayBuffer>, number][] = [
    [
      "a schema nested 10,000 deep",
      `{"response_format":${'{"properties":{"a":'.repeat(10_000)}{}${"}}".repeat(10_000)}}`,
      200,
    ],
    ["of 100,000 properties", `{${Array.from({ length: 50_000 }, (_, n) => `"p${n}":1`).join()}}`, 422],
    ["that names what objects inherit", '{"__proto__":{"selector":"h1"},"constructor":1}', 422],
    ["that is not UTF-8", new Uint8Array([0x22, 0xff, 0xfe, 0x22]), 422],
    ["with a selector of 500,000 characters", JSON.stringify({ selector: "a >> ".repeat(100_000) }), 422],
    ["with a selector that takes long", JSON.stringify({ selector: `${":has(*) ".repeat(200)}*` }), 200],
    [
      "with a pattern that takes for ever",
      JSON.stringify({
        response_format: { type: "object", properties: { name: { type: "string", pattern: "^(a+)+$" } } },
      }),
      200,
    ],
    [
      "with 100,000 ignored tags",
      JSON.stringify({ ignored_tags: Array.from({ length: 100_000 }, (_, n) => `t${n}`) }),
      200,
    ],
  ];
  test.each(bodies)("%s is answered in bounded time", async (_, body, expected) => {
    const begun = performance.now();
    const headers = { authorization: `Bearer ${running.service.apiKey}` };
    const response = await fetch(`${running.service.url}${scrapePath()}`, { method: "POST", headers, body });
    const text = await response.text();
    expect({ status: response.status, text: text.slice(0, 500) }).toMatchObject({ status: expected });
    expect(text.length).toBeLessThan(16 * 2 ** 20);
    expect(performance.now() - begun).toBeLessThan(30_000);
    expect(await scrapeNow()).toMatchObject(unharmed);
  });
});

test.each(["h2c", "TLS/1.3, h2c", "websocket-but-not-quite"])(
  "a request that offers to go on in %s is answered as if it did not",
  async (protocol) => {
    const offer = ["Connection: Upgrade, HTTP2-Settings, close", `Upgrade: ${protocol}`, "HTTP2-Settings: AAMAAABkAAQ"];
    const health = await sendRaw(running.service.url, lines("GET /health HTTP/1.1", ownHost(), ...offer));
    expect(health).toContain('{"status":"ok"');
    const head = [scrapeLine(), ownHost(), authorization(), ...offer, "Content-Length: 2"];
    expect(await sendRaw(running.service.url, `${lines(...head)}{}`)).toContain(unharmed.markdown);
  },
);
