import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMcpServer } from "../src/mcp.ts";
import { allowances } from "../src/tools/tool-settings.ts";
import { secrets, startCannedService, type CannedService } from "./canned-service.ts";
import { connectInMemory, type CalledText, type ConnectedClient, type Era, type Person } from "./mcp-client.ts";

const yes: Person = async () => ({ action: "accept", content: { confirm: true } });
const done = { type: "done", metadata: { thread_id: "run-1" }, total_cost_usd: 0.02, function_id: "f-1" };

/** Tests what holds in each era of the protocol. */
export function testEra(era: Era): void {
  let service: CannedService;
  beforeAll(async () => {
    service = await startCannedService();
  });
  afterAll(async () => service[Symbol.asyncDispose]());
  const connect = (options: Parameters<typeof createMcpServer>[0], person?: Person): Promise<ConnectedClient> =>
    connectInMemory(createMcpServer({ baseUrl: service.url, apiKey: service.apiKey, ...options }), era, person);

  describe(`in the era of ${era}`, () => {
    test("all descriptions together have at most 1,500 tokens, whatever is allowed", async () => {
      for (const allow of [[], allowances]) {
        await using connection = await connect({ allow });
        const { tools } = await connection.client.listTools();
        const listing = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
        expect(countTokens(JSON.stringify(listing))).toBeLessThanOrEqual(1_500);
        expect(tools.length).toBe(13);
      }
    });

    test("each tool says truly what it changes", async () => {
      await using connection = await connect({});
      const { tools } = await connection.client.listTools();
      const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
      for (const { name, annotations } of tools) {
        expect({ name, hints: Object.keys(annotations ?? {}).toSorted() }).toEqual({
          name,
          hints: ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint", "title"],
        });
        if (annotations?.readOnlyHint !== true) continue;
        const before = service.requests.length;
        await connection.call(name, { session_id: "s-2", wait_s: 1 });
        const changing = service.requests
          .slice(before)
          .filter((one) => !one.startsWith("GET ") && !one.includes("/page/scrape"));
        expect({ name, changing }).toEqual({ name, changing: [] });
      }
      expect(Object.keys(hints).filter((name) => hints[name]?.destructiveHint === true)).toEqual([
        "end_session",
        "automate",
        "cancel_run",
        "run_function",
      ]);
    });

    test("a billed run is started once a person has said yes, and not when they say no", async () => {
      service.events.splice(0, Infinity, { type: "tool_start", name: "click" }, done);
      const messages: string[] = [];
      await using connection = await connect({}, async ({ message }) => {
        messages.push(message);
        return messages.length === 1
          ? { action: "accept", content: { confirm: false } }
          : { action: "accept", content: { confirm: true } };
      });
      const countStarts = (): number =>
        service.requests.filter((one) => one.startsWith("POST /api/automation/start")).length;
      const before = countStarts();
      const refusal = await connection.call("automate", { query: "buy a chair" });
      expect(refusal.isError && refusal.text).toContain("did not confirm");
      expect(countStarts()).toBe(before);
      const run = await connection.call("automate", { query: "buy a chair" });
      expect(run.structured).toMatchObject({ state: "done", cost_usd: "0.02" });
      expect(countStarts()).toBe(before + 1);
      expect(messages).toHaveLength(2);
      expect(connection.progress.join()).toContain("step 1: click");
    });

    test("a person is brought to a session by an address that the agent never sees", async () => {
      const visited: string[] = [];
      await using connection = await connect({}, async ({ mode, url = "" }) => {
        visited.push(`${mode} ${url}`);
        const [open] = service.requests.filter((one) => one.includes("/handover")).slice(-1);
        const id = `h-${service.requests.filter((one) => one.endsWith("/handover")).length}`;
        expect(open).toBeDefined();
        await fetch(`${service.url}/control/sessions/s-1/handovers/${id}/answer`, {
          method: "POST",
          headers: { authorization: `Bearer ${service.apiKey}` },
          body: JSON.stringify({ answer: "done", note: "I am in" }),
        });
        return { action: "accept" };
      });
      const result = await connection.call("ask_person", { session_id: "s-1", message: "Please log in" });
      expect(visited).toEqual([`url http://127.0.0.1/view?token=${secrets.steer}`]);
      expect(result.structured).toMatchObject({ answer: "done" });
      expect(JSON.stringify(result.raw)).not.toContain(secrets.steer);
    });

    test("a client without elicitation is told how a run is allowed, and nothing is started", async () => {
      await using connection = await connect({});
      const before = service.requests.length;
      const { isError, text } = await connection.call("automate", { query: "buy" });
      expect(isError && text).toMatch(/nothing was started.*`allow` billed-runs/u);
      expect(service.requests.slice(before).filter((one) => one.includes("automation"))).toEqual([]);
    });

    test("no result has a secret: key, values of cookies, presigned addresses, tokens", async () => {
      service.markdown = `The key is ${secrets.key}, or ${encodeURIComponent(secrets.key)}`;
      service.events.splice(
        0,
        Infinity,
        { type: "notte_session_data", viewer_url: `http://x/?token=${secrets.viewer}` },
        { type: "text_delta", delta: secrets.key },
        done,
      );
      await using connection = await connect({ allow: ["billed-runs"] }, yes);
      const { tools } = await connection.client.listTools();
      const calls: CalledText[] = [];
      for (const { name } of tools) {
        calls.push(await connection.call(name, exampleArguments(name)));
      }
      const { resourceTemplates } = await connection.client.listResourceTemplates();
      const resources = await Promise.all(
        resourceTemplates.map(({ uriTemplate }) =>
          connection.client.readResource({ uri: uriTemplate.replace("{session_id}", "s-2").replace(/\{\w+\}/u, "1") }),
        ),
      );
      const output = JSON.stringify([
        calls.map(({ raw }) => raw),
        resources,
        connection.progress,
        await connection.client.listResources(),
      ]);
      expect(calls.filter(({ isError }) => isError).map(({ text }) => text)).toEqual([]);
      expect(Object.values(secrets).filter((secret) => output.includes(secret))).toEqual([]);
      service.markdown = "# Page";
    });
  });
}

/** Arguments with which each tool has something to say. */
function exampleArguments(name: string): Record<string, unknown> {
  if (name === "open_session") return { url: "https://shop.example" };
  if (name === "automate") return { query: `show ${name}` };
  if (name.includes("function")) return name === "run_function" ? { function_id: "f-1" } : {};
  if (name === "cancel_run") return { run_id: "run-1" };
  if (name === "follow_run") return { run_id: "run-1", wait_s: 0 };
  if (name === "ask_person") return { session_id: "s-3", message: "log in", wait_s: 0 };
  return name === "list_sessions" ? {} : { session_id: "s-2" };
}
