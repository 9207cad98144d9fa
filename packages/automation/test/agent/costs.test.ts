import { chooseTools } from "../../src/agent/agent-tools.ts";
import { createServer, type ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { createModel, type Model } from "@cloud-browser/page-content";
import { listenOnLoopback } from "@cloud-browser/testing/site.ts";
import { CostLedger } from "../../src/agent/cost-ledger.ts";
import { InputTokenBound } from "../../src/agent/input-token-bound.ts";
import { meterModel } from "../../src/agent/metered-model.ts";
import { callModel } from "../../src/agent/model-turn.ts";
import { Secrets } from "../../src/task/redaction.ts";

const prices = { input: "0", cachedInput: "0", cacheWrite: "0", output: "1000000" };
/** Most tokens of a response: at these prices, most dollars. */
const outputTokens = 50;

type Answer = (response: ServerResponse, isStream: boolean) => void;

const answerStatus =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(code, { "content-type": "application/json", ...headers }).end("{}");

/** Answers with a text, and the output tokens that it reports; without an end when it is left open. */
const answerText =
  (text: string, tokens?: number, isOpen = false): Answer =>
  (response, isStream) => {
    const usage = tokens === undefined ? {} : { usage: { prompt_tokens: 1, completion_tokens: tokens } };
    if (!isStream) {
      const message = { role: "assistant", content: text };
      const body = { id: "1", model: "m", choices: [{ index: 0, message, finish_reason: "stop" }], ...usage };
      return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    }
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    const delta = { choices: [{ index: 0, delta: { content: text } }] };
    const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], ...usage };
    response.write(`data: ${JSON.stringify(delta)}\n\ndata: ${JSON.stringify(end)}\n\ndata: [DO`);
    response.write("NE]\n\n");
    if (!isOpen) response.end();
  };

/** Asks a provider twice, once as an agent does and once as healing does; gives the costs, and why each failed. */
async function ask(answer: Answer, retries = 0) {
  let requests = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      requests += 1;
      answer(response, body.includes('"stream":true'));
    });
  });
  await using site = await listenOnLoopback(server, []);
  const model = createModel({ baseUrl: site.url, name: "m", prices, limits: { outputTokens, retries } });
  const { signal } = new AbortController();
  const agent = await asAgent(model, signal);
  const agentRequests = requests;
  const ledger = new CostLedger(prices, "1000");
  const question = { system: "", messages: [{ role: "user" as const, content: "?" }], schema: {}, signal };
  const healing = await meterModel(model, ledger).askForJson(question);
  const { spentUsd } = ledger;
  const why = healing.answered ? "" : healing.why;
  return { agent, healing: { cost: spentUsd, why }, requests: [agentRequests, requests - agentRequests] };
}

async function asAgent(model: Model, signal: AbortSignal): Promise<{ readonly cost: string; readonly why: string }> {
  const ledger = new CostLedger(prices, "1000");
  const turn = callModel({
    model,
    ledger,
    instructions: "",
    messages: [{ role: "user", content: "?" }],
    tools: chooseTools(false),
    inputTokens: 10,
    workplace: { emit: async () => {}, signal },
    secrets: new Secrets(""),
  });
  const why = await turn.then(
    () => "",
    (error: unknown) => String(error),
  );
  return { cost: ledger.spentUsd, why };
}

test.each<readonly [what: string, answer: Answer, cost: string]>([
  ["of usage that is reported is that", answerText("{}", 7), "7"],
  ["of usage beyond what was allowed is what is reported, too", answerText("{}", 70), "70"],
  ["of a text that is no JSON is what is reported", answerText("no", 9), "9"],
  ["of a short text without usage is a token for each byte", answerText("1234567"), "7"],
  ["of a long text without usage is what was allowed", answerText("x".repeat(5_000)), "50"],
  ["of a redirect is nothing", answerStatus(307, { location: "/elsewhere" }), "0"],
  ["of a status 300 is nothing", answerStatus(300), "0"],
  ["of a refused key is nothing", answerStatus(401), "0"],
  ["of a request that is refused is nothing", answerStatus(400), "0"],
  ["of a full rate is nothing", answerStatus(429), "0"],
  ["of a broken provider is nothing", answerStatus(500), "0"],
  ["of an overloaded provider is nothing", answerStatus(529), "0"],
])("the cost %s, for agent and healing alike", async (_, answer, cost) => {
  const { agent, healing } = await ask(answer);
  expect([agent.cost, healing.cost]).toEqual([cost, cost]);
});

test("a response ends at [DONE], though its connection stays open", async () => {
  const { agent } = await ask(answerText("{}", 7, true));
  expect(agent).toEqual({ cost: "7", why: "" });
});

test.each([
  ["seconds", 429, "3600", /reached its rate limit \(429\): try again in 3600 seconds/],
  [
    "a date",
    503,
    new Date(Date.now() + 3_600_000).toUTCString(),
    /responded with status 503: try again in 3[56]\d\d s/,
  ],
  ["more than the time of a task", 429, "61", /try again in 61 seconds/],
])("a pause that is longer than the time that is left is not waited for: %s", async (_, code, after, why) => {
  const { agent, healing, requests } = await ask(answerStatus(code, { "retry-after": after }), 2);
  expect(requests).toEqual([1, 1]);
  expect([agent.cost, healing.cost]).toEqual(["0", "0"]);
  expect(agent.why).toMatch(why);
  expect(healing.why).toMatch(why);
});

test("what a call can send is no less than a provider counts that has more tokens than bytes", () => {
  const bound = new InputTokenBound();
  expect(bound.estimate(["x".repeat(998)])).toBe(1_000);
  bound.recordUsage(1_000_000);
  expect(bound.estimate(["x".repeat(998), "y".repeat(998)])).toBe(2_000_000);
});
