/** What commands print with --json is what --json-schema says. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  answerEvents,
  answerJson,
  answerText,
  makeSample,
  startFake,
  type Answer,
  type FakeService,
} from "./fake-service.ts";
import { runCli, runHere } from "./run-cli.ts";

const id = "0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b";
const session = { ...makeSample("Session"), session_id: id, state: "active", viewer_url: "https://a.example/viewer" };
const run = { ...makeSample("Run"), thread_id: id };
const handover = { ...makeSample("Handover"), handover_id: id, session_id: id, state: "answered", answer: "done" };
const file = { ...makeSample("File"), name: "a.txt", state: "complete", path: "/session-files/a.txt" };
const cookie = { name: "sid", value: "s3cr3t", domain: ".a.example", path: "/", secure: true, httpOnly: true, sameSite: "Lax" }; // prettier-ignore
const done = { type: "done", metadata: { thread_id: id, data: { name: "tea" } }, total_cost_usd: 0.25 };
const answers: Record<string, Answer> = {
  "GET /control/openapi.json": answerJson({ paths: {} }),
  "POST /control/sessions": answerJson(session, 201),
  "GET /control/sessions": answerJson({ sessions: [session] }),
  [`GET /control/sessions/${id}`]: answerJson(session),
  [`DELETE /control/sessions/${id}`]: answerJson(session),
  [`GET /control/sessions/${id}/timeline`]: answerJson({ ...makeSample("Timeline"), entries: [], has_more: false }),
  [`GET /control/sessions/${id}/files`]: answerJson({ files: [file] }),
  [`POST /control/sessions/${id}/files`]: answerJson(file, 201),

  [`POST /control/sessions/${id}/handover`]: answerJson(handover, 201),
  [`GET /control/sessions/${id}/handovers/${id}`]: answerJson(handover),
  [`POST /control/sessions/${id}/handovers/${id}/answer`]: answerJson(handover),
  "GET /control/handovers": answerJson({ open: 0, handovers: [handover] }),
  "GET /control/runs": answerJson({ runs: [run] }),
  [`GET /control/runs/${id}`]: answerJson(run),
  [`GET /control/runs/${id}/events`]: answerEvents([done]),
  [`POST /control/runs/${id}/cancel`]: answerJson({ cancelled: true }),
  "GET /control/functions": answerJson({ functions: [makeSample("Function")] }),
  [`GET /control/functions/${id}`]: answerJson(makeSample("Function")),
  [`POST /control/sessions/${id}/function`]: answerJson(makeSample("Function"), 201),
  [`DELETE /control/functions/${id}`]: answerJson({ deleted: true }),
  [`POST /control/functions/${id}/run`]: answerJson(run, 202),
  "GET /control/profiles": answerJson({ profiles: [makeSample("Profile")] }),
  "POST /control/profiles": answerJson({ ...makeSample("Profile"), left_out: [] }, 201),
  "GET /control/profiles/p": answerJson(makeSample("Profile")),
  "GET /control/profiles/p/storage-state": answerJson(makeSample("StorageState")),
  "DELETE /control/profiles/p": answerJson({ deleted: true, in_use_by: null }),
  "POST /control/profiles/reencrypt": answerJson({ reencrypted: 1, unreadable: 0 }),
  "GET /control/keys": answerJson({ keys: [makeSample("Key")] }),
  "POST /control/keys": answerJson({ ...makeSample("Key"), key: "cb_x" }, 201),
  "PATCH /control/keys/k": answerJson(makeSample("Key")),
  "POST /control/keys/k/rotate": answerJson({ name: "k", key: "cb_x", overlap_until: "2030-01-31T12:00:00Z" }),
  "DELETE /control/keys/k": answerJson({ revoked: true }),
  "GET /health": answerJson(makeSample("Health")),
  [`POST /sessions/${id}/page/scrape`]: answerJson({
    markdown: "# Tea",
    structured: { success: true, data: { name: "tea" } },
  }),
  [`GET /sessions/${id}/cookies`]: answerJson({ cookies: [cookie] }),
  "POST /api/automation/start": answerEvents([{ type: "text_delta", delta: "hello" }, done], {
    "x-service-run-id": id,
  }),
};

let service: FakeService;
let folder: string;
let video: FakeService;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cli-output-"));
  writeFileSync(join(folder, "state.json"), '{"cookies": [], "origins": []}');
  writeFileSync(join(folder, "schema.json"), '{"type": "object"}');
  video = await startFake({ "GET /v.mp4": answerText("video", "video/mp4") });
  service = await startFake({
    ...answers,
    [`GET /sessions/${id}/replay`]: answerJson({
      mp4_url: `${video.url}/v.mp4`,
      playlist_content: "",
      video_duration_ms: 5,
    }),
    [`GET /control/sessions/${id}/files/${String(Object(file).file_id)}`]: answerText(
      "bytes",
      "application/octet-stream",
    ),
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await video[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const env = (): Record<string, string> => ({
  CLOUD_BROWSER_BASE_URL: service.url,
  CLOUD_BROWSER_API_KEY: "sk-secret-of-the-test",
  HOME: folder,
});
const inFolder = (name: string): string => join(folder, name);

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** Every command that has --json, with arguments that make it print something. */
const calls: Record<string, () => string[]> = {
  open: () => ["https://a.example"],
  ls: () => [],
  end: () => [id],
  scrape: () => [id],
  cookies: () => [id],
  replay: () => [id, "--output", inFolder("v.mp4")],
  view: () => [id],
  timeline: () => [id],
  "files ls": () => [id],
  "files get": () => [id, "a.txt", "--output", inFolder("got.txt")],
  "files put": () => [id, inFolder("state.json")],
  automate: () => ["do it"],
  run: () => [id],
  "runs ls": () => [],
  "runs show": () => [id],
  "runs follow": () => [id],
  "runs cancel": () => [id],
  "functions ls": () => [],
  "functions show": () => [id],
  "functions make": () => [id, "--from", "2"],
  "functions delete": () => [id],
  "handover ls": () => [],
  "handover ask": () => [id, "log in", "--wait"],
  "handover answer": () => [id, "done"],
  "profiles ls": () => [],
  "profiles show": () => ["p"],
  "profiles import": () => ["p", inFolder("state.json")],
  "profiles export": () => ["p"],
  "profiles delete": () => ["p"],
  "profiles reencrypt": () => [],
  "keys ls": () => [],
  "keys create": () => ["k"],
  "keys set": () => ["k", "--max-runs", "2"],
  "keys rotate": () => ["k"],
  "keys revoke": () => ["k"],
};

