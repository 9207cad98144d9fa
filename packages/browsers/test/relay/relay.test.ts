import { once } from "node:events";
import { WebSocket } from "ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patient, RawClient, startRelayed, readTargetId, type Relayed } from "./relayed-session.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let relayed: Relayed;
let site: Site;

beforeAll(async () => {
  [relayed, site] = await Promise.all([
    startRelayed(),
    startSite({ "/": "<title>Page</title>", "/worker.js": "postMessage('runs')" }),
  ]);
  await (await relayed.own.context.newPage()).goto(site.url);
});
afterAll(async () => {
  await relayed?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const ownPage = () => {
  const [page] = relayed.own.context.pages();
  if (!page) throw new Error("the session has lost its page");
  return page;
};

describe("a message that can't be read", () => {
  it.each([
    ["no JSON", "{nope", -32_700],
    ["a list", "[]", -32_700],
    ["no id", `{"method":"Browser.getVersion"}`, -32_600],
    ["an id that is no integer", `{"id":1.5,"method":"Browser.getVersion"}`, -32_600],
    ["an id of the relay's own", `{"id":1000000001,"method":"Browser.getVersion"}`, -32_600],
    ["no method", `{"id":1}`, -32_600],
    ["params that are none", `{"id":1,"method":"Browser.getVersion","params":5}`, -32_600],
    ["a session that is none", `{"id":1,"method":"Browser.getVersion","sessionId":5}`, -32_600],
    ["a session that it has not", `{"id":1,"method":"Runtime.enable","sessionId":"DEAD"}`, -32_001],
    [
      "a method twice, the second one refused",
      `{"id":1,"method":"Browser.getVersion","method":"Browser.crash"}`,
      -32_000,
    ],
  ])("is answered with an error: %s", async (_name, text, code) => {
    await using client = await RawClient.open(relayed.url());
    client.socket.send(text);
    await expect.poll(() => client.strays[0]?.error?.code, patient).toBe(code);
    expect(await client.ask("Browser.getVersion")).toMatchObject({ result: { protocolVersion: "1.3" } });
  });

  it("ends the connection when it is too long or not a text", async () => {
    for (const [message, code] of [
      ["x".repeat(2000), 1009],
      [Buffer.from("{}"), 1003],
    ] as const) {
      await using client = await RawClient.open(relayed.url({ messageBytes: 1000 }));
      client.socket.send(message);
      expect((await once(client.socket, "close"))[0]).toBe(code);
    }
  });
});

it("two clients drive the same session side by side", async () => {
  await using one = await RawClient.open(relayed.url());
  await using two = await RawClient.open(relayed.url());
  const [first, second] = [await one.attach(), await two.attach()];
  expect(first).not.toBe(second);
  await one.value("shared = 5", first);
  expect(await two.value("shared", second)).toBe(5);
  expect((await two.ask("Runtime.enable", {}, first)).error?.code).toBe(-32_001);
});

describe("a client that dies", () => {
  it("leaves no worker that waits for its debugger", async () => {
    const client = await RawClient.open(relayed.url());
    const session = await client.attach(await readTargetId(relayed.own));
    const all = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
    await client.ask("Target.setAutoAttach", all, session);
    await client.ask(
      "Runtime.evaluate",
      { expression: "heard = ''; new Worker('/worker.js').onmessage = ({ data }) => (heard = data)" },
      session,
    );
    const countWaiting = () => client.events.filter(({ params }) => params.waitingForDebugger === true).length;
    await expect.poll(countWaiting, patient).toBe(1);
    expect(await client.value("heard", session)).toBe("");
    client.socket.terminate();
    await expect.poll(() => ownPage().evaluate(() => Object(window).heard as unknown), patient).toBe("runs");
  });

  it("leaves no script paused", async () => {
    const client = await RawClient.open(relayed.url());
    const session = await client.attach(await readTargetId(relayed.own));
    await client.ask("Debugger.enable", {}, session);
    void client.ask("Runtime.evaluate", { expression: "debugger; resumed = true" }, session);
    await expect.poll(() => client.events.some(({ method }) => method === "Debugger.paused"), patient).toBe(true);
    client.socket.terminate();
    expect(await ownPage().evaluate(() => document.title)).toBe("Page");
  });

  it("is disconnected when its pings time out", async () => {
    await using client = await RawClient.open(relayed.url({ pingEveryMs: 50 }), { autoPong: false });
    expect((await once(client.socket, "close"))[0]).toBeGreaterThan(1000);
  });

  it("stays connected when it answers pings", async () => {
    await using client = await RawClient.open(relayed.url({ pingEveryMs: 50 }));
    for (let pings = 0; pings < 4; pings += 1) await once(client.socket, "ping");
    expect((await client.ask("Browser.getVersion")).error).toBeUndefined();
  });
});

const MiB = 2 ** 20;

it("commands of a client that does not read wait until it does (backpressure)", async () => {
  await using client = await RawClient.open(relayed.url({ pauseBytes: 4 * MiB }));
  const session = await client.attach();
  const end = relayed.relayEnds.at(-1);
  const answers = (count: number): Promise<unknown>[] =>
    Array.from({ length: count }, async () => client.value("globalThis.told++, 'x'.repeat(1 << 20)", session));
  await client.value("globalThis.told = 0", session);
  client.socket.pause();
  const first = answers(30);
  // The pause begins once the answers of these have come; what is asked after that waits.
  await expect.poll(() => end?.isPaused, patient).toBe(true);
  await expect.poll(async () => ownPage().evaluate<unknown>("told"), patient).toBe(30);
  const second = answers(30);
  expect(await ownPage().evaluate<unknown>("told")).toBe(30);
  client.socket.resume();
  const lengths = (await Promise.all([...first, ...second])).map((answer) => String(answer).length);
  expect(new Set(lengths)).toStrictEqual(new Set([MiB]));
});

it("a client that never reads is disconnected with advice, and the session continues", async () => {
  await using client = await RawClient.open(relayed.url({ pauseBytes: MiB, maxBytes: 8 * MiB }));
  const session = await client.attach();
  const end = relayed.relayEnds.at(-1);
  client.socket.pause();
  const closeEvent = once(client.socket, "close");
  // All of these are read before the first is answered. Answers are what it asked for: as events of its page they would on a slow machine
  // be
  // a flood, of which nobody is told more.
  for (let count = 0; count < 24; count += 1) void client.value("'x'.repeat(1 << 20)", session);
  // Nothing of it is read before it resumes, its end neither.
  await expect.poll(() => end?.readyState, { ...patient, interval: 5 }).toBe(WebSocket.CLOSING);
  expect(end?.bufferedAmount).toBeLessThan(12 * MiB);
  client.socket.resume();
  const [code, reason] = await closeEvent;
  expect([code, String(reason)]).toStrictEqual([1008, expect.stringMatching(/Connect again, and keep reading/u)]);
  expect(await ownPage().evaluate("1 + 1")).toBe(2);
});

it("the round trip through the relay is measured", async () => {
  await using relay = await RawClient.open(relayed.url());
  const session = await relay.attach(await readTargetId(relayed.own));
  const direct = await relayed.own.context.newCDPSession(ownPage());
  const medians: number[] = [];
  for (const ask of [
    async () => relay.value("1", session),
    async () => direct.send("Runtime.evaluate", { expression: "1" }),
  ]) {
    const times: number[] = [];
    for (let count = 0; count < 300; count += 1) {
      const start = performance.now();
      await ask();
      times.push(performance.now() - start);
    }
    medians.push(times.toSorted((a, b) => a - b)[150] ?? 0);
  }
  console.log(`median of evaluate(1): ${medians.map((ms) => ms.toFixed(2)).join(" ms relayed, ")} ms direct`);
  expect(medians[0]).toBeLessThan(100);
});

it("the loss of the browser ends the connection with a reason", async () => {
  await using client = await RawClient.open(relayed.url());
  const closeEvent = once(client.socket, "close");
  process.kill(relayed.own.browserPid, "SIGKILL");
  const [code, reason] = await closeEvent;
  expect(code).toBe(1001);
  expect(String(reason)).toMatch(/lost/u);
});
