import { afterAll, beforeAll, expect, test } from "vitest";
import { createTools } from "../src/json-schema.ts";
import { createMcpServer } from "../src/mcp.ts";
import { startCannedService, secrets, type CannedService } from "./canned-service.ts";
import { connectInMemory, eras, type Person } from "./mcp-client.ts";
import { order } from "./injected-pages.ts";
import { testEra } from "./era-tests.ts";
import { readPageText } from "./page-text.ts";

let service: CannedService;
beforeAll(async () => {
  service = await startCannedService();
});
afterAll(async () => service[Symbol.asyncDispose]());

const connect = (
  options: Parameters<typeof createMcpServer>[0] = {},
  era: (typeof eras)[number] = "2026-07-28",
  person?: Person,
) => connectInMemory(createMcpServer({ baseUrl: service.url, apiKey: service.apiKey, ...options }), era, person);
const done = { type: "done", metadata: { thread_id: "run-1" }, total_cost_usd: 0.02, function_id: "f-1" };

testEra("2026-07-28");

test("what is allowed is shown: values of cookies, presigned addresses, addresses for CDP", async () => {
  await using connection = await connect({ allow: ["cookie-values", "replay-links", "cdp-urls"] });
  expect((await connection.call("read_cookies", { session_id: "s-1" })).text).not.toContain(secrets.cookie);
  const cookies = await connection.call("read_cookies", {
    session_id: "s-1",
    values: true,
    domain: "www.shop.example",
  });
  expect(cookies.text).toContain(secrets.cookie);
  expect(cookies.text).not.toContain("ads.example");
  expect((await connection.call("get_replay", { session_id: "s-2" })).text).toContain(secrets.presigned);
  expect((await connection.call("open_session", { url: "https://shop.example" })).text).toContain(secrets.cdp);
});

test("sessions and functions begin with the profile that was named at the start", async () => {
  service.events.splice(0, Infinity, done);
  await using connection = await connect({ profile: { name: "shop" }, allow: ["billed-runs"] });
  await connection.call("open_session", { url: "https://shop.example" });
  expect(JSON.parse(service.bodies.at(-1) ?? "")).toMatchObject({ profile: { name: "shop", mode: "read" } });
  await connection.call("run_function", { function_id: "f-1", variables: { chair: "blue" } });
  const body = service.bodies[service.requests.findLastIndex((one) => one.includes("/functions/f-1/run"))];
  expect(JSON.parse(body ?? "")).toEqual({ variables: { chair: "blue" }, profile: { name: "shop", mode: "read" } });
});

test("a service without /control lists no tool that needs it, and its runs have a handle that is read on", async () => {
  await using plain = await startCannedService({ control: false });
  plain.events.push({ type: "text_delta", delta: "half" }, "pause");
  await using connection = await connectInMemory(
    createMcpServer({ baseUrl: plain.url, apiKey: plain.apiKey, allow: ["billed-runs"] }),
    "2025",
  );
  const { tools } = await connection.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["scrape", "read_cookies", "get_replay", "automate", "follow_run"]);
  expect((await connection.client.listResourceTemplates()).resourceTemplates.map(({ name }) => name)).toEqual([
    "page-markdown",
    "replay",
  ]);
  const { structured, text } = await connection.call("automate", { query: "buy", wait_s: 0.5 });
  expect(structured).toMatchObject({ state: "active", after: "1" });
  expect(readPageText(text)).toBe("half");
  const list = await connection.call("follow_run", {});
  expect(list.structured).toMatchObject({ runs: [{ run_id: structured["run_id"], state: "active" }] });
  const more = await connection.call("follow_run", { run_id: structured["run_id"], after: "1", wait_s: 0 });
  expect(more.structured).toMatchObject({ state: "active", after: "1" });
});

