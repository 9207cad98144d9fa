import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conformance } from "../cli/command.ts";
import { redactAddress } from "../../src/redaction/shown-address.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "conformance-config-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const secret = "pw-0a1b2c3d";
/** One that could be the name of a variable. */
const apiKey = "pw_0a1b2c3d";

interface Row {
  readonly name: string;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  /** An object is written as JSON, a text as it is. */
  readonly file?: object | string;
  /** Text that the output must contain. */
  readonly says: string;
}

const address = "[redacted]";
const command = `curl -H "Authorization: Bearer ${secret}" https://api.example/open`;

const rows: readonly Row[] = [
  { name: "a password in the file", file: { baseUrl: `http://u:${secret}@h/` }, says: address },
  { name: "a name in the file", file: { baseUrl: `http://${secret}@h/` }, says: address },
  { name: "a query in a flag", args: ["--base-url", `http://h/?k=${secret}`], says: address },
  { name: "a fragment in the environment", env: { CLOUD_BROWSER_BASE_URL: `http://h/#${secret}` }, says: address },
  {
    name: "a password in the environment",
    args: ["--base-url", "http://h"],
    env: { CLOUD_BROWSER_AUTOMATION_URL: `https://u:${secret}@h/` },
    says: address,
  },
  { name: "a password without a scheme", args: ["--base-url", `u:${secret}@h`], says: address },
  { name: "a password with a slash", args: ["--base-url", `http://u:p/${secret}@h/`], says: address },
  {
    name: "a command that begins with a variable",
    args: ["--base-url", "http://h", "--session-command", `KEY=${secret} curl {url}`],
    says: "the rest may hold secrets",
  },
  { name: "a key that stands where its variable should", args: ["--api-key-env", apiKey], says: "is not set" },
  {
    name: "a command with a tab",
    args: ["--base-url", "http://h", "--end-session-command", `curl\t${secret}`],
    says: "curl … (the rest may hold secrets)",
  },
];

describe("config does not show", () => {
  test.for(
    rows.flatMap((row) => [row, { ...row, name: `${row.name}, as JSON`, args: [...(row.args ?? []), "--json"] }]),
  )("$name", async ({ args = [], env = {}, file, says }) => {
    writeFileSync(join(folder, "given.json"), JSON.stringify(file ?? {}));
    const { code, stdout, stderr } = await conformance(["config", "--config", "given.json", ...args], {
      env,
      cwd: folder,
    });
    expectNoSecret(stdout + stderr);
    expect(stdout).toContain(says);
    expect(code).toBe(0);
  });
});

describe("a usage error does not quote", () => {
  const calls: readonly Row[] = [
    {
      name: "a session command without its place",
      args: ["run", "--base-url", "http://h", "--session-command", command],
      says: "--session-command must be a command with {url} in it, and is something else",
    },
    {
      name: "a session command of the file",
      args: ["run", "--config", "given.json"],
      file: { sessionCommand: command },
      says: "must be a command with {url} in it, and is something else",
    },
    {
      name: "an end command that is none",
      args: ["config", "--config", "given.json"],
      file: { endSessionCommand: [command] },
      says: "must be a command",
    },
    {
      name: "an address that is none",
      args: ["config", "--config", "given.json"],
      file: { automationUrl: [`http://u:${secret}@h/`] },
      says: "must be a string",
    },
    {
      name: "an address without a scheme",
      args: ["run", "--base-url", `u:${secret}@h`, "--session-id", "s"],
      env: { CLOUD_BROWSER_API_KEY: "key" },
      says: "is not an absolute http(s) URL",
    },
    {
      name: "a header without a colon",
      args: ["run", "--header", `X-Token ${secret}`],
      says: '--header must be "Name: value"',
    },
    { name: "a key that has no flag", args: ["run", `--api-key=${secret}`], says: "unknown option '--api-key'" },
    { name: "a flag of another program", args: ["config", `-HX-Token: ${secret}`], says: "unknown option '-H'" },
    {
      name: "an address in the place of a command",
      args: ["run", `http://u:${secret}@h`],
      says: "unknown command",
    },
    {
      name: "an address in the place of a name",
      args: ["run", "--target", `http://u:${secret}@h`],
      says: "are prism and service",
    },
    {
      name: "a key in the place of its variable",
      args: ["run", "--base-url", "http://h", "--session-id", "s", "--api-key-env", secret],
      says: "--api-key-env must be the name of an environment variable",
    },
    {
      name: "a key that could be a variable",
      args: ["run", "--base-url", "http://h", "--session-id", "s", "--api-key-env", apiKey],
      says: "put the API key there",
    },
    {
      name: "what stands where JSON is broken",
      args: ["config", "--config", "given.json"],
      file: `{"k":${secret}}`,
      says: "given.json could not be read: Unexpected token 'p'",
    },
    {
      name: "what stands where YAML is broken",
      args: ["config", "--config", "given.yaml"],
      file: `headers:\n  x-token: "${secret}\n`,
      says: "given.yaml could not be read: line 3 ",
    },
  ];
  test.for(calls)("$name", async ({ args = [], env = {}, file, says }) => {
    const text = typeof file === "string" ? file : JSON.stringify(file ?? {});
    for (const name of ["given.json", "given.yaml"]) writeFileSync(join(folder, name), text);
    const { code, stdout, stderr } = await conformance(args, { env, cwd: folder });
    expectNoSecret(stdout + stderr);
    expect(stderr).toContain(says);
    expect(code).toBe(2);
  });
});

/** Neither of them may be shown. */
function expectNoSecret(text: string): void {
  expect(text).not.toContain(secret);
  expect(text).not.toContain(apiKey);
}

test.for(["http://h", "https://api.example.com:8443/a/@b/", "localhost", "ftp://h"])("%s is shown as it is", (text) => {
  expect(redactAddress(text)).toBe(text);
});

test("config shows each command with its own beginning", async () => {
  const args = [
    "--base-url",
    "http://h",
    "--session-command",
    "open-it {url}",
    "--end-session-command",
    "/bin/end {id}",
  ];
  const { stdout } = await conformance(["config", ...args], { cwd: folder });
  expect(stdout).toMatch(/^sessionCommand +flag +open-it … /m);
  expect(stdout).toMatch(/^endSessionCommand +flag +\/bin\/end … /m);
});
