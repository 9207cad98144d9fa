import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runHere, type CommandResult } from "../run-cli.ts";
import { startTestService, type TestService } from "../../../service/test/running-service.ts";

let running: TestService;
let data: string;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "cloud-browser-keys-"));
  running = await startTestService({ data });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await rm(data, { recursive: true });
});

const silent: CommandResult = { code: 0, stdout: "", stderr: "" };

const runKeys = (...args: readonly string[]): Promise<CommandResult> => {
  const [command = "", ...rest] = args;
  return runHere(["keys", command, "--data", data, ...rest]);
};

test("keys are made, listed and revoked", async () => {
  expect(await runKeys("list")).toEqual({
    code: 0,
    stdout: "No keys except the one that the service was started with.\n",
    stderr: "",
  });
  const bounds = ["--max-sessions", "3", "--max-runs", "2", "--max-profiles", "1", "--daily-cost", "1.50"];
  const creation = await runKeys("create", "team-a", "--roles", "use,metrics", ...bounds);
  expect(creation).toMatchObject({ code: 0, stderr: "" });
  expect(creation.stdout).toMatch(/^cb_[\w-]{43}\n$/u);
  const headers = { authorization: `Bearer ${creation.stdout.trim()}` };
  expect((await fetch(`${running.service.url}/metrics`, { headers })).status).toBe(200);
  expect((await runKeys("create", "grafana", "--roles", "metrics")).code).toBe(0);

  const { stdout } = await runKeys("list");
  const lines = stdout.trimEnd().split("\n");
  expect((await runKeys("ls")).stdout).toBe(stdout);
  expect(lines).toEqual([
    expect.stringMatching(/^NAME {5}STATE {3}CREATED {11}ROLES {8}LIMITS$/u),
    expect.stringMatching(/^grafana {2}active +\d{4}-\d\d-\d\d \d\d:\d\d {2}metrics$/u),
    expect.stringMatching(
      /^team-a {3}active +\d{4}-\d\d-\d\d \d\d:\d\d {2}use,metrics {2}3 sessions, 2 runs, 1 profile, 1\.50 USD a day$/u,
    ),
  ]);
  const { stdout: json } = await runKeys("list", "--json");
  expect(JSON.parse(json)).toMatchObject([{ name: "grafana" }, { name: "team-a", roles: ["use", "metrics"] }]);
  expect(`${stdout}${json}`).not.toContain(creation.stdout.trim());

  expect(await runKeys("revoke", "team-a", "grafana")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect((await fetch(`${running.service.url}/metrics`, { headers })).status).toBe(401);
  expect((await runKeys("list")).stdout.match(/ revoked /gu)).toHaveLength(2);
});

/** Reads the status of a request with a key. */
async function readStatus(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key.trim()}` };
  return (await fetch(`${running.service.url}/control/sessions`, { headers })).status;
}

test("keys are changed, rotated, and expire", async () => {
  const { stdout: first } = await runKeys("create", "team-b", "--max-runs", "2", "--expires", "2100-01-31T12:00:00Z");
  expect(await runKeys("set", "team-b", "--max-sessions", "3", "--max-runs", "none")).toEqual(silent);
  expect((await runKeys("list")).stdout).toMatch(/^team-b {3}active .* use +3 sessions, until 2100-01-31 12:00$/mu);
  expect(await runKeys("set", "team-b", "--expires", "never", "--roles", "use,operate")).toEqual(silent);
  expect((await runKeys("list")).stdout).toMatch(/^team-b {3}active .* use,operate {2}3 sessions$/mu);
  const { code, stdout: second, stderr } = await runKeys("rotate", "team-b", "--overlap", "60");
  expect([code, stderr]).toEqual([0, ""]);
  expect([await readStatus(first), await readStatus(second)]).toEqual([200, 200]);
  const { stdout: third } = await runKeys("rotate", "team-b");
  expect([await readStatus(first), await readStatus(second), await readStatus(third)]).toEqual([401, 401, 200]);
});

test("an operator lists and ends the sessions of another key", async () => {
  const { stdout: key } = await runKeys("create", "team-c");
  const headers = { authorization: `Bearer ${key.trim()}` };
  const answer = await fetch(`${running.service.url}/control/sessions`, { method: "POST", headers });
  expect(answer.status).toBe(201);
  const run = (...args: readonly string[]): Promise<CommandResult> => runHere([...args, "--data", data]);
  const row = /^SESSION {31}KEY {5}STATE .*\n(?:.*\n)*[\da-f-]{36} {2}team-c {2}active /u;
  expect((await run("ls")).stdout).not.toMatch(/team-c/u);
  expect((await run("ls", "--all-keys", "--state", "active")).stdout).toMatch(row);
  expect((await run("ls", "--key", "team-c", "--json")).stdout).toContain('"cdp_url": null');
  const asUser = await runHere(["ls", "--all-keys", "--data", data], { CLOUD_BROWSER_API_KEY: key.trim() });
  expect(asUser).toMatchObject({ code: 5, stdout: "" });
  expect(asUser.stderr).toContain("lacks the role operate");
  expect(await run("end", "--all", "--key", "team-c")).toMatchObject({ code: 0, stdout: "1 ended.\n" });
  expect((await run("ls", "--key", "team-c", "--state", "active")).stdout).toContain("No sessions.");
  expect((await run("runs", "--all-keys")).code).toBe(0);
  for (const wrong of [
    ["ls", "--key", "*"],
    ["ls", "--key", "team-d"],
    ["runs", "--key", "team-d"],
    ["end", "--all", "--key", "team-d"],
    ["ls", "--key", "a", "--all-keys"],
    ["end", "x", "--all-keys"],
  ]) {
    expect([wrong, (await run(...wrong)).code]).toEqual([wrong, 2]);
  }
  const { stderr } = await run("ls", "--key", "tema-c");
  expect(stderr).toContain("no key has or had the name tema-c; did you mean team-c?");
});

test.each([
  [["create", "a b"], 2, "body.name"],
  [["create", "x", "--roles", "root"], 2, "body.roles.0"],
  [["create", "x", "--max-sessions", "-1"], 2, "Give a whole number from 0 to 1000000, or none."],
  [["create", "x", "--daily-cost", "much"], 2, "Give US dollars from 0 to 999999999, such as 0.50, or none."],
  [["create", "x", "--daily-cost", "-1"], 2, "Give US dollars from 0 to 999999999, such as 0.50, or none."],
  [["create", "x", "--max-runs", "1000000000"], 2, "from 0 to 1000000, or none."],
  [["revoke", "nobody"], 6, "no active key with that name"],
  [["rotate", "nobody"], 6, "no active key with that name"],
  [["set", "nobody", "--roles", "use"], 6, "no active key with that name"],
  [["set", "nobody"], 2, "name what is to be changed"],
  [["create", "x", "--expires", "tomorrow"], 2, "body.expires_at"],
])("%j ends in an error that says why", async (args, code, why) => {
  const result = await runKeys(...args);
  expect([result.code, result.stdout]).toEqual([code, ""]);
  expect(result.stderr).toContain(why);
});

test("a name is unique, and creating a key needs the role", async () => {
  await runKeys("create", "twice");
  expect(await runKeys("create", "twice")).toMatchObject({ code: 2, stdout: "" });
  const { stdout } = await runKeys("create", "user");
  const refusal = await runHere(["keys", "create", "more", "--data", data], { CLOUD_BROWSER_API_KEY: stdout.trim() });
  expect(refusal).toMatchObject({ code: 5, stdout: "" });
  expect(refusal.stderr).toContain("the API key user lacks the role control");
});

test("a key may have no sessions and no runs at all, at first or from now on", async () => {
  const { stdout: key } = await runKeys("create", "paused", "--max-sessions", "0", "--max-runs", "0");
  const headers = { authorization: `Bearer ${key.trim()}`, "content-type": "application/json" };
  const open = (): Promise<Response> =>
    fetch(`${running.service.url}/control/sessions`, { method: "POST", headers, body: "{}" });
  expect((await open()).status).toBe(429);
  const run = await fetch(running.service.automationUrl, {
    method: "POST",
    headers,
    body: JSON.stringify({ query: "open https://example.com" }),
  });
  expect([run.status, await run.text()]).toEqual([502, expect.stringContaining("quota")]);
  expect((await runKeys("list")).stdout).toMatch(/^paused .* 0 sessions, 0 runs$/mu);
  expect((await runKeys("set", "paused", "--max-sessions", "-1")).stderr).toContain("from 0 to 1000000, or none.");
});
