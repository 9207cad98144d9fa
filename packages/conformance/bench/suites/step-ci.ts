/** Step CI: a workflow by hand, with schemas of the contract. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fields, Json } from "../../test/targets/messages.ts";
import { makeProgram, run } from "../command.ts";
import { findSchema } from "../contract.ts";
import { addresses, handRequests, terminalEvent, type HandRequest } from "../requests.ts";
import { answerLimitMs, apiKey, runLimitMs, type Suite } from "../suite.ts";

const inJson = { "Content-Type": [{ match: "^application/([^;]+[+])?json" }] };
const schemas = { scrape: "DataSpace", cookies: "CookiesResponse", replay: "ReplayResponse" };

function check({ expects }: HandRequest): Fields {
  if (expects === "invalid") return { status: 422, headers: inJson, schema: findSchema("HTTPValidationError") };
  if (expects === "refused") return { status: [{ gte: 300 }] };
  if (expects === "stream") {
    const headers = { "Content-Type": [{ match: "^text/event-stream" }] };
    return { status: 200, headers, body: [{ match: terminalEvent }] };
  }
  if (typeof expects === "number") return { status: expects };
  return { status: 200, headers: inJson, schema: findSchema(schemas[expects]) };
}

const keys = { none: undefined, wrong: "Bearer x", right: `Bearer ${apiKey}` };

function test(request: HandRequest): Json {
  const { operation, key = "right", body, text } = request;
  const [method, path] = addresses[operation];
  const authorization = keys[key];
  const http = {
    url: `\${{env.target}}${path}`,
    method,
    timeout: answerLimitMs,
    followRedirects: false,
    headers: {
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...(text === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { json: body }),
    ...(text === undefined ? {} : { body: text }),
    check: check(request),
  };
  return { steps: [{ name: "send", http }] };
}

const workflow: Json = {
  version: "1.1",
  name: "Requests by hand",
  config: { concurrency: 1 },
  env: { target: "" },
  tests: Object.fromEntries(handRequests.map((request) => [request.name, test(request)])),
};

/** It writes no report: the failed checks are those with a cross, below the name of their test. */
function complaintsIn(output: string): string[] {
  let name = "";
  return output.split("\n").flatMap((line) => {
    name = /^● (\S+) ›/.exec(line)?.[1] ?? name;
    const failed = /^ FAIL {2}(\S+)/.exec(line)?.[1];
    if (failed !== undefined) return [`${failed} failed`];
    return line.startsWith("✕ ") ? [`${name}: ${line.slice(2)}`] : [];
  });
}

export const stepCi: Suite = {
  name: "Step CI 2.8",
  input: `${handRequests.length} requests by hand; schemas of the contract`,
  prepare: async (folder) => {
    // JSON is YAML.
    writeFileSync(join(folder, "workflow.yml"), JSON.stringify(workflow));
  },
  judge: async (address, folder, own) => {
    const started = ["run", join(folder, "workflow.yml"), "-e", `target=${address}`];
    const { late, output } = await run(makeProgram("stepci"), started, own, runLimitMs);
    if (late) return { complaints: complaintsIn(output), broke: "took too long" };
    if (!/^Tests: /m.test(output)) return { complaints: [], broke: output.slice(-300) };
    return { complaints: complaintsIn(output) };
  },
};
