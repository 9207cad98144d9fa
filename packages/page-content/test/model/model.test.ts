import { inspect } from "node:util";
import { generateText, jsonSchema, streamText, tool } from "ai";
import { afterEach, expect, test, vi } from "vitest";
import { addTokens, computeCost, noTokens, readTokens } from "../../src/model/cost.ts";
import { createModel, type JsonAnswer, type Model } from "../../src/model/model.ts";
import type { ModelLimits, ModelSettings } from "../../src/model/model-settings.ts";
import { startStubModelServer, type StubModelServer } from "@cloud-browser/testing/model/stub-model-server.ts";
import type { StubTurn } from "@cloud-browser/testing/model/stub-turns.ts";

const apiKey = "sk-very-secret-key";
const prices = { input: "3", cachedInput: "0.3", cacheWrite: "3.75", output: "15" };
let server: StubModelServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function startModel(
  turns: readonly StubTurn[],
  limits: Partial<ModelLimits> = {},
  more: Partial<ModelSettings> = {},
): Promise<Model> {
  server = await startStubModelServer(turns, { apiKey });
  return createModel({
    baseUrl: `${server.baseUrl}/`,
    apiKey,
    name: "stub-1",
    prices,
    limits: { retries: 0, ...limits },
    ...more,
  });
}

function ask(model: Model, signal = AbortSignal.timeout(20_000)): Promise<JsonAnswer> {
  return model.askForJson({
    system: "Answer.",
    messages: [{ role: "user", content: "What?" }],
    schema: { type: "object" },
    signal,
  });
}

test("asks with the key, the name and the limits, and gets JSON with its tokens", async () => {
  const model = await startModel(
    [{ json: { a: 1 }, usage: { input: 1_000, cachedInput: 600, cacheWrite: 100, output: 20, reasoning: 5 } }],
    { outputTokens: 77 },
  );
  expect(await ask(model)).toEqual({
    answered: true,
    text: '{"a":1}',
    value: { a: 1 },
    tokens: { uncachedInput: 300, cachedInput: 600, cacheWrite: 100, output: 20 },
  });
  const [request] = server?.requests ?? [];
  expect(request?.headers.authorization).toBe(`Bearer ${apiKey}`);
  expect(request?.path).toBe("/v1/chat/completions");
  expect(request?.body).toMatchObject({
    model: "stub-1",
    max_tokens: 77,
    response_format: { type: "json_object" },
    messages: [
      { role: "system", content: "Answer." },
      { role: "user", content: "What?" },
    ],
  });
});

test.each([
  [
    "json_schema",
    { type: "json_schema", json_schema: { schema: { type: "object" }, strict: false, name: "response" } },
  ],
  ["text", undefined],
] as const)("asks for JSON by %s when told", async (answerFormat, expected) => {
  const model = await startModel([{ text: '```json\n{"a":1}\n```' }], {}, { answerFormat });
  expect(await ask(model)).toMatchObject({ answered: true, value: { a: 1 } });
  expect(server?.requests[0]?.body.response_format).toEqual(expected);
});

test.each<[string, StubTurn, Partial<JsonAnswer>]>([
  ["text that is no JSON", { text: "I can't." }, { answered: true, text: "I can't.", value: undefined }],
  [
    "an answer that was cut by its limit",
    { text: '{"a": [1,', finishReason: "length" },
    { answered: true, value: undefined },
  ],
  ["no usage as unknown tokens", { json: {}, usage: null }, { answered: true, tokens: undefined }],
  [
    "a status 400",
    { failure: { kind: "status", status: 400 } },
    { answered: false, why: expect.stringContaining("refused the request (400)") },
  ],
  [
    "a status 404",
    { failure: { kind: "status", status: 404 } },
    { answered: false, why: expect.stringContaining("does not know this address or model") },
  ],
  [
    "a full rate",
    { failure: { kind: "status", status: 429, retryAfter: 1 } },
    { answered: false, why: expect.stringContaining("reached its rate limit (429)") },
  ],
  [
    "a status 500",
    { failure: { kind: "status", status: 500, message: apiKey } },
    { answered: false, why: "responded with status 500" },
  ],
  [
    "a body that is no JSON",
    { failure: { kind: "garbage" } },
    { answered: false, why: expect.stringContaining("not what an OpenAI-compatible server sends") },
  ],
  [
    "a body that is cut",
    { json: { a: "x".repeat(5_000) }, failure: { kind: "cut", afterBytes: 700 } },
    { answered: false },
  ],
  [
    "an answer beyond the limit of bytes",
    { text: "x".repeat(300_000) },
    { answered: false, why: "sent a response larger than the limit" },
  ],
])("answers for %s", async (_, turn, expected) => {
  const model = await startModel([turn], { answerBytes: 100_000 });
  const answer = await ask(model);
  expect(answer).toMatchObject(expected);
  expect(inspect(answer, { depth: null })).not.toContain(apiKey);
});

test("the error for a wrong key does not contain it, whatever the provider repeats", async () => {
  const model = await startModel([], {}, { apiKey: "sk-another-secret" });
  expect(await ask(model)).toMatchObject({ answered: false, why: "refused the API key (401)", isRefused: true });
});

test("a refused connection is an error", async () => {
  const model = await startModel([]);
  await server?.close();
  server = undefined;
  expect(await ask(model)).toMatchObject({ answered: false, why: "could not be reached: check the base URL" });
});

