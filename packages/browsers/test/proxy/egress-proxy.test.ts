import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { connectRaw } from "./raw-client.ts";
import { get, listen, noAnswer, serve, serveRaw, startGuard, readStatus } from "./servers.ts";

const ownNetworks = (): { address: string; bits: number }[] => [{ address: "9.9.9.9", bits: 24 }];

describe("refused addresses", () => {
  test.each([
    ["a loopback address", "http://127.0.0.1:PORT/", "not-global"],
    ["IPv6's loopback address", "http://[::1]:PORT/", "not-global"],
    ["a mapped address", "http://[::ffff:127.0.0.1]:PORT/", "not-global"],
    ["a hexadecimal address", "http://0x7f.1:PORT/", "odd-host"],
    ["a number", "http://2130706433:PORT/", "odd-host"],
    ["octal", "http://0177.0.0.1:PORT/", "odd-host"],
    ["an address with a dot", "http://127.0.0.1.:PORT/", "odd-host"],
    ["a user before the host", "http://example.com@127.0.0.1:PORT/", "odd-host"],
    ["localhost", "http://localhost:PORT/", "not-global"],
    ["localhost with a dot", "http://localhost.:PORT/", "not-global"],
    ["a name below localhost", "http://a.localhost:PORT/", "not-global"],
    ["a name that leads to loopback", "http://inside.test:PORT/", "not-global"],
    ["a name that leads to an address with a zone", "http://zone.test:PORT/", "not-global"],
    ["a name without addresses", "http://nowhere.test:PORT/", "unresolvable"],
    ["a name that takes too long", "http://slow.test:PORT/", "unresolvable"],
    ["the guard's own port", "http://listed.test:OWN/", "forbidden-port"],
    ["a forbidden port", "http://listed.test:PORT/", "forbidden-port"],
  ])("%s", async (_name, address, reason) => {
    let touched = 0;
    const port = await serveRaw(() => (touched += 1));
    const { guard, refusals } = await startGuard({
      allow: ["listed.test"],
      isForbiddenPort: (_address, requested) => requested === port,
      limits: { lookupMs: 200 },
      resolve: async (name) => {
        if (name === "slow.test") await new Promise(() => undefined);
        if (name === "nowhere.test") throw new Error("ENOTFOUND");
        return [name === "zone.test" ? "fe80::1%lo" : "127.0.0.1"];
      },
    });
    const own = new URL(guard.proxyServer).port;
    const client = connectRaw(guard, get(address.replace("PORT", String(port)).replace("OWN", own)));
    // No answer that a page could take for one of the site.
    expect({ answer: await client.waitForClose(), reasons: refusals.map((one) => one.reason), touched }).toEqual({
      answer: noAnswer,
      reasons: [reason],
      touched: 0,
    });
  });

  test("a name, while too many DNS lookups are pending", async () => {
    const { guard, refusals } = await startGuard({
      resolve: async () => new Promise(() => {}),
      limits: { lookups: 2, lookupMs: 60_000 },
    });
    for (const name of ["a", "b", "a"]) connectRaw(guard, get(`http://${name}.test/`));
    expect(await connectRaw(guard, get("http://c.test/")).waitForClose()).toBe(noAnswer);
    expect(guard.renameError("http://c.test/", "net::ERR_RESPONSE_HEADERS_MULTIPLE_CONTENT_LENGTH")).toBe(
      "net::ERR_INSUFFICIENT_RESOURCES",
    );
    expect(refusals).toEqual([{ host: "c.test", port: 80, reason: "busy" }]);
  });

  test.each([
    ["http://127.0.0.1:9/", false, "not-global"],
    ["http://0x7f.1/", false, "not-global"],
    ["http://[::ffff:7f00:1]/", false, "not-global"],
    ["http://8.8.8.8/", true, undefined],
    ["https://[2606:4700::1]/x", true, undefined],
    ["http://127.0.0.1:8123/x", true, undefined],
    ["about:blank", true, undefined],
    ["about:version", false, "scheme"],
    ["file:///etc/passwd", false, "scheme"],
    ["chrome://version", false, "scheme"],
    ["view-source:http://8.8.8.8/", false, "scheme"],
    ["ftp://8.8.8.8/", false, "scheme"],
    ["javascript:alert(1)", false, "scheme"],
    ["data:text/html,x", false, "scheme"],
    ["blob:http://8.8.8.8/x", false, "scheme"],
    ["ws://8.8.8.8/", false, "scheme"],
    ["devtools://devtools/bundled/inspector.html", false, "scheme"],
  ])("the first page of a session, %s: allowed is %s", async (address, allowed, reason) => {
    const { guard } = await startGuard({ allow: ["127.0.0.1:8123"] });
    const verdict = await guard.checkPage(new URL(address));
    expect([verdict.allowed, verdict.allowed ? undefined : verdict.reason]).toEqual([allowed, reason]);
  });

  test("addresses of the machine's own network, unless they are listed", async () => {
    const { guard } = await startGuard({ ownNetworks });
    expect(await guard.checkPage(new URL("http://9.9.9.9/"))).toMatchObject({ reason: "not-global" });
    const { guard: listing } = await startGuard({ ownNetworks, allow: ["9.9.9.9"] });
    expect(await listing.checkPage(new URL("http://9.9.9.9/"))).toMatchObject({ addresses: ["9.9.9.9"] });
  });
});

