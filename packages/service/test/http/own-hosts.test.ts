import { describe, expect, test } from "vitest";
import { makeHostGuard, type HostSettings } from "../../src/http/own-hosts.ts";
import { ServiceError } from "../../src/service-error.ts";
import { lines, sendRaw, listStatuses } from "../raw-http.ts";
import { startTestService } from "../running-service.ts";

const onLoopback: HostSettings = { host: "127.0.0.1", port: 8090, publicUrl: undefined, allowed: [] };
const everywhere: HostSettings = { ...onLoopback, host: "0.0.0.0" };
const proxied: HostSettings = { ...onLoopback, publicUrl: "https://browsers.example.com/cloud" };
const allowing: HostSettings = { ...onLoopback, allowed: ["inner.example", "Tunnel.example:9000", "[fd00::1]"] };

/** The status that a request is refused with; undefined: it is not. */
function judged(settings: HostSettings, host: string | undefined, origin?: string): number | undefined {
  return makeHostGuard(settings)({ host, origin })?.status;
}

describe("a host that is the service's own", () => {
  test.each<[settings: HostSettings, host: string | undefined]>([
    [onLoopback, "127.0.0.1:8090"],
    [onLoopback, "localhost:8090"],
    [onLoopback, "LOCALHOST:8090"],
    [onLoopback, "service.localhost:8090"],
    [onLoopback, "127.1.2.3:8090"],
    [onLoopback, "[::1]:8090"],
    [onLoopback, undefined],
    [{ ...onLoopback, host: "::1" }, "[::1]:8090"],
    [{ ...onLoopback, port: 80 }, "localhost"],
    [proxied, "browsers.example.com"],
    [proxied, "browsers.example.com:443"],
    [proxied, "127.0.0.1:8090"],
    [allowing, "inner.example"],
    [allowing, "inner.example:1234"],
    [allowing, "tunnel.example:9000"],
    [allowing, "[fd00::1]:8090"],
    [everywhere, "0.0.0.0:8090"],
    [everywhere, "192.168.1.7:9000"],
    [everywhere, "[fd00::2]:8090"],
    [everywhere, "cloud-browser:8090"],
    [everywhere, "localhost:9000"],
    [{ ...everywhere, host: "browsers.lan.example" }, "browsers.lan.example:8090"],
  ])("%j: %s", (settings, host) => expect(judged(settings, host)).toBeUndefined());
});

describe("a foreign host, as in DNS rebinding", () => {
  test.each<[settings: HostSettings, host: string]>([
    [onLoopback, "evil.example"],
    [onLoopback, "evil.example:8090"],
    [onLoopback, "localhost.evil.example:8090"],
    [onLoopback, "127.0.0.1.evil.example:8090"],
    [onLoopback, "localhost:9000"],
    [onLoopback, "127.0.0.1"],
    [onLoopback, "0.0.0.0:8090"],
    [onLoopback, "192.168.1.7:8090"],
    [onLoopback, "localhost:8090@evil.example"],
    [onLoopback, "evil.example/localhost:8090"],
    [onLoopback, ""],
    [proxied, "evil.browsers.example.com"],
    [allowing, "tunnel.example:9001"],
    [allowing, "outer.example"],
    [everywhere, "evil.example:8090"],
    [everywhere, "cloud-browser.evil.example"],
  ])("%j: %s", async (settings, host) => {
    const answer = makeHostGuard(settings)({ host, origin: undefined });
    expect(answer?.status).toBe(421);
    expect(await answer?.text()).toMatch(/allowed hosts/u);
  });
});

describe("an origin", () => {
  test.each<[origin: string, settings: HostSettings, host: string]>([
    ["http://127.0.0.1:8090", onLoopback, "127.0.0.1:8090"],
    ["http://localhost:8090", onLoopback, "127.0.0.1:8090"],
    ["https://browsers.example.com", proxied, "127.0.0.1:8090"],
    ["https://browsers.example.com", proxied, "browsers.example.com"],
    ["https://inner.example", allowing, "localhost:8090"],
    ["http://cloud-browser:9000", everywhere, "cloud-browser:9000"],
    ["devtools://devtools", onLoopback, "localhost:8090"],
  ])("of the service's own pages may use it: %s", (origin, settings, host) =>
    expect(judged(settings, host, origin)).toBeUndefined(),
  );

  test.each<[origin: string, settings: HostSettings]>([
    ["https://evil.example", onLoopback],
    ["http://localhost:3000", onLoopback],
    ["http://127.0.0.1", onLoopback],
    ["null", onLoopback],
    ["", onLoopback],
    ["file://", onLoopback],
    ["chrome-extension://abcdefgh", onLoopback],
    ["https://evil.example", everywhere],
    ["https://evil.example", proxied],
  ])("of another key may not: %s", async (origin, settings) => {
    const answer = makeHostGuard(settings)({ host: "localhost:8090", origin });
    expect(answer?.status).toBe(403);
    expect(await answer?.text()).toMatch(/allowed hosts/u);
  });
});

test.each(["https://a.example", "a b", "a/b", ""])("a malformed allowed host is refused: %j", (text) =>
  expect(() => makeHostGuard({ ...onLoopback, allowed: [text] })).toThrow(ServiceError),
);

test("a running service refuses foreign hosts on all paths, WebSockets included, and serves its own", async () => {
  await using running = await startTestService({ allowedHosts: ["tunnel.example"] });
  const { session_id: id, cdp_url: cdpUrl } = await running.open();
  const { host, port } = new URL(running.service.url);
  const drive = new URL(cdpUrl ?? "");
  const upgrade = [
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  ];
  const key = `Authorization: Bearer ${running.service.apiKey}`;
  const ask = async (path: string, ...headers: string[]): Promise<number | undefined> =>
    listStatuses(await sendRaw(running.service.url, lines(`GET ${path} HTTP/1.1`, ...headers, "Connection: close")))[0];
  for (const path of ["/health", "/control/sessions", `/sessions/${id}/cookies`, "/control/openapi.json"]) {
    expect([path, await ask(path, `Host: evil.example:${port}`, key)]).toEqual([path, 421]);
    expect([path, await ask(path, `Host: ${host}`, key, "Origin: https://evil.example")]).toEqual([path, 403]);
    for (const own of [host, "tunnel.example"])
      // Health is 503 while the machine leaves this process no time.
      await expect.poll(async () => [path, await ask(path, `Host: ${own}`, key)]).toEqual([path, 200]);
  }
  const socketPath = `${drive.pathname}${drive.search}`;
  expect(await ask(socketPath, `Host: evil.example:${port}`, ...upgrade)).toBe(421);
  expect(await ask(socketPath, `Host: ${host}`, "Origin: https://evil.example", ...upgrade)).toBe(403);
  // Players on any page may read recordings: what protects those is their signature.
  expect(await ask(`/recordings/${id}/replay.mp4`, `Host: ${host}`, "Origin: https://player.example")).toBe(403);
  const response = await fetch(`${running.service.url}/recordings/${id}/replay.mp4`, {
    headers: { origin: "https://player.example" },
  });
  expect(await response.json()).toEqual({ detail: expect.stringContaining("missing signature") });
});