test("a redirect is not followed: the key would travel along", async () => {
  const model = await startModel([
    { failure: { kind: "status", status: 307, location: "/v1/elsewhere" } },
    { json: {} },
  ]);
  expect(await ask(model)).toMatchObject({ answered: false });
  expect(server?.requests).toHaveLength(1);
});

test.each<[string, number]>([
  ["before the status", -1],
  ["within the body", 40],
])("an answer that hangs %s ends in time", async (_, afterBytes) => {
  const model = await startModel([{ json: { a: 1 }, failure: { kind: "hang", afterBytes } }]);
  expect(await ask(model, AbortSignal.timeout(150))).toMatchObject({ answered: false, why: "timed out" });
});

test("the time limit covers the wait for a rate limit", async () => {
  const model = await startModel([{ failure: { kind: "status", status: 429, retryAfter: 30 } }], { retries: 2 });
  expect(await ask(model, AbortSignal.timeout(300))).toMatchObject({ answered: false, why: "timed out" });
});

test("a call that is aborted says so", async () => {
  const model = await startModel([{ failure: { kind: "hang", afterBytes: -1 } }]);
  const controller = new AbortController();
  const answer = ask(model, controller.signal);
  await expect.poll(() => server?.requests.length).toBe(1);
  controller.abort();
  expect(await answer).toMatchObject({ answered: false, why: "was aborted" });
});

test("a server error is retried", async () => {
  const model = await startModel([{ failure: { kind: "status", status: 503, retryAfter: 0 } }, { json: { a: 2 } }], {
    retries: 1,
  });
  expect(await ask(model)).toMatchObject({ value: { a: 2 } });
  expect(server?.requests).toHaveLength(2);
});

test("nothing that can be inspected of a model shows its key", async () => {
  const model = await startModel([]);
  expect(inspect(model, { depth: null, showHidden: true })).not.toContain(apiKey);
  expect(JSON.stringify(model)).not.toContain(apiKey);
});

test("an unsupported setting of a provider prints no warning", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  globalThis.AI_SDK_LOG_WARNINGS = undefined;
  const model = await startModel([{ text: "a" }]);
  await generateText({ model: model.language, prompt: "Say.", topK: 3 });
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test("drives the SDK's tool loop over a stream, and the cost is the ledger's to the last digit", async () => {
  const model = await startModel([
    {
      reasoning: "I should look.",
      text: "Looking.",
      toolCalls: [
        { name: "look", arguments: { at: "the lamp" } },
        { name: "look", arguments: { at: "the ship" } },
      ],
      usage: { input: 2_001, cachedInput: 1_999, output: 33, reasoning: 20 },
      pieceLength: 5,
    },
    { text: "A lamp and a ship.", usage: { input: 2_100, cachedInput: 2_001, cacheWrite: 7, output: 11 }, delayMs: 1 },
  ]);
  const types: string[] = [];
  const look = tool({ inputSchema: jsonSchema<{ at: string }>({ type: "object" }), execute: ({ at }) => `saw ${at}` });
  const result = streamText({
    model: model.language,
    prompt: "Look.",
    tools: { look },
    stopWhen: ({ steps }) => steps.length >= 5,
    telemetry: { isEnabled: false },
    onError: () => undefined,
  });
  let tokens = noTokens;
  for await (const part of result.fullStream) {
    types.push(part.type);
    if (part.type === "finish-step") tokens = addTokens(tokens, readTokens(part.usage) ?? noTokens);
  }
  expect(await result.text).toBe("A lamp and a ship.");
  expect(types.filter((type) => type === "reasoning-delta").length).toBeGreaterThan(1);
  expect(types.filter((type) => type === "tool-result")).toHaveLength(2);
  const billed =
    server?.ledger.reduce(
      (sum, { input, cachedInput = 0, cacheWrite = 0, output }) =>
        sum + (input - cachedInput - cacheWrite) * 3 + cachedInput * 0.3 + cacheWrite * 3.75 + output * 15,
      0,
    ) ?? 0;
  expect(Math.abs(computeCost(tokens, prices).toNumber() - billed / 1e6)).toBeLessThan(1e-12);
  expect(server?.requests[1]?.body.messages.filter(({ role }) => role === "tool")).toHaveLength(2);
});

test.each<[string, StubTurn]>([
  ["with an event that is no JSON", { text: "Some words that are streamed.", failure: { kind: "garbage" } }],
  ["that is cut", { text: "Some words that are streamed.", failure: { kind: "cut", afterBytes: 900 } }],
])("a stream %s ends in an error", async (_, turn) => {
  const model = await startModel([turn]);
  const result = streamText({
    model: model.language,
    prompt: "Say.",
    maxRetries: 0,
    telemetry: { isEnabled: false },
    onError: () => undefined,
  });
  // What comes as an event that is no JSON is a part; what ends the connection ends the iteration.
  const readStream = async (): Promise<void> => {
    for await (const part of result.fullStream) if (part.type === "error") throw part.error;
  };
  await expect(readStream()).rejects.toThrow();
});

test("arguments of a tool that are no JSON reach the caller as such", async () => {
  const model = await startModel([{ toolCalls: [{ name: "look", arguments: '{"at": ' }] }]);
  const look = tool({ inputSchema: jsonSchema<{ at: string }>({ type: "object" }), execute: () => "never" });
  const result = streamText({
    model: model.language,
    prompt: "Look.",
    tools: { look },
    telemetry: { isEnabled: false },
    onError: () => undefined,
  });
  const parts: { type: string; invalid?: boolean | undefined }[] = [];
  for await (const part of result.fullStream) parts.push(part);
  expect(parts.find(({ type }) => type === "tool-call")).toMatchObject({ invalid: true });
});
