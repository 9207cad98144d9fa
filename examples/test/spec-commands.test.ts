/** The commands of the README of `@cloud-browser/spec`: those whose tools are installed here are run, with the packages in place of `npx`. */
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const readme = readFileSync(new URL("spec/README.md", root), "utf8");

/** A command: `npx [-p] name@version [program] arguments`. */
interface Command {
  readonly name: string;
  readonly version: string;
  readonly args: readonly string[];
}

const commands = [...readme.matchAll(/^npx (?:-p )?(.+)@([\d.]+) (.+)$/gm)].map(
  ([, name = "", version = "", rest = ""]): Command => ({ name, version, args: rest.split(" ") }),
);
const names = commands.map(({ name, args }) => `${name} ${name.startsWith("@redocly") ? args[0] : ""}`.trim());

interface Manifest {
  readonly version?: string;
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const readManifest = (file: string | URL): Manifest => JSON.parse(readFileSync(file, "utf8"));

/** The program of a package that this repository has, and its version. */
function findInstalled(name: string): { program: string; version: string | undefined } {
  const from = name === "@stoplight/prism-cli" ? "packages/conformance/package.json" : "package.json";
  const paths = createRequire(new URL(from, root)).resolve.paths(name) ?? [];
  const folder = paths.map((path) => join(path, name)).find((path) => existsSync(join(path, "package.json")));
  if (folder === undefined) throw new Error(`${name} is not installed`);
  const { version, bin } = readManifest(join(folder, "package.json"));
  return { version, program: join(folder, (typeof bin === "string" ? bin : Object.values(bin ?? {})[0]) ?? "") };
}

const env = { ...process.env, NO_COLOR: "1", SCARF_ANALYTICS: "false", REDOCLY_TELEMETRY: "off", CI: "1" };
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "spec-commands-"));
  symlinkSync(fileURLToPath(new URL("examples/node_modules", root)), join(folder, "node_modules"), "dir");
});
afterAll(() => rmSync(folder, { recursive: true }));

function findCommand(name: string): Command {
  const command = commands[names.indexOf(name)];
  if (!command) throw new Error(`spec/README.md has no command ${name}; it has ${names.join(", ")}`);
  return command;
}

async function run({ name, args }: Command): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [findInstalled(name).program, ...args], {
    cwd: folder,
    env,
  });
  return stdout + stderr;
}

test("there are five, for five things", () => {
  expect(names).toEqual([
    "@stoplight/prism-cli",
    "openapi-typescript",
    "@redocly/cli lint",
    "@redocly/cli build-docs",
    "openapi-to-postmanv2",
  ]);
});

/** All but the one for Postman, which the tests of generators run. */
const runnable = commands.filter(({ name }) => name !== "openapi-to-postmanv2");

test.for(runnable)("$name is named with the version that is installed here: $args", ({ name, version }) => {
  expect(findInstalled(name).version).toBe(version);
});

test.for(commands)("$name is named with the version that the table of generators names: $args", ({ name, version }) => {
  const { dependencies = {} } = readManifest(new URL("spec/generators/package.json", root));
  expect(dependencies[name]).toBe(version);
});

test.for(commands)("every file that the command of $name reads is in the package: $args", ({ args }) => {
  const files = args.filter((arg) => arg.startsWith("node_modules/@cloud-browser/spec/"));
  expect(files).toHaveLength(1);
  const { files: shipped }: { files: string[] } = JSON.parse(readFileSync(new URL("spec/package.json", root), "utf8"));
  expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  expect(files.filter((file) => !shipped.includes(file.split("/")[3] ?? ""))).toEqual([]);
});

test("the mock plays the stream, and what a request prefers", async () => {
  const { name, args } = findCommand("@stoplight/prism-cli");
  const child = spawn(process.execPath, [findInstalled(name).program, ...args, "--port", "0"], { cwd: folder, env });
  try {
    const url = await listen(child.stdout);
    const start = async (prefer: string): Promise<[number, string]> => {
      const headers = { authorization: "Bearer key", "content-type": "application/json", prefer };
      const answer = await fetch(`${url}/api/automation/start`, { method: "POST", headers, body: '{"query":"q"}' });
      return [answer.status, await answer.text()];
    };
    const readExample = (ending: string): string =>
      readFileSync(
        join(folder, `node_modules/@cloud-browser/spec/examples/automation/automation.200.${ending}.sse`),
        "utf8",
      );
    expect(await start("code=200")).toEqual([200, readExample("done")]);
    expect(await start("example=error")).toEqual([200, readExample("error")]);
    expect(await start("code=401")).toEqual([401, expect.stringContaining("invalid")]);
  } finally {
    child.kill("SIGKILL");
  }
});

/** The address that the mock says it listens on. Its output is read to the end: without a reader it would end. */
function listen(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    output.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const url = /listening on (http:\/\/\S+)/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
    output.once("end", () => reject(new Error(`the mock ended; it said: ${text}`)));
  });
}

test("the types have events that are told apart by their type", async () => {
  await run(findCommand("openapi-typescript"));
  const types = readFileSync(join(folder, "api.d.ts"), "utf8");
  expect(types).toContain('"text/event-stream": components["schemas"]["AutomationEvent"];');
  expect(types).toMatch(/DoneEvent: \{[^]{0,200}type: "done";/);
  expect(types).toContain("scrape_links?: boolean;");
});

test("the linter has no finding", async () => {
  const output = await run(findCommand("@redocly/cli lint"));
  expect(output).toContain("valid");
  expect(output).not.toMatch(/warning|\d error/i);
});

test("the documentation has every operation", async () => {
  await run(findCommand("@redocly/cli build-docs"));
  const html = readFileSync(join(folder, "api.html"), "utf8");
  for (const operation of ["page_scrape", "session_cookies", "session_replay", "automation_start"]) {
    expect(html).toContain(operation);
  }
});
