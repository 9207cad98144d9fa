/** A service that has words of its own where the interface says `automation` and `service`. */
import { createCloudBrowser } from "@cloud-browser/client";
import { startRun } from "@cloud-browser/client/runs";
import { readAutomationStream } from "@cloud-browser/stream";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService } from "../../src/service.ts";
import { key, Place, runHere } from "../command-line.ts";
import { startTestService, type TestService } from "../running-service.ts";

const words = { automationWord: "acme", serviceWord: "acme-web" };
const query = "Open about:blank";

interface Line {
  readonly msg?: string;
  readonly path?: string;
  readonly request_origin?: string;
  readonly sdk_version?: string;
}

let running: TestService;
const lines: Line[] = [];

beforeAll(async () => {
  const log = pino({ level: "info" }, { write: (text) => void lines.push(JSON.parse(text)) });
  running = await startTestService({ ...words, log });
});
afterAll(() => running?.[Symbol.asyncDispose]());

const address = () => ({ baseUrl: running.service.url, apiKey: running.service.apiKey });

test("an error leads nowhere where no documentation is named", async () => {
  const answer = await running.ask("GET", "/sessions/5e55104e-0000-4000-8000-000000000000/cookies");
  expect([answer.status, answer.headers.get("link")]).toEqual([404, null]);
});

test("tells its own address", () => {
  expect(running.service.automationUrl).toBe(`${running.service.url}/api/acme/start`);
});

test.each(["acme", "automation"])("answers at /api/%s/start", async (word) => {
  const answer = await running.ask("POST", `/api/${word}/start`, { query });
  expect(answer.status).toBe(200);
  const stream = readAutomationStream(answer);
  expect(await stream.outcome()).toMatchObject({ type: "done" });
  const refused = await fetch(`${running.service.url}/api/${word}/start`, { method: "POST" });
  expect([refused.status, await refused.json()]).toEqual([401, { error: expect.any(String) }]);
  const invalid = await running.ask("POST", `/api/${word}/start`, {});
  expect(invalid.status).toBe(400);
});

test.each(["other", "service", "acme-web", "Acme", "acme/x"])("does not answer at /api/%s/start", async (word) => {
  const answer = await running.ask("POST", `/api/${word}/start`, { query });
  expect(answer.status).toBe(404);
});

test("the client reaches it by its words, by its endpoint and by the neutral ones", async () => {
  const { automationUrl } = running.service;
  for (const own of [words, { automationUrl }, {}]) {
    const client = createCloudBrowser({ ...address(), ...own });
    expect(await (await client.automate({ query })).outcome()).toMatchObject({ type: "done" });
    const run = await startRun(client, { query });
    expect(run.isDetached).toBe(true);
    expect(await run.stream.outcome()).toMatchObject({ type: "done" });
  }
});

test("a wrong word is an error that says which address answered, and which option sets the word", async () => {
  const client = createCloudBrowser({ ...address(), automationWord: "other" });
  await expect(client.automate({ query })).rejects.toMatchObject({
    code: "not-found",
    message: `${running.service.url}/api/other/start answered with 404: automationWord sets the word in this path`,
  });
});

test.each([{ serviceWord: "acme-web" }, { serviceWord: "service" }])(
  "the log has what both headers say, by the word $serviceWord",
  async (own) => {
    const { session_id } = await running.open();
    const client = createCloudBrowser({ ...address(), ...own, requestOrigin: "test", sdkVersion: "1.4.40" });
    await client.scrape(session_id);
    const path = `/sessions/${session_id}/page/scrape`;
    expect(lines.filter((line) => line.path === path)).toMatchObject([
      { request_origin: "test", sdk_version: "1.4.40" },
    ]);
    await client.scrape(session_id, {}, { requestOrigin: "https://a.example/?key=s3cr3t", sdkVersion: "x".repeat(65) });
    const [, second] = lines.filter((line) => line.path === path);
    expect([second?.msg, second?.request_origin, second?.sdk_version]).toEqual(["request", undefined, undefined]);
  },
);

test.each([
  ["automationWord", "a/b"],
  ["automationWord", ""],
  ["serviceWord", "a b"],
  ["serviceWord", "acme\n"],
])("refuses to start with %s %j", async (name, word) => {
  await expect(startService({ [name]: word })).rejects.toMatchObject({
    code: "usage",
    message: `malformed ${name} ${JSON.stringify(word)}: use letters, digits, - and _`,
  });
});

test("the command says its own address, and takes the words from flags and from the environment", async () => {
  await using place = new Place();
  const flagged = await place.serving(["--automation-word", "acme"], { CLOUD_BROWSER_SERVICE_WORD: "acme-web" });
  await expect.poll(flagged.stdout).toContain(`Automation  ${flagged.url}/api/acme/start\n`);
  const headers = { authorization: `Bearer ${key}` };
  const body = JSON.stringify({ query });
  const outcome = await readAutomationStream(
    await fetch(`${flagged.url}/api/acme/start`, { method: "POST", headers, body }),
  ).outcome();
  const id = (outcome.type === "done" && outcome.event.function_id) || "";
  const again = await fetch(`${flagged.url}/control/functions/${id}/run`, { method: "POST", headers, body: "{}" });
  expect(await readAutomationStream(again).outcome()).toMatchObject({ type: "done" });
  const wrong = await runHere(["serve", "--automation-word", "a/b", "--data", place.data]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('malformed automationWord "a/b"')]);
});
