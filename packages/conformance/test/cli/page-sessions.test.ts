import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { register } from "../../src/cli/run.ts";
import { commandHere } from "./command-here.ts";
import { ownFolder } from "./own-folder.ts";
import { apiKey, SiteServer } from "../pages/site-server.ts";

const folder = ownFolder();

/** Asks the server's own door for sessions, as a person would with curl. */
function ask(url: string): string {
  const program = `fetch('${url}').then(async (answer) => process.stdout.write(await answer.text()))`;
  return `"${process.execPath}" -e "${program}"`;
}

test("sessions are opened and ended by the commands that are given, and one of them is the open session", async () => {
  await using server = await SiteServer.start();
  const selected = ["--only", "cookies/status-200,page/cookies-*,recording/mp4-*"];
  const commands = {
    open: ["--session-command", ask(`${server.url}/control/open?url={url}`)],
    end: ["--end-session-command", ask(`${server.url}/control/end?id={id}`)],
  };
  const flags = [
    "--base-url",
    server.url,
    "--out",
    join(folder.path, "reports"),
    ...selected,
    ...commands.open,
    ...commands.end,
  ];
  vi.stubEnv("CLOUD_BROWSER_API_KEY", apiKey);
  const { code } = await commandHere(register, "run", ...flags).finally(() => vi.unstubAllEnvs());
  expect(code).toBe(0);
  const report = folder.readReport();
  expect(report.checks.map(({ status }) => status)).toEqual(report.checks.map(() => "pass"));
  expect(report.target.openedSessions?.map(({ sessionId }) => sessionId)).toEqual([...server.sessions.keys()]);
  expect([...server.sessions.values()].map(({ ended }) => ended)).toEqual([true, true, true]);
});

test("a session command that fails ends the run with exit code 3, and with its own words but the key", async () => {
  await using server = await SiteServer.start();
  const selected = ["--only", "page/cookies-*"];
  const command = 'echo "refused for $CLOUD_BROWSER_API_KEY" >&2; exit 9; # {url}';
  const words = ["run", "--base-url", server.url, ...selected, "--session-command", command];
  const outcome = await folder.conformance(words, { CLOUD_BROWSER_API_KEY: apiKey });
  expect(outcome.code).toBe(3);
  expect(outcome.stderr).toContain("the command of --session-command ended with exit code 9: refused for [redacted]");
  expect(`${outcome.stdout}${outcome.stderr}`).not.toContain(apiKey);
});
