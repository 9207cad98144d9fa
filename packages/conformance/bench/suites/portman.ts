/** Portman: a Postman collection with tests from the contract, and variations by hand; run by Newman. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../../test/targets/messages.ts";
import { makeProgram, run } from "../command.ts";
import { contract31 } from "../contract.ts";
import { handRequests, terminalEvent, type HandRequest } from "../requests.ts";
import { answerLimitMs, apiKey, runLimitMs, type Suite } from "../suite.ts";

const on = { enabled: true };
const every = { openApiOperation: "*::/*" };
const inJson = { ...every, excludeForOperations: ["automation_start"] };
const replaced = (key: string, value: string): Json => ({ key, value, overwrite: true });
const authorization = (key: HandRequest["key"]): Json => replaced("Authorization", key === "wrong" ? "Bearer x" : "");

/** What is sent otherwise than in the request that the contract gives. */
function overwrites({ key, body }: HandRequest): Json {
  const list: Record<string, Json>[] = [];
  if (key === "none") list.push({ overwriteRequestHeaders: [{ key: "Authorization", remove: true }] });
  if (key === "wrong") list.push({ overwriteRequestHeaders: [authorization(key)] });
  if (key === undefined && body !== undefined)
    list.push({ overwriteRequestBody: [{ key: ".", value: body, overwrite: true }] });
  return list;
}

/** The answer that a variation belongs to, and its tests. */
function variation(request: HandRequest): Json {
  const { operation, name, expects } = request;
  const status = expects === "invalid" ? 422 : expects;
  const refused = ["pm.test('is refused', () => pm.expect(pm.response.code).to.be.at.least(300));"];
  const contractTests =
    typeof status === "number"
      ? [
          { statusCode: { enabled: true, code: status } },
          ...(status === 422 ? [{ contentType: on }, { jsonBody: on }, { schemaValidation: on }] : []),
        ]
      : [];
  const tests = contractTests.length > 0 ? { contractTests } : { extendTests: [{ tests: refused }] };
  return {
    openApiOperationId: operation,
    ...(typeof status === "number" ? { openApiResponse: String(status) } : {}),
    variations: [{ name, overwrites: overwrites(request), tests }],
  };
}

/** It has no way to send what is no JSON. */
const wrong = handRequests.filter(
  ({ expects, text }) => text === undefined && (typeof expects === "number" || /^(invalid|refused)$/.test(expects)),
);

const configuration: Json = {
  version: 1,
  tests: {
    contractTests: [
      { ...every, statusSuccess: on },
      { ...every, contentType: on },
      { ...inJson, jsonBody: on },
      { ...inJson, schemaValidation: on },
    ],
    extendTests: [
      {
        openApiOperationId: "automation_start",
        tests: [`pm.test('has an end', () => pm.expect(pm.response.text()).to.match(/${terminalEvent}/));`],
      },
    ],
    variationTests: wrong.map(variation),
  },
  overwrites: [
    { ...every, overwriteRequestHeaders: [{ ...Object(replaced("Authorization", `Bearer ${apiKey}`)), insert: true }] },
  ],
};

/** What is used of Newman's report. */
interface NewmanReport {
  readonly run: {
    readonly failures: readonly {
      readonly source?: { readonly name?: string };
      readonly error: { readonly name?: string; readonly test?: string; readonly message?: string };
    }[];
  };
}

export const portman: Suite = {
  name: "Portman 1.33, Newman 6.2",
  input: `OpenAPI 3.1; contract tests, and ${wrong.length} variations by hand`,
  prepare: async (folder) => {
    writeFileSync(join(folder, "contract.json"), JSON.stringify(contract31()));
    writeFileSync(join(folder, "portman.json"), JSON.stringify(configuration));
    writeFileSync(
      join(folder, "postman.json"),
      JSON.stringify({ folderStrategy: "Paths", requestParametersResolution: "Example" }),
    );
    const files = ["-l", "contract.json", "-c", "portman.json", "-s", "postman.json", "-o", "collection.json"];
    const { output } = await run(makeProgram("portman"), [...files, "-b", "{{target}}"], folder, 2 * runLimitMs);
    if (!existsSync(join(folder, "collection.json"))) throw new Error(output.slice(-500));
  },
  judge: async (address, folder, own) => {
    const report = join(own, "newman.json");
    const target = ["--env-var", `target=${address}`, "--timeout-request", String(answerLimitMs)];
    const reporter = ["--reporters", "json", "--reporter-json-export", report, "--ignore-redirects"];
    const collection = join(folder, "collection.json");
    const { late, output } = await run(
      makeProgram("newman"),
      ["run", collection, ...target, ...reporter],
      own,
      runLimitMs,
    );
    if (late || !existsSync(report)) return { complaints: [], broke: late ? "took too long" : output.slice(-300) };
    const { run: collectionRun }: NewmanReport = JSON.parse(readFileSync(report, "utf8"));
    return {
      complaints: collectionRun.failures.map(
        ({ source, error }) => `${source?.name}: ${error.test ?? error.name}: ${error.message}`,
      ),
    };
  },
};
