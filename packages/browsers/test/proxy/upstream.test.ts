import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { EgressProxy } from "../../src/proxy/egress-proxy.ts";
import { readProxy, type ProxySettings } from "../../src/proxy/upstream/upstream-proxy.ts";
import { startHttpProxy, startSocksProxy, type TestProxy } from "./proxies.ts";
import { connectRaw } from "./raw-client.ts";
import { get, noAnswer, serve, startGuard } from "./servers.ts";

const names: Readonly<Record<string, readonly string[]>> = {
  "site.test": ["93.184.216.34"],
  "two.test": ["93.184.216.34", "93.184.216.35"],
  "inner.test": ["10.0.0.1"],
  "v6.test": ["2606:2800:220:1::1"],
};
const options = { allow: ["127.0.0.1"], resolve: async (name: string) => names[name] ?? [] };
const secret = { username: "somebody", password: "hunter2 \u00FC:" };

const kinds = [
  ["http", startHttpProxy],
  ["socks5", startSocksProxy],
] as const;

/** Starts a site, a proxy that leads to it, and the way through that. */
async function startThrough(
  kind: "http" | "socks5",
  behavior: Omit<Parameters<typeof startHttpProxy>[0], "to"> = {},
  settings: Partial<ProxySettings> = {},
): Promise<{
  readonly guard: EgressProxy;
  readonly way: { readonly proxyServer: string };
  readonly proxy: TestProxy;
  readonly hosts: string[];
}> {
  const hosts: string[] = [];
  const to = await serve((request, response) => {
    hosts.push(request.headers.host ?? "");
    response.end("hello");
  });
  const proxy = await (kind === "http" ? startHttpProxy : startSocksProxy)({ to, ...behavior });
  const { guard } = await startGuard({ ...options, allow: [`127.0.0.1:${proxy.port}`] });
  const way = await guard.openProxied(readProxy({ server: `${kind}://127.0.0.1:${proxy.port}`, ...settings }));
  return { guard, way, proxy, hosts };
}

describe.each(kinds)("through a proxy of %s", (kind) => {
  const writeHost = (address: string, port: number): string =>
    kind === "http" ? `${address}:${port}` : `${address.includes(":") ? 4 : 1} ${address}:${port}`;

  test("a request goes to an address that was checked here, and the site sees its own name", async () => {
    const { way, proxy, hosts } = await startThrough(kind);
    const client = connectRaw(way, get("http://site.test/"));
    await client.until(/hello/);
    client.socket.destroy();
    expect([proxy.hosts, hosts]).toEqual([[writeHost("93.184.216.34", 80)], ["site.test"]]);
  });

  test("a tunnel does, too, and nothing of what is in it is changed", async () => {
    const { way, proxy } = await startThrough(kind);
    const client = connectRaw(way, "CONNECT site.test:443 HTTP/1.1\r\n\r\n");
    await client.until(/200 Connection established/);
    client.socket.write("GET / HTTP/1.1\r\nHost: inside.test\r\n\r\n");
    await client.until(/hello/);
    client.socket.destroy();
    expect(proxy.hosts).toEqual([writeHost("93.184.216.34", 443)]);
  });

  test.each(["inner.test", "10.0.0.1", "localhost", "169.254.169.254", "[::1]", "unknown.test"])(
    "the guard stays in force: %s",
    async (host) => {
      const { way, proxy } = await startThrough(kind);
      expect(await connectRaw(way, get(`http://${host}/`)).waitForClose()).toContain("502");
      expect(await connectRaw(way, `CONNECT ${host}:443 HTTP/1.1\r\n\r\n`).waitForClose()).toContain("502");
      expect(proxy.hosts).toEqual([]);
    },
  );

  test("credentials are sent, and in no error, whatever is inspected of it", async () => {
    const needs = `${secret.username}:${secret.password}`;
    const { way, proxy } = await startThrough(kind, { needs }, secret);
    const client = connectRaw(way, get("http://site.test/"));
    await client.until(/hello/);
    client.socket.destroy();
    expect(proxy.credentials).toEqual([needs]);
    const wrong = await startThrough(kind, { needs: "x:y" }, secret);
    expect(await connectRaw(wrong.way, get("http://site.test/")).waitForClose()).toBe(noAnswer);
    expect(wrong.guard.renameError("https://site.test/", "net::ERR_TUNNEL_CONNECTION_FAILED")).not.toContain("AUTH");
    expect(wrong.guard.renameError("http://site.test/", "net::ERR_RESPONSE_HEADERS_MULTIPLE_CONTENT_LENGTH")).toBe(
      "net::ERR_PROXY_AUTH_REQUESTED",
    );
    expect(inspect([wrong.guard, wrong.way], { depth: 20, showHidden: true })).not.toContain("hunter2");
  });

  test("one that needs credentials, and is given none, is told as that", async () => {
    const { guard, way } = await startThrough(kind, { needs: "x:y" });
    await connectRaw(way, "CONNECT site.test:443 HTTP/1.1\r\n\r\n").waitForClose();
    expect(guard.renameError("https://site.test/", "net::ERR_TUNNEL_CONNECTION_FAILED")).toBe(
      "net::ERR_PROXY_AUTH_REQUESTED",
    );
  });

  test("one that refuses a host is asked for its other addresses, and told as that", async () => {
    const { guard, way, proxy } = await startThrough(kind, { refuses: kind === "http" ? 403 : 2 });
    await connectRaw(way, "CONNECT two.test:443 HTTP/1.1\r\n\r\n").waitForClose();
    expect(proxy.hosts).toEqual([writeHost("93.184.216.34", 443), writeHost("93.184.216.35", 443)]);
    expect(guard.renameError("https://two.test/", "net::ERR_TUNNEL_CONNECTION_FAILED")).toBe(
      "net::ERR_TUNNEL_CONNECTION_FAILED",
    );
  });

  test("names are told to one that resolves them, and neither local names nor addresses that are not global", async () => {
    const { way, proxy } = await startThrough(kind, {}, { dns: "proxy" });
    const client = connectRaw(way, get("http://unknown.test:8080/"));
    await client.until(/hello/);
    client.socket.destroy();
    for (const host of ["localhost", "a.localhost", "10.0.0.1"])
      await connectRaw(way, `CONNECT ${host}:443 HTTP/1.1\r\n\r\n`).waitForClose();
    expect(proxy.hosts).toEqual([kind === "http" ? "unknown.test:8080" : "3 unknown.test:8080"]);
  });
});

