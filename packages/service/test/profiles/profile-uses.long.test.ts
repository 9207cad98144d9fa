import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { listOwnBrowsers, listOwnRenderers } from "@cloud-browser/testing/browser-processes.ts";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProfileView } from "../../src/control/profiles/profile-view.ts";
import type { SessionView } from "../../src/control/session-view.ts";
import type { SessionOptions } from "../../src/sessions/session-options.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";
import { countIn, drive, startCountingSite, type CountingSite } from "./profile-site.ts";

let running: TestService;
let site: CountingSite;
const log: string[] = [];

beforeAll(async () => {
  site = await startCountingSite();
  running = await startTestService({
    profiles: { keys: randomBytes(32).toString("hex"), count: 50 },
    log: pino({ level: "debug" }, { write: (line) => void log.push(line) }),
  });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const open = (profile: SessionOptions["profile"], more: SessionOptions = {}): Promise<SessionView> =>
  running.open({ url: `${site.url}/`, record: false, ...(profile && { profile }), ...more });
const refusal = async (options: SessionOptions): Promise<readonly [number, string]> => {
  const answer = await running.ask("POST", "/control/sessions", options);
  return [answer.status, await answer.text()];
};
const show = async (name: string): Promise<ProfileView> =>
  readAnswer(await running.ask("GET", `/control/profiles/${name}`));
const session = async (id: string): Promise<SessionView> =>
  readAnswer(await running.ask("GET", `/control/sessions/${id}`));
const ended = async (id: string): Promise<SessionView> => {
  await expect.poll(async () => (await session(id)).state, { timeout: 60_000 }).toBe("ended");
  return session(id);
};

test("one session writes a profile at a time, others are told which, and may read it", async () => {
  const first = await open({ name: "single" });
  const [status, text] = await refusal({ profile: { name: "single" } });
  expect([status, text]).toEqual([409, expect.stringContaining(first.session_id)]);
  const reader = await open({ name: "single", mode: "read" });
  expect(await countIn(reader)).toBe(1);
  await running.end(first.session_id);
  const second = await open({ name: "single" });
  expect(await countIn(second)).toBe(2);
  // The reader began before the first was written, and writes nothing.
  expect((await running.end(reader.session_id)).profile).toMatchObject({ outcome: "read", why: null });
  await running.end(second.session_id);
  const third = await open({ name: "single", mode: "read" });
  expect(await countIn(third)).toBe(3);
  await running.end(third.session_id);
  expect(await show("single")).toMatchObject({ version: 2, last_write: { session_id: second.session_id } });
});

test("of sessions that ask for a profile at once one gets it", async () => {
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => running.ask("POST", "/control/sessions", { profile: { name: "race" } })),
  );
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["201", "409", "409", "409"]);
  const winner = answers.find(({ status }) => status === 201);
  if (winner) await running.end((await readAnswer<SessionView>(winner)).session_id);
});

test("a profile that is not there is not read, a name that is none and another mode are refused", async () => {
  expect(await refusal({ profile: { name: "nobody", mode: "read" } })).toEqual([
    404,
    expect.stringContaining("there is no profile nobody"),
  ]);
  for (const profile of [{ name: "a/b" }, { name: "" }, { name: "x", mode: "append" }, "x"])
    expect((await running.ask("POST", "/control/sessions", { profile })).status).toBe(422);
});

test("a profile is written back whatever ends its session: a limit, the client, its page", async () => {
  const limited = await open({ name: "limited" }, { total_limit_s: 2 });
  expect((await ended(limited.session_id)).profile).toMatchObject({ outcome: "saved" });
  const left = await open({ name: "limited" });
  await drive(left, async (page) => {
    const devtools = await page.context().browser()?.newBrowserCDPSession();
    await devtools?.send("Browser.close").catch(() => undefined);
  });
  expect((await ended(left.session_id)).profile).toMatchObject({ outcome: "saved" });
  const crashed = await open({ name: "limited" });
  for (const pid of listOwnRenderers()) process.kill(pid, "SIGKILL");
  const { end_reason, profile } = await ended(crashed.session_id);
  expect([end_reason, profile?.outcome]).toEqual(["page-crashed", "saved"]);
  const last = await open({ name: "limited", mode: "read" });
  expect(await countIn(last)).toBe(4);
  await running.end(last.session_id);
});

test("cookies of the request go before those of the profile", async () => {
  const { session_id: id } = await running.open({ url: `${site.url}/login`, record: false, profile: { name: "both" } });
  await running.end(id);
  const cookies = [{ name: "session", value: "given", domain: "127.0.0.1" }];
  const { session_id: next } = await open({ name: "both" }, { cookies });
  expect(site.cookies.at(-1)).toBe("session=given");
  await running.end(next);
  const { session_id: last } = await open({ name: "both", mode: "read" });
  expect(site.cookies.at(-1)).toBe("session=given");
  await running.end(last);
});

