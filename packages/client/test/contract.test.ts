import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { startPrism, type PrismServer } from "@cloud-browser/conformance";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCloudBrowser, type CallOptions, type CloudBrowser, type ScrapeRequest } from "../src/index.ts";
import { first, programs, run } from "./readme-programs.ts";

const sessionId = "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318";
const query = "Find the departure time of the next ferry from pier 3.";
const { resolve } = createRequire(import.meta.url);
const folder = join(dirname(resolve("@cloud-browser/spec/examples/scrape.200.markdown.json")), "..");
const read = (file: string): string => readFileSync(resolve(`@cloud-browser/spec/examples/${file}`), "utf8");
const readJson = (file: string): unknown => JSON.parse(read(file));

let prism: PrismServer;
let client: CloudBrowser;
beforeAll(async () => {
  prism = await startPrism();
  client = createCloudBrowser({ apiKey: "any-key", baseUrl: prism.url, automationUrl: prism.url });
}, 90_000);
afterAll(() => prism?.stop());

/** Selects an answer of the mock. */
function preferAnswer(prefer: string): CallOptions {
  return { headers: { prefer } };
}

/** Names of the examples whose files start and end so. */
function listExamples(start: string, end: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => basename(path));
  const files = all.filter((file) => file.startsWith(start) && file.endsWith(end));
  return files.map((file) => file.slice(start.length, -end.length));
}

const answers = [
  { operation: "scrape", call: (options: CallOptions) => client.scrape(sessionId, {}, options) },
  { operation: "cookies", call: (options: CallOptions) => client.cookies(sessionId, options) },
  { operation: "replay", call: (options: CallOptions) => client.replay(sessionId, options) },
].flatMap(({ operation, call }) =>
  listExamples(`${operation}.200.`, ".json").map((name) => ({ operation, name, call })),
);

test("knows every 200 example of the contract", () => {
  expect(answers.length).toBeGreaterThanOrEqual(9);
});
test.for(answers)("decodes $operation: $name", async ({ operation, name, call }) => {
  expect(await call(preferAnswer(`example=${name}`))).toEqual(readJson(`${operation}.200.${name}.json`));
});

test.for(listExamples("scrape.request.", ".json"))(
  "sends the scrape request %s, which the mock finds valid",
  async (name) => {
    const request: ScrapeRequest = JSON.parse(read(`scrape.request.${name}.json`));
    expect(await client.scrape(sessionId, request, { update_metadata: false })).toHaveProperty("markdown");
  },
);

test.for(listExamples("automation.200.", ".sse"))("follows the automation %s to its terminal event", async (name) => {
  const stream = await client.automate({ query }, preferAnswer(`example=${name}`));
  const want = read(`automation.200.${name}.sse`)
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line.slice("data: ".length)));
  const events: unknown[] = [];
  for await (const event of stream) events.push(event);
  expect(events).toEqual(want);
  expect(await stream.outcome()).toMatchObject({ event: want.at(-1) });
});

const validation = listExamples("validation.422.", ".json");
test.for(validation)("throws validation with the problems of %s", async (name) => {
  const body: { detail: unknown[] } = JSON.parse(read(`validation.422.${name}.json`));
  const want = {
    name: "ClientError",
    code: "validation",
    status: 422,
    operation: "page_scrape",
    problems: body.detail,
  };
  await expect(client.scrape(sessionId, {}, preferAnswer(`code=422, example=${name}`))).rejects.toMatchObject(want);
  const cookies = client.cookies(sessionId, preferAnswer(`code=422, example=${name}`));
  await expect(cookies).rejects.toMatchObject({ ...want, operation: "session_cookies" });
});

test("throws validation when the mock itself finds a request invalid", async () => {
  // @ts-expect-error: the field has another name
  await expect(client.scrape(sessionId, { only_image: true })).rejects.toMatchObject({
    code: "validation",
    status: 422,
  });
});

const refusals = [
  { status: 400, code: "bad-request" },
  { status: 401, code: "authentication" },
  { status: 502, code: "upstream" },
].flatMap(({ status, code }) => listExamples(`automation.${status}.`, ".json").map((name) => ({ status, code, name })));
test.for(refusals)(
  "throws $code when the automation is refused with $status: $name",
  async ({ status, code, name }) => {
    const body = readJson(`automation.${status}.${name}.json`);
    const want = { name: "ClientError", code, status, operation: "automation_start", body };
    await expect(client.automate({ query }, preferAnswer(`code=${status}, example=${name}`))).rejects.toMatchObject(
      want,
    );
  },
);

test("gives the typed client the same addresses and the same key", async () => {
  const params = { path: { session_id: sessionId } };
  const cookies = await client.raw.GET("/sessions/{session_id}/cookies", { params });
  expect(cookies.data).toHaveProperty("cookies");
  const refusal = await client.raw.POST("/api/automation/start", { body: { query }, headers: { prefer: "code=401" } });
  expect(refusal.response.status).toBe(401);
});

test("runs the first program of the README as it is", async () => {
  const [program] = programs;
  if (!program) throw new Error("the README has no program");
  const { stdout, stderr } = await run(program, prism.url);
  expect(stderr).toBe("");
  for (const text of first) expect(stdout).toContain(text);
});
