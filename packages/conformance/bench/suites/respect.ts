/** Redocly respect: workflows in Arazzo, with the contract as their source. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fields, Json } from "../../test/targets/messages.ts";
import { makeProgram, run } from "../command.ts";
import { contract31 } from "../contract.ts";
import { handRequests, terminalEvent, type HandRequest } from "../requests.ts";
import { answerLimitMs, apiKey, endedSession, openSession, runLimitMs, type Suite } from "../suite.ts";

/** The key is given as a header: a scheme that the contract declares as OAuth 2 would want a token. */
const keys = { none: undefined, wrong: "Bearer x", right: `Bearer ${apiKey}` };

function criteria({ expects }: HandRequest): Json[] {
  if (expects === "invalid") return [{ condition: "$statusCode == 422" }];
  if (expects === "refused") return [{ condition: "$statusCode >= 300" }];
  if (typeof expects === "number") return [{ condition: `$statusCode == ${expects}` }];
  const status: Json = { condition: "$statusCode == 200" };
  return expects === "stream"
    ? [status, { context: "$response.body", condition: terminalEvent, type: "regex" }]
    : [status];
}

function step(request: HandRequest): Fields {
  const { operation, key = "right", body, text } = request;
  const authorization = keys[key];
  const session = operation === "session_replay" ? endedSession : openSession;
  const parameters: Json[] =
    operation === "automation_start" ? [] : [{ in: "path", name: "session_id", value: session }];
  if (authorization !== undefined) parameters.push({ in: "header", name: "Authorization", value: authorization });
  const payload = text ?? body;
  return {
    stepId: "send",
    operationId: operation,
    parameters,
    ...(payload === undefined ? {} : { requestBody: { contentType: "application/json", payload } }),
    successCriteria: criteria(request),
  };
}

const description: Json = {
  arazzo: "1.0.1",
  info: { title: "Requests by hand", version: "1.0.0" },
  sourceDescriptions: [{ name: "contract", type: "openapi", url: "contract.json" }],
  workflows: handRequests.map((request) => ({ workflowId: request.name, steps: [step(request)] })),
};

/** What is used of the report. */
interface Check {
  readonly name?: string;
  readonly status?: string;
  readonly message?: string;
}

/** The checks that did not pass, wherever in the report they are. */
function failures(value: unknown, workflow = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((inner) => failures(inner, workflow));
  const own = "workflowId" in value ? String(value.workflowId) : workflow;
  const inside = Object.values(value).flatMap((inner) => failures(inner, own));
  const { name, status, message }: Check = value;
  const isCheck = "name" in value && "status" in value && "severity" in value;
  return isCheck && status === "error" ? [`${own}: ${name}: ${message}`, ...inside] : inside;
}

export const respect: Suite = {
  name: "Redocly respect 2.77",
  input: `OpenAPI 3.1; ${handRequests.length} workflows by hand`,
  prepare: async (folder) => {
    writeFileSync(join(folder, "contract.json"), JSON.stringify(contract31()));
    writeFileSync(join(folder, "requests.arazzo.json"), JSON.stringify(description));
  },
  judge: async (address, folder, own) => {
    const report = join(own, "respect.json");
    const server = ["--server", `contract=${address}`, "--max-fetch-timeout", String(answerLimitMs)];
    const started = ["respect", "requests.arazzo.json", ...server, "--json-output", report];
    const { late, output } = await run(makeProgram("redocly"), started, folder, runLimitMs);
    if (late || !existsSync(report)) return { complaints: [], broke: late ? "took too long" : output.slice(-300) };
    return { complaints: failures(JSON.parse(readFileSync(report, "utf8"))) };
  },
};
