import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { startHttpProxy, startSocksProxy } from "../../../browsers/test/proxy/proxies.ts";
import { startTestService, type TestService } from "../running-service.ts";

let running: TestService;
let site: Site;

beforeAll(async () => {
  [running, site] = await Promise.all([
    startTestService(),
    startSite({ "/": "<title>Ferries</title><h1>Harbour ferries</h1>" }),
  ]);
});
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  await running?.[Symbol.asyncDispose]();
});

async function refusal(options: unknown): Promise<{ status: number; text: string }> {
  const response = await running.ask("POST", "/control/sessions", options);
  return { status: response.status, text: JSON.stringify(await response.json()) };
}

describe("a session with a proxy", () => {
  const secret = { username: "somebody", password: "hunter2" };

  test.each([
    ["http", startHttpProxy],
    ["socks5", startSocksProxy],
  ] as const)("of %s loads its pages through it, on loopback, too", async (kind, start) => {
    const to = Number(new URL(site.url).port);
    const proxy = await start({ to, needs: "somebody:hunter2" });
    const server = `${kind}://127.0.0.1:${proxy.port}`;
    const opened = await running.open({ url: `${site.url}/`, proxy: { server, ...secret } });
    expect([opened.title, proxy.hosts.length > 0]).toEqual(["Ferries", true]);
    const other = await running.open({ url: `${site.url}/` });
    const before = proxy.hosts.length;
    await running.ask("POST", `/sessions/${other.session_id}/page/scrape`, {});
    expect(proxy.hosts).toHaveLength(before);
    expect(JSON.stringify([opened, await (await running.ask("GET", "/control/sessions")).text()])).not.toContain(
      "hunter2",
    );
    for (const { session_id: id } of [opened, other]) await running.end(id);
  });

  test.each([
    ["that refuses its credentials", { needs: "x:y" }, "refuses the credentials"],
    ["that refuses the site", { refuses: 403 }, "refuses the connection"],
  ])("%s is told as 502 with the reason", async (_, behavior, why) => {
    const { port } = await startHttpProxy({ to: 1, ...behavior });
    const proxy = { server: `http://127.0.0.1:${port}`, ...secret };
    const { status, text } = await refusal({ url: `${site.url}/`, proxy });
    expect({ status, text }).toEqual({ status: 502, text: expect.stringContaining(why) });
    expect(text).not.toContain("hunter2");
  });

  test.each<readonly [string, unknown, number, string]>([
    ["nobody answers at", { server: "http://127.0.0.1:1", ...secret }, 502, "can't be reached (ECONNREFUSED)"],
    ["is not global", { server: "http://10.0.0.1:3128", ...secret }, 422, '["body","proxy","server"]'],
    ["has credentials in its address", { server: "http://a:hunter2@127.0.0.1:1" }, 422, "proxy.username"],
    ["is only a text", "http://a:hunter2@127.0.0.1", 422, "object_type"],
    ["has a password that is no text", { server: "http://127.0.0.1", password: ["hunter2"] }, 422, "string_type"],
    [
      "resolves names, which the operator does not allow",
      { server: "http://127.0.0.1:1", dns: "proxy" },
      422,
      '["body","proxy","dns"]',
    ],
  ])("that %s is refused, and its secrets are not repeated", async (_, proxy, status, why) => {
    const refused = await refusal({ proxy });
    expect(refused).toEqual({ status, text: expect.stringContaining(why) });
    expect(refused.text).not.toContain("hunter2");
  });
});