test("a session that could not be created writes nothing, and leaves the profile free", async () => {
  const { session_id: id } = await open({ name: "failing" });
  await running.end(id);
  expect((await refusal({ url: `${site.url}/drops`, profile: { name: "failing" } }))[0]).toBe(502);
  const reader = await open({ name: "failing", mode: "read" });
  expect(await countIn(reader)).toBe(2);
  expect(await show("failing")).toMatchObject({ in_use_by: null });
});

test("a profile that is deleted or replaced from outside while it is used: the session goes on, and writes nothing", async () => {
  const user = await open({ name: "deleted" });
  expect(await readAnswer(await running.ask("DELETE", "/control/profiles/deleted"))).toEqual({
    deleted: true,
    in_use_by: user.session_id,
  });
  const other = await open({ name: "deleted" });
  expect(await countIn(other)).toBe(1);
  await running.end(other.session_id);
  expect(await countIn(user)).toBe(1);
  expect((await running.end(user.session_id)).profile).toMatchObject({
    outcome: "failed",
    why: expect.stringContaining("deleted meanwhile"),
  });
  expect(await show("deleted")).toMatchObject({ version: 1, last_write: { session_id: other.session_id } });
});

test("a session whose browser dies leaves the version before, and says so", async () => {
  const { session_id: id } = await open({ name: "dying" });
  await running.end(id);
  const { session_id: next, cdp_url } = await open({ name: "dying" });
  expect(cdp_url).toEqual(expect.any(String));
  for (const pid of listOwnBrowsers()) process.kill(pid, "SIGKILL");
  const { profile } = await ended(next);
  expect(profile).toMatchObject({ outcome: "failed", why: "the session ended (browser-crashed)" });
  expect(await show("dying")).toMatchObject({
    version: 1,
    in_use_by: null,
    last_write: { session_id: next, outcome: "failed" },
  });
  const after = await open({ name: "dying", mode: "read" });
  expect(await countIn(after)).toBe(2);
  await running.end(after.session_id);
});

test("no value of a profile is in the log, in the metrics or in a file of the service", async () => {
  const { session_id: id } = await running.open({
    url: `${site.url}/login`,
    record: false,
    profile: { name: "quiet" },
  });
  await running.end(id);
  const exported = await (await running.ask("GET", "/control/profiles/quiet/storage-state")).text();
  expect(exported).toContain("cookie-secret");
  const metrics = await (await running.ask("GET", "/metrics")).text();
  const files = await Promise.all(
    ["records.sqlite", "records.sqlite-wal"].map((file) => readFile(join(running.data, file))),
  );
  for (const text of [log.join(""), metrics, ...files.map((bytes) => bytes.toString("latin1"))])
    expect(text.includes("cookie-secret")).toBe(false);
  expect(log.join("")).toContain("the profile of a session was written back");
  expect(metrics).toMatch(/^cloud_browser_profiles\{encryption_key="current"\} \d+$/mu);
  expect(metrics).toMatch(/^cloud_browser_profile_write_backs_total\{outcome="saved"\} \d+$/mu);
  expect(metrics).toMatch(/^cloud_browser_profile_write_backs_total\{outcome="failed"\} \d+$/mu);
  expect(metrics).toMatch(/^cloud_browser_profile_bytes [1-9]\d*$/mu);
});

test("an automation begins with a profile, writes it back, and is refused where a session would be", async () => {
  const start = (body: object): Promise<Response> => running.ask("POST", "/api/automation/start", body);
  const query = `Open ${site.url}/login and wait 1 second`;
  const events = await (await start({ query, profile: { name: "task" } })).text();
  expect(events).toContain('"type":"done"');
  expect(await show("task")).toMatchObject({ version: 1, in_use_by: null, sites: [{ site: "127.0.0.1" }] });
  const [, functionId = ""] = /"function_id":"([^"]+)"/.exec(events) ?? [];
  const before = await open({ name: "task" });
  const busy = await start({ query, profile: { name: "task" } });
  expect([busy.status, await busy.text()]).toEqual([409, expect.stringContaining(before.session_id)]);
  const missing = await start({ query, profile: { name: "nobody", mode: "read" } });
  expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining('"error"')]);
  const malformed = await start({ query, profile: { mode: "read" } });
  expect([malformed.status, await malformed.text()]).toEqual([400, expect.stringContaining("profile.name")]);
  await running.end(before.session_id);
  const again = await running.ask("POST", `/control/functions/${functionId}/run`, { profile: { name: "task" } });
  expect(await again.text()).toContain('"type":"done"');
  expect(await show("task")).toMatchObject({ version: 3 });
  const refused = await running.ask("POST", `/control/functions/${functionId}/run`, { profile: { name: "" } });
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('["body","profile","name"]')]);
});