test("an answer that was lost starts no second run: the same call finds the first one", async () => {
  service.events.splice(0, Infinity, { type: "tool_start", name: "click" }, "pause");
  await using connection = await connect({ allow: ["billed-runs"] });
  const starts = (): number => service.requests.filter((one) => one.startsWith("POST /api/automation/start")).length;
  const before = starts();
  const lost = new AbortController();
  const call = connection.call(
    "automate",
    { query: "lose me" },
    { signal: lost.signal, onprogress: () => lost.abort() },
  );
  await expect(call).rejects.toThrow();
  service.events.splice(0, Infinity, { type: "tool_start", name: "click" }, done);
  const again = await connection.call("automate", { query: "lose me" });
  expect(again.structured).toMatchObject({
    state: "done",
    earlier_run: expect.stringContaining("nothing was started or billed again"),
  });
  expect(starts()).toBe(before + 1);
  const next = await connection.call("automate", { query: "lose me" });
  expect(next.structured["earlier_run"]).toBeUndefined();
  expect(starts()).toBe(before + 2);
});

test("a run that has more to say than a result has room for is read on where it was left", async () => {
  const steps = Array.from({ length: 40 }, (_, index) => ({
    type: "tool_result",
    content: `${index} ${"x".repeat(100)}`,
  }));
  service.events.splice(0, Infinity, ...steps, { ...done, metadata: { thread_id: "run-1", data: { order } } });
  await using connection = await connect({ allow: ["billed-runs"], maxPageChars: 1_000 });
  let result = await connection.call("automate", { query: "tell me much" });
  const texts = [readPageText(result.text)];
  for (let turn = 0; result.structured["after"] !== undefined && turn < 20; turn += 1) {
    const { run_id, after } = result.structured;
    result = await connection.call("follow_run", { run_id, after });
    texts.push(readPageText(result.text));
  }
  const numbers = [...texts.join("\n").matchAll(/^< (\d+) /gmu)].map(([, number]) => Number(number));
  expect(numbers).toEqual(steps.map((_, index) => index));
  expect(result.structured).toMatchObject({ state: "done" });
  expect(texts.at(-1)).toContain(order);
});

test.each<[string, string, unknown, RegExp]>([
  ["a name that is spelled otherwise", "scrape", { sessionId: "s-1" }, /did you mean session_id\?.*session_id \(/u],
  ["nothing at all", "scrape", {}, /session_id is missing/u],
  ["a number that is none", "scrape", { session_id: "s-1", page: "two" }, /page must be a whole number from 1/u],
  ["a number that is too small", "scrape", { session_id: "s-1", page: 0 }, /page must be a whole number from 1/u],
  ["a page that is not there", "scrape", { session_id: "s-1", page: 9 }, /there is no page 9: the text has 1/u],
  [
    "a heading that is not there",
    "scrape",
    { session_id: "s-1", section: "nine" },
    /no heading.*choose one of the outline/u,
  ],
  ["words that are not there", "scrape", { session_id: "s-1", query: "zebra" }, /try other words, or outline/u],
  ["a value that is not listed", "list_sessions", { state: "open" }, /state must be one of active, ended/u],
  ["an object that is none", "run_function", { function_id: "f-1", variables: "x" }, /variables must be an object/u],
  ["a variable that is no text", "run_function", { function_id: "f-1", variables: { a: {} } }, /variables\.a must be/u],
  ["a run that is only known elsewhere", "follow_run", { run_id: "local-1" }, /only in the process that started it/u],
  ["a person without words", "ask_person", { session_id: "s-9", message: "  " }, /message says what/u],
  ["a replay of an open session", "get_replay", { session_id: "s-5" }, /end_session \{"session_id":"s-5"\} first/u],
])("%s is refused in words that heal", async (_, name, args, expected) => {
  const tools = createTools({ baseUrl: service.url, apiKey: service.apiKey, allow: ["billed-runs"] });
  const { isError, text } = { ...(await tools.find((tool) => tool.name === name)?.call(args)) };
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(expected) });
});

test("numbers, flags and objects that come as text, and null, are read as what they are", async () => {
  await using connection = await connect();
  const { text, isError } = await connection.call("scrape", {
    session_id: "s-1",
    page: "1",
    outline: "true",
    section: null,
  });
  expect({ isError, text }).toMatchObject({ isError: false });
  const data = await connection.call("scrape", {
    session_id: "s-1",
    response_format: '{"type":"object","properties":{"price":{"type":"number"}}}',
  });
  expect(JSON.parse(readPageText(data.text))).toEqual({ price: 12 });
});