const resolveBlocked = async (name: string): Promise<string[]> => [name === "moves.test" ? "9.9.9.7" : "8.8.8.8"];

describe("hosts that the operator has blocked", () => {
  const deny = ["blocked.test", "*.ads.test", "9.9.9.0/24", "1.2.3.4", "half.test:8443"];

  test.each([
    ["http://blocked.test/", "denied"],
    ["http://BLOCKED.test./", "denied"],
    ["https://blocked.test:8443/", "denied"],
    ["http://sub.blocked.test/", undefined],
    ["http://a.ads.test/", "denied"],
    ["http://ads.test/", undefined],
    ["http://9.9.9.8/", "denied"],
    ["http://[::ffff:1.2.3.4]/", "denied"],
    ["http://moves.test/", "denied"],
    ["https://half.test:8443/", "denied"],
    ["https://half.test/", undefined],
    ["http://8.8.8.8/", undefined],
  ])("%s: %s", async (address, reason) => {
    const { guard } = await startGuard({ deny, resolve: resolveBlocked, allow: ["blocked.test", "9.9.9.8"] });
    const verdict = await guard.checkPage(new URL(address));
    expect(verdict.allowed ? undefined : verdict.reason).toBe(reason);
  });

  test("are refused to pages, which the list of allowed ones does not change", async () => {
    let touched = 0;
    const port = await serveRaw(() => (touched += 1));
    const { guard, refusals } = await startGuard({ allow: ["127.0.0.1"], deny: [`127.0.0.1:${port}`] });
    await connectRaw(guard, get(`http://127.0.0.1:${port}/`)).waitForClose();
    expect([refusals, touched]).toEqual([[{ host: "127.0.0.1", port, reason: "denied" }], 0]);
  });

  test("are named in the error of a list that can't be read", async () => {
    await expect(startGuard({ deny: ["https://blocked.test/x"] })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining('"https://blocked.test/x"'),
    });
  });
});

