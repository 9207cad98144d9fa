import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionView } from "../src/control/session-view.ts";
import { startTestService, type TestService } from "./running-service.ts";
import { startSite, type Site } from "./site.ts";

let running: TestService;
let site: Site;
/** A session that minds its own business. */
let own: SessionView;
let other: SessionView;

beforeAll(async () => {
  running = await startTestService();
  site = await startSite({ "/": "<title>Ferries</title><h1>Harbour ferries</h1>" });
  [own, other] = await Promise.all([running.open({ url: `${site.url}/` }), running.open()]);
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

/** The service goes on, and so does its session. */
async function expectUnharmed(): Promise<void> {
  const scraped = await running.ask("POST", `/sessions/${own.session_id}/page/scrape`, {});
  expect(scraped.status).toBe(200);
  expect(await scraped.json()).toMatchObject({ markdown: "# Harbour ferries" });
}

/** Resolves when a connection is closed, however it ended. */
function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

/** Sends bytes as they are; gives what comes back until the service closes the connection. */
async function sendRaw(...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  const socket = connect(Number(new URL(running.service.url).port), "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString("latin1")));
  socket.on("error", () => undefined);
  const closed = closeOf(socket);
  for (const piece of pieces) socket.write(piece);
  await closed;
  return received;
}

const lines = (...all: readonly string[]): string => `${all.join("\r\n")}\r\n\r\n`;
const statusOf = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
const authorization = (): string => `Authorization: Bearer ${running.service.apiKey}`;

describe("HTTP that is none", () => {
  const scrape = (): string => `POST /sessions/${own.session_id}/page/scrape HTTP/1.1`;
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
      () => [lines(scrape(), "Host: a", authorization(), "Content-Length: 2", "Content-Length: 40") + `{}${smuggled}`],
      [400],
    ],
    [
      "a length and chunks",
      () => [
        lines(scrape(), "Host: a", authorization(), "Content-Length: 4", "Transfer-Encoding: chunked") +
          `0\r\n\r\n${smuggled}`,
      ],
      [400],
    ],
    [
      "chunks in disguise",
      () => [lines(scrape(), "Host: a", authorization(), "Transfer-Encoding: xchunked") + `0\r\n\r\n${smuggled}`],
      [400, 501],
    ],
    [
      "a chunk without a length",
      () => [lines(scrape(), "Host: a", authorization(), "Transfer-Encoding: chunked") + `zz\r\n{}\r\n0\r\n\r\n`],
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
    [
      "an upgrade to another protocol",
      () => [lines("GET /health HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: h2c")],
      [400, 404, 426],
    ],
  ];
  test.each(cases)("%s is refused once, and nothing behind it is read", async (_, request, expected) => {
    const answer = await sendRaw(...request());
    const statuses = statusOf(answer);
    // A connection that is closed without a word is an answer, too.
    expect(statuses.length).toBeLessThanOrEqual(1);
    for (const status of statuses) expect(expected).toContain(status);
    expect(answer).not.toContain('"sessions"');
    expect(answer).not.toContain(running.service.apiKey);
    await expectUnharmed();
  });
});

describe("a body", () => {
  const scrape = (): string => `/sessions/${own.session_id}/page/scrape`;

  test("that is larger than a request needs is refused, wherever it is sent", async () => {
    const body = JSON.stringify({ selector: "x".repeat(4 * 2 ** 20), url: "x", query: "x" });
    for (const path of [scrape(), "/control/sessions", "/api/automation/start"]) {
      const headers = { authorization: `Bearer ${running.service.apiKey}`, "content-type": "application/json" };
      const response = await fetch(`${running.service.url}${path}`, { method: "POST", headers, body }).catch(
        () => undefined,
      );
      // It may be told while it is still being sent, which clients take for a broken connection.
      expect([413, undefined]).toContain(response?.status);
    }
    await expectUnharmed();
  });

  test("that says to be larger than anything is not waited for", async () => {
    const head = lines(`POST ${scrape()} HTTP/1.1`, "Host: a", authorization(), "Content-Length: 99999999999999");
    const begun = performance.now();
    const answer = await sendRaw(head, "x".repeat(3 * 2 ** 20));
    expect(statusOf(answer)).toEqual([413]);
    expect(performance.now() - begun).toBeLessThan(30_000);
  });

  test("of chunks without end is refused where it is too much", async () => {
    const socket = connect(Number(new URL(running.service.url).port), "127.0.0.1");
    let received = "";
    let sent = 0;
    socket.on("data", (chunk) => (received += chunk.toString()));
    socket.on("error", () => undefined);
    const closed = closeOf(socket);
    socket.write(lines(`POST ${scrape()} HTTP/1.1`, "Host: a", authorization(), "Transfer-Encoding: chunked"));
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    while (!socket.destroyed && sent < 256 * 2 ** 20) {
      sent += chunk.length;
      if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
    }
    socket.destroy();
    await closed;
    expect(sent).toBeLessThan(64 * 2 ** 20);
    expect([[], [413]]).toContainEqual(statusOf(received));
    await expectUnharmed();
  });

  test("that comes slowly keeps nobody else waiting", async () => {
    const sockets = Array.from({ length: 200 }, () => connect(Number(new URL(running.service.url).port), "127.0.0.1"));
    for (const socket of sockets) {
      socket.on("error", () => undefined);
      socket.write(`${lines(`POST ${scrape()} HTTP/1.1`, "Host: a", authorization(), "Content-Length: 100")}{`);
    }
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    await expectUnharmed();
    for (const socket of sockets) socket.destroy();
  });

  const bodies: readonly [string, string | Uint8Array, number][] = [
    ["nested 100,000 deep", "[".repeat(100_000) + "]".repeat(100_000), 422],
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
    const response = await fetch(`${running.service.url}${scrape()}`, { method: "POST", headers, body });
    const text = await response.text();
    expect(response.status, text.slice(0, 500)).toBe(expected);
    expect(text.length).toBeLessThan(16 * 2 ** 20);
    expect(performance.now() - begun).toBeLessThan(30_000);
    await expectUnharmed();
  });
});

describe("a credential of one session", () => {
  const tokenOf = ({ cdp_url: address }: SessionView): string => new URL(address ?? "").searchParams.get("token") ?? "";

  /** Asks for a websocket; gives the status of the answer. */
  async function upgrade(path: string, ...headers: readonly string[]): Promise<number | undefined> {
    const socket = connect(Number(new URL(running.service.url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    socket.write(
      lines(
        `GET ${path} HTTP/1.1`,
        "Host: a",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        key,
        ...headers,
      ),
    );
    const first = await Promise.race([once(socket, "data").catch(() => []), closeOf(socket).then(() => [])]);
    socket.destroy();
    return statusOf(String(first[0]))[0];
  }
  const drive = ({ session_id: id }: SessionView): string => `/control/sessions/${id}/cdp`;

  test("drives that one, and the API key any", async () => {
    expect(await upgrade(`${drive(own)}?token=${tokenOf(own)}`)).toBe(101);
    expect(await upgrade(drive(own), authorization())).toBe(101);
    await expectUnharmed();
  });

  test("drives no other one, and nothing else does", async () => {
    const token = tokenOf(own);
    const wrong = [
      "",
      token.slice(1),
      `${token}x`,
      token.toUpperCase(),
      tokenOf(other),
      "null",
      "%00",
      "x".repeat(10_000),
    ];
    for (const one of wrong) expect(await upgrade(`${drive(own)}?token=${one}`)).toBe(401);
    expect(await upgrade(drive(own))).toBe(401);
    expect(await upgrade(drive(own), "Authorization: Bearer wrong")).toBe(401);
    expect(await upgrade(`${drive(own)}?token=wrong&token=${token}`)).toBe(401);
    expect(await upgrade(`/control/sessions/no-such/cdp?token=${token}`)).toBe(401);
    expect(await upgrade("/control/sessions/no-such/cdp", authorization())).toBe(404);
    for (const path of [
      "/",
      "/health",
      "/control/sessions",
      `${drive(own)}/..`,
      `//${drive(own)}`,
      "/devtools/browser",
      "/json/version",
    ]) {
      expect([400, 401, 404]).toContain(await upgrade(path, authorization()));
    }
  });

  test("is not one to look at a session, to read it, or to ask for anything", async () => {
    const token = tokenOf(own);
    for (const part of ["page", "state", "pictures"]) {
      for (const one of [token, "", "wrong"]) {
        const response = await fetch(`${running.service.url}/viewer/${own.session_id}/${part}?token=${one}`);
        expect(response.status).toBe(403);
      }
    }
    for (const path of [
      `/sessions/${own.session_id}/cookies`,
      "/control/sessions",
      `/control/sessions/${own.session_id}`,
    ]) {
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${running.service.url}${path}?token=${token}`, { headers })).status).toBe(401);
    }
  });

  test("of a session that has ended drives nothing", async () => {
    const third = await running.open();
    await running.end(third.session_id);
    expect(await upgrade(`${drive(third)}?token=${tokenOf(third)}`)).toBe(409);
  });
});

describe("an address of a recording", () => {
  test("leads to no other file of the machine, with whatever tricks", async () => {
    const { session_id: id } = await running.open();
    await running.end(id);
    let response: Response;
    do response = await running.ask("GET", `/sessions/${id}/replay`);
    while (response.status === 409);
    const { mp4_url: address } = (await response.json()) as { mp4_url: string };
    expect((await fetch(address)).status).toBe(200);
    const { search } = new URL(address);
    const paths = [
      `/recordings/${id}/recording.json`,
      `/recordings/${id}/../../signing.secret`,
      `/recordings/${id}/..%2f..%2fsigning.secret`,
      `/recordings/${id}/replay%2freplay.mp4`,
      `/recordings/${id}/%2e%2e/%2e%2e/api-key.secret`,
      "/recordings/../signing.secret",
      "/recordings/..%5c..%5csigning.secret",
      `/recordings/${other.session_id}/replay.mp4`,
      `/recordings/${id}/replay.mp4%00.json`,
      `/recordings/${id}/segment-000000.ts`,
      `/recordings//${id}/replay.mp4/`,
      "//etc/passwd",
      `/recordings/${id}/replay.mp4/../../../signing.secret`,
    ];
    for (const path of paths) {
      const answer = await sendRaw(lines(`GET ${path}${search} HTTP/1.1`, "Host: a", "Connection: close"));
      expect([400, 401, 403, 404], path).toContain(statusOf(answer)[0]);
      expect(answer).not.toMatch(/ftyp|root:/);
    }
    for (const query of [
      "",
      "?expires=99999999999999",
      search.replace(/expires=\d+/, "expires=99999999999999"),
      `${search}&expires=1`,
    ]) {
      expect((await fetch(`${address.split("?", 1)[0]}${query}`)).status).toBe(403);
    }
    for (const method of ["POST", "PUT", "DELETE"]) expect((await fetch(address, { method })).ok).toBe(false);
  });
});

describe("a session can't be opened on", () => {
  const addresses = [
    "file:///etc/passwd",
    "FILE:/etc/passwd",
    "view-source:file:///etc/passwd",
    "chrome://crash",
    "chrome://version",
    "about:version",
    "devtools://devtools/bundled/inspector.html",
    "javascript:alert(1)",
    "data:text/html,<h1>a",
    "blob:http://127.0.0.1/a",
    "ftp://127.0.0.1/",
    "ws://127.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://metadata.google.internal/",
    "http://[::ffff:169.254.169.254]/",
    "http://0xa9fea9fe/",
    "http://2852039166/",
    "http://10.0.0.1/",
    "http://192.168.0.1/",
    "http://0.0.0.0/",
    "http://[::]/",
    "http://100.64.0.1/",
  ];
  test.each(addresses)("%s", async (url) => {
    const response = await running.ask("POST", "/control/sessions", { url });
    const { detail } = (await response.json()) as { detail: { loc: string[] }[] };
    // A name that this machine does not know is not refused, but not found.
    expect(url.includes("metadata.google") ? [422, 502] : [422]).toContain(response.status);
    if (response.status === 422) expect(detail[0]?.loc).toEqual(["body", "url"]);
  });

  test("the service itself, though this machine is allowed", async () => {
    for (const path of ["/health", "/control/sessions"]) {
      const response = await running.ask("POST", "/control/sessions", { url: `${running.service.url}${path}` });
      expect(response.status).toBe(422);
    }
    expect(((await (await fetch(`${running.service.url}/health`)).json()) as { sessions: number }).sessions).toBe(2);
  });
});