test.each(Object.entries(calls))("%s --json prints what --json-schema describes", async (name, args) => {
  const words = name.split(" ");
  const described = await runHere([...words, "--json-schema"]);
  expect(described).toMatchObject({ code: 0, stderr: "" });
  const schema: object = JSON.parse(described.stdout);
  const validate = ajv.compile(schema);
  const { code, stdout, stderr } = await runHere([...words, ...args(), "--json", "--no-input"], env());
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const value: unknown = JSON.parse(stdout);
  expect(validate(value) || validate.errors).toBe(true);
  // Something that is not so is refused: the schema says something.
  expect(validate(5)).toBe(false);
  expect(stdout + stderr).not.toContain("sk-secret");
});

test("no command with --json is missing above", async () => {
  const { stdout } = await runHere(["--help"]);
  const names = [...stdout.matchAll(/^ {2}([a-z]+)/gmu)].map(([, name = ""]) => name);
  for (const name of names) {
    const { code } = await runHere([name, "--json-schema"]);
    if (name === "help") continue;
    const isAbove = Object.keys(calls).some((each) => each.split(" ")[0] === name) || name === "doctor";
    expect([name, code]).toEqual([name, isAbove ? 0 : 2]);
  }
});

test("without --json results are for people, and the progress of a run is beside them", async () => {
  const automated = await runHere(["automate", "do it"], env());
  expect(automated).toMatchObject({ code: 0, stdout: '{\n  "name": "tea"\n}\n' });
  expect(automated.stderr).toContain("done for 0.25 USD");
  expect((await runHere(["scrape", id], env())).stdout).toBe("# Tea\n");
  expect((await runHere(["scrape", id, "--schema", inFolder("schema.json")], env())).stdout).toBe(
    '{\n  "name": "tea"\n}\n',
  );
  const lines = (await runHere(["automate", "do it", "--events"], env())).stdout.trim().split("\n");
  expect(lines.map((line) => Object(JSON.parse(line)).type)).toEqual(["text_delta", "done"]);
});

test.each<[format: string, args: string[], expected: RegExp]>([
  ["cookies.txt", [], /^# Netscape HTTP Cookie File\n#HttpOnly_\.a\.example\tTRUE\t\/\tTRUE\t0\tsid\ts3cr3t\n$/],
  ["header", ["--url", "https://a.example/"], /^sid=s3cr3t\n$/],
  ["playwright", [], /"value": "s3cr3t"/],
  ["puppeteer", [], /"value": "s3cr3t"/],
  ["table", [], /^(?![^]*s3cr3t)NAME/],
])("cookies are written as %s", async (format, args, expected) => {
  const { code, stdout } = await runHere(["cookies", id, "--format", format, ...args], env());
  expect(code).toBe(0);
  expect(stdout).toMatch(expected);
});

test("a task and a schema are read from standard input", async () => {
  const { code, stdout } = await runCli(["automate", "--json"], { env: env(), stdin: "do it\n" });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ outcome: "done", thread_id: id, text: "hello" });
});

test("a recording that is there is not replaced", async () => {
  writeFileSync(inFolder("mine.mp4"), "mine");
  const args = ["replay", id, "--output", inFolder("mine.mp4")];
  expect(await runHere(args, env())).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") });
  const forced = await runHere([...args, "--force"], env());
  expect(forced).toMatchObject({ code: 0, stdout: `${inFolder("mine.mp4")}\n` });
  expect(forced.stderr).toContain("waiting for the recording");
});
