import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client as ClientOf2025 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioOf2025 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpOf2025 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAiTools } from "../src/ai-sdk.ts";
import { startMcp, type RunningMcp } from "../src/mcp.ts";
import { secrets, startCannedService, type CannedService } from "./canned-service.ts";
import { createTestClient, eras, wrapClient } from "./mcp-client.ts";
import { readPageText } from "./page-text.ts";

const token = "0123456789abcdef01234567";
let service: CannedService;
let mcp: RunningMcp;
beforeAll(async () => {
  service = await startCannedService();
  mcp = await startMcp({ baseUrl: service.url, apiKey: service.apiKey, http: { token } });
});
afterAll(async () => {
  await mcp.close();
  await service[Symbol.asyncDispose]();
});

const suite = fileURLToPath(
  new URL("../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);
const cli = fileURLToPath(new URL("../src/cli.ts", import.meta.url));
const command = {
  command: process.execPath,
  args: ["--conditions=@cloud-browser/source", cli, "--allow", "billed-runs"],
};
const makeEnvironment = (): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  CLOUD_BROWSER_BASE_URL: service.url,
  CLOUD_BROWSER_API_KEY: service.apiKey,
});

test.each(eras)("the client of the SDK 2.x speaks %s to the command over standard input and output", async (era) => {
  const transport = new StdioClientTransport({ ...command, env: makeEnvironment(), stderr: "pipe" });
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const client = createTestClient(era);
  await client.connect(transport);
  await using connection = wrapClient(client, () => client.close());
  expect((await client.listTools()).tools).toHaveLength(13);
  service.events.splice(
    0,
    Infinity,
    { type: "tool_start", name: "click" },
    { type: "done", total_cost_usd: 0, metadata: {} },
  );
  expect((await connection.call("automate", { query: `over stdio ${era}` })).structured).toMatchObject({
    state: "done",
  });
  expect(connection.progress.join()).toContain("step 1: click");
  const { contents } = await client.readResource({ uri: "cloud-browser://sessions/s-1/markdown/1" });
  expect(readPageText(String(Object(contents[0]).text))).toBe(service.markdown);
  expect(stderr).toBe("");
});

test("the client of the SDK 1.x lists, calls, reads, and confirms a run over HTTP", async () => {
  const client = new ClientOf2025({ name: "v1", version: "1" }, { capabilities: { elicitation: {} } });
  const messages: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    messages.push(params.message);
    return { action: "accept", content: { confirm: true } };
  });
  await client.connect(
    new HttpOf2025(new URL(mcp.url ?? ""), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  );
  expect((await client.listTools()).tools).toHaveLength(13);
  const progress: string[] = [];
  const result = await client.callTool({ name: "automate", arguments: { query: "by v1" } }, undefined, {
    onprogress: ({ message }) => void progress.push(message ?? ""),
  });
  expect(result.structuredContent).toMatchObject({ state: "done" });
  expect(messages).toHaveLength(1);
  expect(progress.join()).toContain("step 1: click");
  // It has forms, and can't show links: the person is told where else to go.
  const person = await client.callTool({
    name: "ask_person",
    arguments: { session_id: "s-1", message: "log in", wait_s: 0 },
  });
  expect(JSON.stringify(person)).toMatch(/console of the service/u);
  expect(JSON.stringify(person)).not.toContain(secrets.steer);
  const { contents } = await client.readResource({ uri: "cloud-browser://sessions/s-2/replay" });
  expect(JSON.parse(String(Object(contents[0]).text))).toMatchObject({ video_duration_ms: 5_000 });
  await client.close();
});

test("the client of the SDK 1.x speaks to the command over standard input and output", async () => {
  const client = new ClientOf2025({ name: "v1", version: "1" });
  await client.connect(new StdioOf2025({ ...command, env: makeEnvironment() }));
  const { content } = await client.callTool({ name: "scrape", arguments: { session_id: "s-1" } });
  expect(readPageText(String(Object(Object(content)[0]).text))).toBe(service.markdown);
  await client.close();
});

