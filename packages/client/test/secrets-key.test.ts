import { expect, test } from "vitest";
import { createCloudBrowser, type CloudBrowser } from "../src/index.ts";
import { startFaultServer } from "./fault-server.ts";
import { headOf, startSocketServer } from "./fault-socket.ts";

const apiKey = "sk-canary-key";
const operations: { operation: string; call: (client: CloudBrowser, baseUrl?: string) => Promise<unknown> }[] = [
  { operation: "page_scrape", call: (client, baseUrl) => client.scrape("s1", {}, { baseUrl }) },
  { operation: "session_cookies", call: (client, baseUrl) => client.cookies("s1", { baseUrl }) },
  { operation: "session_replay", call: (client, baseUrl) => client.replay("s1", { baseUrl }) },
  {
    operation: "automation_start",
    call: (client, automationUrl) => client.automate({ query: "q" }, { ...(automationUrl && { automationUrl }) }),
  },
];

test.for(operations)("the key goes to no third address by middleware: $operation", async ({ call }) => {
  await using ours = await startFaultServer({});
  await using other = await startFaultServer({});
  for (const redirect of ["manual", "follow", "error"] as const) {
    const client = createCloudBrowser({ apiKey, baseUrl: ours.url });
    client.raw.use({ onRequest: () => new Request(`${other.url}/sessions/s1/cookies`, { redirect }) });
    await expect(call(client)).rejects.toMatchObject({ code: "misuse", attempts: 0 });
  }
  expect([ours.seen, other.seen]).toEqual([[], []]);
});

test.for(operations)("the key follows the address of a call, and only there: $operation", async ({ call }) => {
  await using ours = await startFaultServer({});
  await using other = await startFaultServer({ headers: { "content-type": "application/json" } });
  const client = createCloudBrowser({ apiKey, baseUrl: ours.url });
  await call(client, other.url);
  expect(ours.seen).toEqual([]);
  expect(other.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${apiKey}`]);
});

test("the key of a call replaces that of the client, for this call", async () => {
  await using server = await startFaultServer({});
  const client = createCloudBrowser({ apiKey, baseUrl: server.url });
  await client.cookies("s1", { apiKey: "another" });
  await client.cookies("s1", { apiKey: async () => "a third" });
  await client.cookies("s1", { apiKey: undefined });
  const got = server.seen.map(({ headers }) => headers.authorization);
  expect(got).toEqual(["Bearer another", "Bearer a third", `Bearer ${apiKey}`]);
});

test("two clients keep their keys apart", async () => {
  await using server = await startFaultServer({});
  const one = createCloudBrowser({ apiKey: "one", baseUrl: server.url });
  const two = createCloudBrowser({ apiKey: "two", baseUrl: server.url });
  await Promise.all([one, two, one, two].map((client) => client.cookies("s1")));
  const got = server.seen.map(({ headers }) => headers.authorization);
  expect(got.map(String).sort()).toEqual(["Bearer one", "Bearer one", "Bearer two", "Bearer two"]);
});

test("the key is in one header, and nowhere else in the bytes of a request", async () => {
  await using server = await startSocketServer({
    asked: (socket) => socket.write(headOf(404, { "content-length": 0 })),
  });
  const client = createCloudBrowser({ apiKey, baseUrl: server.url });
  for (const { call } of operations) await call(client).catch(() => undefined);
  expect(server.requests).toHaveLength(4);
  for (const { head, body } of server.requests) {
    expect(`${head}${body}`.split(apiKey)).toHaveLength(2);
    expect(head.toLowerCase()).toContain(`\r\nauthorization: bearer ${apiKey}\r\n`);
  }
});

test("the typed client refuses a third address, and follows no redirect with the key", async () => {
  await using other = await startFaultServer({});
  await using ours = await startFaultServer({ status: 307, headers: { location: `${other.url}/elsewhere` } });
  const { raw } = createCloudBrowser({ apiKey, baseUrl: ours.url });
  const params = { path: { session_id: "s1" } };
  await expect(raw.GET("/sessions/{session_id}/cookies", { params })).rejects.toMatchObject({ code: "redirect" });
  const elsewhere = raw.GET("/sessions/{session_id}/cookies", { params, baseUrl: other.url });
  await expect(elsewhere).rejects.toMatchObject({ code: "misuse" });
  expect(other.seen).toEqual([]);
});