describe("a name", () => {
  test("is resolved once for a request, and connected to at the address that was judged", async () => {
    const reached: string[] = [];
    const port = await serve((request, response) => {
      reached.push(`${request.socket.localAddress}`);
      response.end("hello");
    });
    let lookups = 0;
    const { guard, refusals } = await startGuard({
      allow: [`127.0.0.2:${port}`],
      limits: { ttlMs: 0 },
      resolve: async () => [(lookups += 1) === 1 ? "127.0.0.2" : "127.0.0.1"],
    });
    const client = connectRaw(guard, get(`http://rebind.test:${port}/`));
    await client.until(/hello/);
    expect({ lookups, reached }).toEqual({ lookups: 1, reached: ["::ffff:127.0.0.2"] });
    // The connection to the allowed address still waits, but the name no longer leads there.
    client.socket.write(get(`http://rebind.test:${port}/`));
    expect(await client.waitForClose()).not.toContain("403");
    expect(refusals).toEqual([{ host: "rebind.test", port, reason: "not-global" }]);
    expect(reached).toHaveLength(1);
    client.socket.destroy();
  });

  test("with several addresses leads to those that are allowed only", async () => {
    const reached = new Set<string | undefined>();
    const port = await serve((request, response) => {
      reached.add(request.socket.localAddress);
      response.end("hello");
    });
    const { guard } = await startGuard({
      allow: [`127.0.0.3:${port}`],
      resolve: async () => ["127.0.0.1", "::1", "127.0.0.3", "10.0.0.1"],
    });
    expect(await guard.checkPage(new URL(`http://both.test:${port}`))).toMatchObject({ addresses: ["127.0.0.3"] });
    for (let times = 0; times < 3; times += 1) {
      const client = connectRaw(guard, get(`http://both.test:${port}/`));
      await client.until(/hello/);
      client.socket.destroy();
    }
    expect([...reached]).toEqual(["::ffff:127.0.0.3"]);
  });

  test("with an address that does not answer leads to the next", async () => {
    const port = await listen(
      createServer((_request, response) => response.end("hello")),
      "127.0.0.1",
    );
    const { guard } = await startGuard({ allow: ["two.test"], resolve: async () => ["::1", "127.0.0.9", "127.0.0.1"] });
    expect(await readStatus(guard, get(`http://two.test:${port}/`))).toBe(200);
  });

  test("is cached for a moment, and looked up once for concurrent requests", async () => {
    let lookups = 0;
    const { guard } = await startGuard({
      resolve: async () => {
        lookups += 1;
        await new Promise((resolve) => setImmediate(resolve));
        return ["10.0.0.1"];
      },
    });
    await Promise.all(Array.from({ length: 20 }, async () => guard.checkPage(new URL("http://a.test/"))));
    await guard.checkPage(new URL("http://a.test/"));
    expect(lookups).toBe(1);
  });

  test("is looked up again after that moment", async () => {
    let lookups = 0;
    const { guard } = await startGuard({
      resolve: async () => [(lookups += 1) === 1 ? "8.8.8.8" : "10.0.0.1"],
      limits: { ttlMs: 50 },
    });
    expect(await guard.checkPage(new URL("http://a.test/"))).toMatchObject({ allowed: true });
    await expect.poll(async () => (await guard.checkPage(new URL("http://a.test/"))).allowed).toBe(false);
  });

  test("that moves to another allowed address is not asked over a connection to the former one", async () => {
    const reached: (string | undefined)[] = [];
    const port = await serve(({ socket }, response) => {
      reached.push(socket.localAddress);
      response.end("hello");
    });
    let lookups = 0;
    const { guard } = await startGuard({
      allow: ["127.0.0.0/8"],
      limits: { ttlMs: 0 },
      resolve: async () => [(lookups += 1) === 1 ? "127.0.0.2" : "127.0.0.3"],
    });
    const client = connectRaw(guard, get(`http://moved.test:${port}/`));
    await client.until(/hello/);
    client.socket.write(get(`http://moved.test:${port}/`));
    await client.until(/hello[^]*hello/);
    expect(reached).toEqual(["::ffff:127.0.0.2", "::ffff:127.0.0.3"]);
    client.socket.destroy();
  });

  test.each(["localhost", "localhost.", "a.localhost"])("%s is loopback, whatever a resolver says", async (name) => {
    const { guard } = await startGuard({ resolve: async () => ["8.8.8.8"] });
    expect(await guard.checkPage(new URL(`http://${name}/`))).toMatchObject({ reason: "not-global" });
  });
});
