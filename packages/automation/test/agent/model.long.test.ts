import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startFloodServer } from "./flood-server.ts";
import { call, filterEvents, AgentHarness, type TaskOptions } from "./agent-harness.ts";
import type { StubTurn } from "@cloud-browser/testing/model/stub-turns.ts";
import { startSite } from "@cloud-browser/testing/site.ts";

let harness: AgentHarness;

beforeAll(async () => {
  harness = await AgentHarness.open();
}, 60_000);

afterAll(async () => {
  await harness.close();
});

const status = (code: number, message?: string, retryAfter?: number): StubTurn => ({
  failure: {
    kind: "status",
    status: code,
    ...(message === undefined ? {} : { message }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  },
});
const scrolls = call("scroll", { to: "bottom" });

test("takes a text without calls as the answer", async () => {
  const { work, events } = await harness.work({
    task: "Was ist 1 + 1?",
    script: [{ reasoning: "Easy.", text: "It is 2, I think.", pieceLength: 4 }],
  });
  expect(work).toEqual({
    answer: "It is 2, I think.",
    data: {},
    steps: [],
    variables: [],
    name: "was_ist_1_1",
    task: "Was ist 1 + 1?",
  });
  expect(filterEvents(events, "text_delta").map(({ delta }) => delta)).toEqual(["It i", "s 2,", " I t", "hink", "."]);
  expect(events.at(-1)).toEqual({ type: "message_complete", role: "assistant" });
});

test("reports that a web page is not a model", async () => {
  await using site = await startSite({ "/v1/chat/completions": "<h1>Welcome</h1>" });
  const { error } = await harness.work({ script: [], baseUrl: `${site.url}/v1` });
  expect(String(error)).toContain("not what an OpenAI-compatible server sends");
});

test("retries a call after a rate limit, and pays once", async () => {
  const options: TaskOptions = {
    script: [status(429, "slow down", 0.05), status(503, "busy", 0.05), { text: "Done." }],
    modelLimits: { retries: 2 },
  };
  const { work, server, agent } = await harness.work(options);
  expect(work?.answer).toBe("Done.");
  expect(server.requests).toHaveLength(3);
  expect(agent.cost()).toBe("0.00045000000000000000001");
});

test.each<[string, Partial<TaskOptions> & { script: readonly StubTurn[] }, RegExp]>([
  [
    "a provider that has failed for good",
    { script: [status(500), status(500)], modelLimits: { retries: 0 } },
    /status 500$/,
  ],
  [
    "a key that is refused",
    { script: [status(401, "Incorrect API key provided: sk-very-secret")] },
    /refused the API key \(401\)$/,
  ],
  [
    "a rate that stays full",
    { script: [status(429, "", 0), status(429, "", 0)], modelLimits: { retries: 1 } },
    /reached its rate limit \(429\)/,
  ],
  [
    "a stream that is no stream of events",
    { script: [{ text: "Hello there.", failure: { kind: "garbage" } }] },
    /not what an OpenAI-compatible server sends/,
  ],
  [
    "a stream that breaks off",
    { script: [{ text: "Hello there.", failure: { kind: "cut", afterBytes: 300 } }] },
    /ended its response early/,
  ],
  [
    "a stream that stands still",
    { script: [{ text: "Hello there.", failure: { kind: "hang", afterBytes: 300 } }], modelLimits: { timeMs: 300 } },
    /timed out/,
  ],
  [
    "a provider that never answers",
    { script: [{ failure: { kind: "hang", afterBytes: -1 } }], modelLimits: { timeMs: 300 } },
    /timed out/,
  ],
  ["empty messages", { script: Array.from({ length: 4 }, () => ({ text: " " })) }, /returned an empty response/],
  [
    "messages that are too long",
    { script: Array.from({ length: 4 }, () => ({ text: "Hello", finishReason: "length" })) },
    /exceeded its token limit/,
  ],
  ["a filter of the provider", { script: [{ text: "", finishReason: "content_filter" }] }, /refused to answer/],
])("ends with a clear message on %s", async (_, options, message) => {
  const began = performance.now();
  const { error, events } = await harness.work(options);
  expect(performance.now() - began).toBeLessThan(4_000);
  expect(error).toMatchObject({
    name: "AutomationError",
    code: "model_failed",
    message: expect.stringMatching(message),
  });
  expect(JSON.stringify([String(error), error, events])).not.toContain("sk-very-secret");
});

test("gives invalid arguments back to the model, and pays for the calls", async () => {
  const { work, events, server } = await harness.work({
    script: [
      call("open_page", '{"url": "http'),
      call("click", { reference: "e1" }),
      call("fly", {}),
      call("finish", { answer: "Done." }),
    ],
  });
  expect(work?.answer).toBe("Done.");
  const results = filterEvents(events, "tool_result").map(({ content }) => content);
  expect(results[0]).toContain("invalid arguments");
  expect(results[1]).toMatch(/invalid arguments.*ref/s);
  expect(results[2]).toContain('there is no tool "fly"');
  expect(filterEvents(events, "tool_start").map(({ name }) => name)).toEqual(["open_page", "click", "fly", "finish"]);
  expect(server.requests[2]?.body.messages.at(-1)).toMatchObject({
    role: "tool",
    content: expect.stringContaining("ref"),
  });
  expect(server.ledger).toHaveLength(4);
});

test("gives invalid arguments back three times in a row, and no more", async () => {
  const { error, server } = await harness.work({
    script: (_, number) => (number === 1 ? scrolls : call("click", { wrong: number })),
  });
  expect(error).toMatchObject({
    code: "model_failed",
    message: expect.stringContaining("sent invalid tool arguments"),
  });
  expect(server.requests).toHaveLength(6); // one, a good one, four
});

test("makes no call that could pass the budget", async () => {
  const { error, server, agent } = await harness.work({
    script: (_, number) => ({
      ...scrolls,
      toolCalls: [{ name: "wait", arguments: { seconds: 0.01 + number / 1_000 } }],
      usage: { input: 3_000, output: 1_000 },
    }),
    limits: { budgetUsd: "0.09" },
    modelLimits: { outputTokens: 1_000 },
  });
  expect(error).toMatchObject({ code: "budget_spent", message: expect.stringContaining("$0.09,") });
  // 0.024 each; the fourth could cost at least that again.
  expect(server.requests).toHaveLength(3);
  expect(Number(agent.cost())).toBeLessThan(0.09);
});

test("makes no call at all when the first one could pass the budget", async () => {
  const { error, server, agent, events } = await harness.work({ script: [], limits: { budgetUsd: "0.01" } });
  expect(error).toMatchObject({ code: "budget_spent" });
  expect([server.requests, agent.cost(), events]).toEqual([[], "0", []]);
});

test("estimates the usage of a call by its bytes if the provider reports none, and logs that", async () => {
  const { work, server, agent, logged } = await harness.work({ script: [{ text: "It is 2.", usage: null }] });
  expect(work?.answer).toBe("It is 2.");
  const requestLength = JSON.stringify(server.requests[0]?.body).length;
  expect(Number(agent.cost())).toBeGreaterThan((requestLength * 0.9 * 3) / 1e6);
  expect(Number(agent.cost())).toBeLessThan((requestLength * 1.1 * 3.75) / 1e6);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain("did not report the usage");
  expect((await harness.work({ script: [{ text: "It is 2." }] })).logged).toEqual([]);
});

test("counts the possible cost of a call whose response was cut", async () => {
  const { agent } = await harness.work({
    script: [{ text: "Hello there.", failure: { kind: "cut", afterBytes: 400 } }],
  });
  expect(Number(agent.cost())).toBeGreaterThan(0.001);
  expect((await harness.work({ script: [status(500)] })).agent.cost()).toBe("0");
});

test.each<[string, StubTurn]>([
  ["speaks slowly", { text: "word ".repeat(2_000), delayMs: 20 }],
  ["has stopped in the middle", { text: "word ".repeat(50), failure: { kind: "hang", afterBytes: 900 } }],
])("ends within a second when it is aborted while the model %s", async (_, turn) => {
  const abort = new AbortController();
  let abortedAt = 0;
  const { error, events } = await harness.work({
    script: [turn],
    signal: abort.signal,
    emit: async () => {
      if (abortedAt > 0) return;
      abortedAt = Infinity;
      setTimeout(() => {
        abortedAt = performance.now();
        abort.abort(new Error("called off"));
      }, 100);
    },
  });
  expect(performance.now() - abortedAt).toBeLessThan(1_500); // closing the context included
  expect(error).toEqual(new Error("called off"));
  expect(events.length).toBeGreaterThan(0);
});

test("ends at once when the client disconnects, and closes the provider's connection", async () => {
  const flood = await startFloodServer(60e6);
  const { error } = await harness.work({
    script: [],
    baseUrl: flood.baseUrl,
    emit: async () => Promise.reject(new Error("gone")),
  });
  expect(error).toEqual(new Error("gone"));
  await expect.poll(() => flood.isLeft()).toBe(true);
  await flood.close();
});

test("reads the model no faster than its own client reads", async () => {
  const total = 24e6; // the system itself holds about 7 MB
  const flood = await startFloodServer(total);
  const gate = Promise.withResolvers<void>();
  let writtenWhileWaiting = 0;
  const run = harness.work({
    script: [],
    baseUrl: flood.baseUrl,
    modelLimits: { answerBytes: 2 * total, timeMs: 30_000 },
    emit: async () => gate.promise,
  });
  await vi.waitFor(
    () => {
      const before = writtenWhileWaiting;
      writtenWhileWaiting = flood.countBytes();
      expect(writtenWhileWaiting).toBeGreaterThan(0);
      expect(writtenWhileWaiting).toBe(before); // it stands still
    },
    { timeout: 60_000, interval: 300 },
  );
  expect(writtenWhileWaiting).toBeLessThan(total * 0.7);
  gate.resolve();
  expect((await run).work?.answer.length).toBeGreaterThan(total * 0.9);
  await flood.close();
});

test("time that its client takes does not count as time of the model", async () => {
  const { work } = await harness.work({
    script: [{ text: "Hello", pieceLength: 1 }],
    modelLimits: { timeMs: 400 },
    emit: async () => new Promise((resolve) => setTimeout(resolve, 150)),
  });
  expect(work?.answer).toBe("Hello");
});

test("bounds the size of its requests, however long it works", async () => {
  const { work, server } = await harness.work({
    task: "Wait a lot.",
    script: (_, number) =>
      number < 40
        ? {
            text: `Now I wait for the ${number}th time. ${"Slowly. ".repeat(60)}`,
            toolCalls: [{ name: "wait", arguments: { seconds: 0.001 * (number % 7) } }],
            pieceLength: 1_000,
          }
        : call("finish", { answer: "Done." }),
    modelLimits: { inputCharacters: 8_000 },
  });
  expect(work?.answer).toBe("Done.");
  const sizes = server.requests.map(({ body }) => JSON.stringify(body.messages.slice(1)).length);
  expect(Math.max(...sizes)).toBeLessThan(9_000);
  const last = server.requests.at(-1)?.body.messages ?? [];
  expect(last[1]).toMatchObject({
    role: "user",
    content: expect.stringMatching(/^Wait a lot\.[^]*- wait: Step 3 is done\./),
  });
  expect(last[2]?.role).toBe("assistant");
  const callIds = last.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
  expect(last.filter(({ role }) => role === "tool")).toHaveLength(callIds.length);
});