test.each(["server-initialize", "ping", "tools-list", "resources-list", "dns-rebinding-protection"])(
  "the conformance suite of the protocol finds nothing in its scenario %s",
  async (scenario) => {
    await using front = await startFront();
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      suite,
      "server",
      "--url",
      front.url,
      "--scenario",
      scenario,
    ]);
    expect(stdout + stderr).toMatch(/Passed: (\d+)\/\1, 0 failed/u);
  },
);

/** Starts what adds the token to requests, for a suite that has no way to send one; all else passes as it is. */
async function startFront(): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const { host = "", ...rest } = request.headers;
    const own = new URL(mcp.url ?? "");
    const headers = { ...rest, authorization: `Bearer ${token}`, host };
    const passed = httpRequest(own, { method: request.method ?? "GET", headers, setHost: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}/mcp`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns a model that makes calls of tools, one after the other, and then repeats what it read last. */
function scriptedModel(calls: readonly (readonly [name: string, args: unknown])[]): MockLanguageModelV4 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  let turn = 0;
  return new MockLanguageModelV4({
    async doGenerate({ prompt }) {
      const [name, args] = calls[turn] ?? [];
      turn += 1;
      if (name === undefined) {
        const last = prompt.at(-1);
        return {
          content: [{ type: "text", text: JSON.stringify(last) }],
          finishReason: { unified: "stop", raw: "stop" },
          usage,
          warnings: [],
        };
      }
      const content = [
        { type: "tool-call" as const, toolCallId: `call-${turn}`, toolName: name, input: JSON.stringify(args) },
      ];
      return { content, finishReason: { unified: "tool-calls", raw: "tool-calls" }, usage, warnings: [] };
    },
  });
}

test("a model of the AI SDK opens, reads and ends a session, and heals a call that was wrong", async () => {
  const model = scriptedModel([
    ["open_session", { url: "https://shop.example" }],
    ["scrape", { sessionId: "s-1" }],
    ["scrape", { session_id: "s-1" }],
    ["end_session", { session_id: "s-1" }],
  ]);
  const tools = createAiTools({ baseUrl: service.url, apiKey: service.apiKey });
  const { steps } = await generateText({ model, tools, prompt: "read the shop", stopWhen: isStepCount(10) });
  const results = steps.flatMap(({ toolResults }) =>
    toolResults.map(({ output }) => ({ text: "", isError: undefined, ...Object(output) })),
  );
  expect(results.map(({ isError }) => isError)).toEqual([false, true, false, false]);
  expect(results[1]?.text).toContain("did you mean session_id?");
  const prompt = JSON.stringify(model.doGenerateCalls.at(-1)?.prompt);
  expect(prompt).toContain("[page-text ");
  expect(Object.values(secrets).filter((secret) => prompt.includes(secret))).toEqual([]);
});

test("a billed run of the AI SDK waits for an approval, unless it is allowed", async () => {
  const before = service.requests.filter((one) => one.startsWith("POST /api/automation")).length;
  const prompt = "buy";
  const calls = [["automate", { query: "buy by the AI SDK" }]] as const;
  const asking = createAiTools({ baseUrl: service.url, apiKey: service.apiKey });
  const waiting = await generateText({ model: scriptedModel(calls), tools: asking, prompt, stopWhen: isStepCount(3) });
  expect(waiting.content.some(({ type }) => type === "tool-approval-request")).toBe(true);
  expect(service.requests.filter((one) => one.startsWith("POST /api/automation"))).toHaveLength(before);
  const allowed = createAiTools({ baseUrl: service.url, apiKey: service.apiKey, allow: ["billed-runs"] });
  const result = await generateText({ model: scriptedModel(calls), tools: allowed, prompt, stopWhen: isStepCount(3) });
  expect(JSON.stringify(result.steps[0]?.toolResults)).toContain("state: done");
  expect(service.requests.filter((one) => one.startsWith("POST /api/automation"))).toHaveLength(before + 1);
});
