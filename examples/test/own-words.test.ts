/** Programs of the examples and READMEs with a mock of the contract that has the words of a service, and answers by no others. */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createCloudBrowser } from "@cloud-browser/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runExample } from "./run-example.ts";

const root = new URL("../../", import.meta.url);
const words = ["--automation-word", "acme", "--service-word", "acme-web"];

let folder = "";
let prism: ChildProcess | undefined;
let env: Record<string, string>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "own-words-"));
  const program = fileURLToPath(new URL("spec/words/cli.mjs", root));
  await promisify(execFile)(process.execPath, [program, ...words, "--out", folder]);
  const cli = createRequire(new URL("packages/conformance/package.json", root)).resolve(
    "@stoplight/prism-cli/dist/index.js",
  );
  const quiet = { ...process.env, NO_COLOR: "1", SCARF_ANALYTICS: "false" };
  const args = [cli, "mock", "--port", "0", join(folder, "openapi-mock.json")];
  prism = spawn(process.execPath, args, { env: quiet, stdio: ["ignore", "pipe", "ignore"] });
  const url = await startServer(prism);
  env = { CLOUD_BROWSER_BASE_URL: url, CLOUD_BROWSER_AUTOMATION_URL: url, CLOUD_BROWSER_API_KEY: "key" };
});
afterAll(() => {
  prism?.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

/** The address that a mock says it listens on. Its output is read to the end: without a reader it would end. */
function startServer({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const url = /listening on (http:\/\/\S+)/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
    stdout?.once("end", () => reject(new Error(`the mock ended; it said: ${output}`)));
  });
}

test("an example follows an automation of the service", async () => {
  const { code, lines } = await runExample("follow-automation.ts", { ...env, CLOUD_BROWSER_AUTOMATION_WORD: "acme" });
  expect([code, lines.at(-1)]).toEqual([0, "done, for 0.0431 US dollars"]);
});

test("without its word the example says which address answered with 404, and which option sets the word", async () => {
  const { code, stderr } = await runExample("follow-automation.ts", env);
  expect(code).toBe(1);
  expect(stderr).toContain(
    `${env["CLOUD_BROWSER_BASE_URL"]}/api/automation/start answered with 404: automationWord sets`,
  );
});

test("the program of the README of the stream reads an automation of the service", async () => {
  const readme = readFileSync(new URL("packages/stream/README.md", root), "utf8");
  const code = /```ts\n([^]*?)```/.exec(readme)?.[1] ?? "";
  const args = ["--conditions=@cloud-browser/source", "--input-type=module-typescript", "--eval", code];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: fileURLToPath(new URL("examples/", root)),
    env: { ...process.env, ...env, CLOUD_BROWSER_AUTOMATION_WORD: "acme" },
  });
  expect(stdout).toContain("done for 0.0431 USD");
});

test("the client calls every operation of the service, and its raw client by the neutral names", async () => {
  const { CLOUD_BROWSER_BASE_URL: baseUrl, CLOUD_BROWSER_API_KEY: apiKey } = env;
  const own = { automationWord: "acme", serviceWord: "acme-web", requestOrigin: "test" };
  const client = createCloudBrowser({ baseUrl, apiKey, ...own });
  const { markdown } = await client.scrape("9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318");
  expect(markdown).toContain("Harbour ferries");
  const body = { query: "q" };
  const { response } = await client.raw.POST("/api/automation/start", { body, parseAs: "text" });
  expect([response.status, new URL(response.url).pathname]).toEqual([200, "/api/acme/start"]);
});
