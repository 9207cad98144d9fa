import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addServeFlags, readServeFlags, type ServeFlags } from "../../src/cli/serve/serve-flags.ts";
import { applySettings } from "../../src/cli/serve/settings-file.ts";
import type { ServiceOptions } from "../../src/service-options.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cloud-browser-settings-"));
});
afterAll(async () => rm(folder, { recursive: true }));

let files = 0;

/** Returns the options of a service whose file of settings has a text. */
async function optionsFrom(
  text: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ServiceOptions> {
  files += 1;
  const file = join(folder, `${files}.yaml`);
  await writeFile(file, text);
  Object.assign(process.env, env);
  try {
    const command = addServeFlags(new Command("serve"))
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    command.parse(["--settings", file, ...args], { from: "user" });
    applySettings(command);
    return readServeFlags(command.opts<ServeFlags>());
  } finally {
    for (const name of Object.keys(env)) delete process.env[name];
  }
}

test("a file sets flags by their names, with the values of the command line", async () => {
  const text = `
# A node of two cores.
port: 9000
max-sessions: 5
idle-limit: 60
allow:
  - intranet.example
  - 10.0.0.0/8:443
runs-outlive-readers: true
run-budget: "0.50"
log-level: warn
`;
  expect(await optionsFrom(text)).toMatchObject({
    port: 9_000,
    allow: ["intranet.example", "10.0.0.0/8:443"],
    limits: { count: 5, idleMs: 60_000 },
    runLimits: { outlivesReader: true, budgetUsd: "0.50" },
  });
  expect(await optionsFrom("")).toMatchObject({ port: 8090 });
  expect(await optionsFrom("run-budget: 0.5")).toMatchObject({ runLimits: { budgetUsd: "0.5" } });
});

test("the command line goes before the environment, and that before the file", async () => {
  const env = { CLOUD_BROWSER_MAX_SESSIONS: "6", CLOUD_BROWSER_PORT: "9002" };
  const options = await optionsFrom("port: 9001\nmax-sessions: 5\nmax-runs: 3\n", ["--port", "9003"], env);
  expect(options).toMatchObject({ port: 9_003, limits: { count: 6 }, runLimits: { count: 3 } });
});

test.each([
  ["max-session: 5", "max-session is no setting; did you mean max-sessions?"],
  ["settings: other.yaml", "settings is no setting"],
  ["maxSessions: 5", "maxSessions is no setting; did you mean max-sessions?"],
  ["entirely-else: 5", "entirely-else is no setting; see serve --help"],
  ["max-sessions: none", "max-sessions: Give a whole number from 1 to 10000."],
  ["max-sessions: 0", "max-sessions: Give a whole number from 1 to 10000."],
  ["log-level: loud", "log-level: Allowed choices are silent, error, warn, info, debug."],
  ["max-sessions:", "max-sessions: give a text, a number, true or false, or a list of these"],
  ['host: " "', "host: give a text"],
  ["host: { a: 1 }", "host: give a text"],
  ["allow: []", "allow: give a text"],
  ["- port", "give settings by the names of flags"],
  ["port 8090", "give settings by the names of flags"],
  ["port: 1\nport: 2", "Map keys must be unique"],
  ["port: [1", "at line 1"],
])("%j is refused, and the error says why", async (text, why) => {
  const refusal = await optionsFrom(text).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "usage", message: expect.stringContaining(why) });
  expect(String(refusal)).toContain(`${files}.yaml: `);
});

test("a file that is not there is refused", () => {
  const command = addServeFlags(new Command("serve"));
  command.parse(["--settings", join(folder, "none.yaml")], { from: "user" });
  expect(() => applySettings(command)).toThrow(expect.objectContaining({ code: "usage" }));
});