test("an IPv6 address is written as such", async () => {
  const { way, proxy } = await startThrough("http");
  const client = connectRaw(way, "CONNECT v6.test:443 HTTP/1.1\r\n\r\n");
  await client.until(/200/);
  client.socket.destroy();
  expect(proxy.hosts).toEqual(["[2606:2800:220:1::1]:443"]);
});

test("what a proxy sends with its answer is not lost", async () => {
  const { way } = await startThrough("http", { early: "early words" });
  const client = connectRaw(way, "CONNECT site.test:443 HTTP/1.1\r\n\r\n");
  expect(await client.until(/established\r\n\r\nearly words/)).toHaveLength(1);
  client.socket.destroy();
});

test("what is no proxy of its kind is told as a refusal", async () => {
  const port = await serve((_, response) => response.end("a page"));
  const { guard } = await startGuard(options);
  const way = await guard.openProxied(readProxy({ server: `socks5://127.0.0.1:${port}` }));
  await connectRaw(way, "CONNECT site.test:443 HTTP/1.1\r\n\r\n").waitForClose();
  const tls = guard.openProxied(readProxy({ server: `https://127.0.0.1:${port}` }));
  await expect(tls).rejects.toMatchObject({ code: "page-failed", message: expect.stringContaining("TLS") });
});

test.each([
  ["a private address", "http://10.0.0.1:3128", "address-refused"],
  ["a name that leads to one", "socks5://inner.test:1080", "address-refused"],
  ["a name without an address", "http://unknown.test:1", "page-failed"],
  ["nobody who listens", "http://127.0.0.1:1", "page-failed"],
])("a proxy at %s can't be used", async (_, server, code) => {
  const { guard } = await startGuard(options);
  await expect(guard.openProxied(readProxy({ server, ...secret }))).rejects.toMatchObject({ code });
});

test("the port of a way is no way for the pages of others, and ends with it", async () => {
  const { guard, way, proxy } = await startThrough("http");
  const port = new URL(way.proxyServer).port;
  expect(await connectRaw(guard, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`).waitForClose()).toContain("502");
  await guard.close();
  expect(proxy.hosts).toEqual([]);
});

describe("settings", () => {
  test.each([
    ["http://a.test", "a.test:80"],
    ["HTTPS://a.test/", "a.test:443"],
    ["socks5://a.test", "a.test:1080"],
    ["socks5://a.test:80", "a.test:80"],
    ["http://[2606::1]:8080", "[2606::1]:8080"],
    ["http://b\u00FCcher.test:1", "xn--bcher-kva.test:1"],
  ])("%s", (server, authority) => expect(readProxy({ server }).authority).toBe(authority));

  test.each([
    [{ server: "" }],
    [{ server: "a.test:80" }],
    [{ server: "ftp://a.test" }],
    [{ server: "socks4://a.test" }],
    [{ server: "http://a.test/path" }],
    [{ server: "http://a.test?x" }],
    [{ server: "http://a.test:0" }],
    [{ server: "http://a.test:65536" }],
    [{ server: "http://0x7f.1:80" }],
    [{ server: "http://somebody:hunter2@a.test" }],
    [{ server: "http://a.test\r\nX: hunter2" }],
    [{ server: "http://a.test", password: "hunter2" }],
    [{ server: "http://a.test", username: "a:b", password: "hunter2" }],
    [{ server: "socks5://a.test", username: "a", password: "hunter2".repeat(40) }],
  ])("that are malformed are refused, and not repeated: %j", (settings) => {
    let thrown: unknown;
    try {
      readProxy(settings);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: "usage" });
    expect(inspect(thrown, { depth: 9 })).not.toContain("hunter2");
  });
});
