import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { waitForClose, connectTo, lines, sendRaw, listStatuses } from "../raw-http.ts";
import { startTestService, type TestService } from "../running-service.ts";

let running: TestService;
let own: SessionView;
let other: SessionView;

beforeAll(async () => {
  running = await startTestService();
  [own, other] = await Promise.all([running.open(), running.open()]);
});
afterAll(() => running?.[Symbol.asyncDispose]());

const authorization = (): string => `Authorization: Bearer ${running.service.apiKey}`;

function getToken({ cdp_url: address }: SessionView): string {
  return new URL(address ?? "").searchParams.get("token") ?? "";
}

function drive({ session_id: id }: SessionView): string {
  return `/control/sessions/${id}/cdp`;
}

const upgradeHeaders = [
  "Host: localhost:PORT",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

/** Asks for a WebSocket; gives the status of the answer. */
async function upgrade(path: string, ...headers: readonly string[]): Promise<number | undefined> {
  const socket = connectTo(running.service.url);
  const head = lines(`GET ${path} HTTP/1.1`, ...upgradeHeaders, ...headers);
  socket.write(head.replace("PORT", new URL(running.service.url).port));
  const [first] = await Promise.race([once(socket, "data").catch(() => []), waitForClose(socket).then(() => [])]);
  socket.destroy();
  return listStatuses(String(first))[0];
}

describe("a credential of one session", () => {
  test("drives that one, and the API key any", async () => {
    expect(await upgrade(`${drive(own)}?token=${getToken(own)}`)).toBe(101);
    expect(await upgrade(drive(own), authorization())).toBe(101);
  });

  test("drives no other one, and nothing else does", async () => {
    const token = getToken(own);
    const wrong = [
      "",
      token.slice(1),
      `${token}x`,
      token.toUpperCase(),
      getToken(other),
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
    const token = getToken(own);
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
    expect(await upgrade(`${drive(third)}?token=${getToken(third)}`)).toBe(409);
  });
});

describe("an address of a recording", () => {
  test("leads to no other file of the machine, with whatever tricks", async () => {
    const { session_id: id } = await running.open();
    await running.end(id);
    let response: Response;
    do response = await running.ask("GET", `/sessions/${id}/replay`);
    while (response.status === 409);
    const { mp4_url: address }: { mp4_url: string } = await response.json();
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
      const answer = await sendRaw(
        running.service.url,
        lines(`GET ${path}${search} HTTP/1.1`, `Host: ${new URL(running.service.url).host}`, "Connection: close"),
      );
      expect(`${path}: ${listStatuses(answer)[0]}`).toMatch(/: 40[0134]$/);
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
    const { detail }: { detail: { loc?: string[] }[] } = await response.json();
    // A name that this machine does not know is not refused, but not found.
    const named = url.includes("metadata.google");
    expect([422, named ? 502 : 422]).toContain(response.status);
    expect(named || detail[0]?.loc?.join(".") === "body.url").toBe(true);
  });

  test("the service itself, though this machine is allowed", async () => {
    for (const path of ["/health", "/control/sessions"]) {
      const response = await running.ask("POST", "/control/sessions", { url: `${running.service.url}${path}` });
      expect(response.status).toBe(422);
    }
    expect(await (await fetch(`${running.service.url}/health`)).json()).toMatchObject({ sessions: 2 });
  });
});
