import { access, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { startFauxqs } from "fauxqs";
import { chromium, type Page } from "playwright-core";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import type { TimelineView } from "../../src/control/timeline-view.ts";
import { compileValidator } from "../../src/control/control-schemas.ts";
import { ask, Place } from "../command-line.ts";
import { LiveClient } from "../live/live-client.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

const patience = { timeout: 60_000, interval: 200 };
let running: TestService;
let site: Site;

beforeAll(async () => {
  running = await startTestService();
  site = await startSite({
    "/": `<title>Form</title><body style="margin:0"><button style="position:absolute;top:200px;width:200px;height:80px" onclick="confirm('Sure?')">Ask</button>
      <label>Name <input name="user"></label><label>Password <input type="password" name="pw"></label><label>Code <input name="second"></label>
      <a href="/file" download>Get it</a><button onclick="window.open('/other?t=hidden-3')">New</button>`,
    "/other": "<title>Other</title><h1>Other</h1>",
    "/file": (_, response) => response.setHeader("content-disposition", "attachment; filename=a.txt").end("x"),
  });
});
afterAll(async () => {
  await Promise.all([running?.[Symbol.asyncDispose](), site?.[Symbol.asyncDispose]()]);
});

async function timeline(at: TestService, id: string, query = ""): Promise<TimelineView> {
  const answer = await at.ask("GET", `/control/sessions/${id}/timeline${query}`);
  expect(answer.status).toBe(200);
  const view = await readAnswer<TimelineView>(answer);
  const isTimeline = compileValidator("Timeline");
  expect([isTimeline(view), isTimeline.errors]).toEqual([true, null]);
  return view;
}

const listEntries = ({ entries }: TimelineView): readonly string[] => entries.map(({ by, kind }) => `${by} ${kind}`);

/** Acts as a client; resolves when all of it is told. */
async function act(cdpUrl: string | null): Promise<void> {
  const browser = await chromium.connectOverCDP(cdpUrl ?? "");
  const page: Page | undefined = browser.contexts()[0]?.pages()[0];
  if (!page) throw new Error("the session has no page");
  await page.goto(`${site.url}/?t=hidden-1#hidden-2`);
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Password").fill("hidden-password");
  await page.getByLabel("Code").fill("hidden-code");
  const [popup] = await Promise.all([page.waitForEvent("popup"), page.getByRole("button", { name: "New" }).click()]);
  await popup.waitForLoadState();
  await popup.close();
  const dialog = page.waitForEvent("dialog");
  const clicked = page.getByRole("button", { name: "Ask" }).click();
  await (await dialog).accept();
  await clicked;
  await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Get it" }).click()]);
  await browser.close();
}

const acted = [
  "service tab-opened",
  "service navigation",
  "client navigation",
  "client fill",
  "client fill",
  "client fill",
  "client click",
  "client tab-opened",
  "client navigation",
  "client tab-closed",
  "client click",
  "page dialog",
  "client dialog-closed",
  "client click",
  "client download",
];

async function ready(at: TestService, id: string): Promise<void> {
  await vi.waitFor(async () => expect((await at.ask("GET", `/sessions/${id}/replay`)).status).toBe(200), patience);
}

test("a timeline is the same while a session lives and after its end, with the moments of its video, until its recording is deleted", async () => {
  const { session_id: id, cdp_url } = await running.open({ url: `${site.url}/?t=hidden-0` });
  await act(cdp_url);
  const live = await timeline(running, id);
  expect(listEntries(live)).toEqual(acted);
  expect(live).toMatchObject({ state: "active", video: null, ended_at: null });
  expect(live.entries.map(({ seq }) => seq)).toEqual(live.entries.map((_, index) => index + 1));
  expect(live.entries.filter(({ kind }) => kind === "fill")).toMatchObject([
    { target: { role: "textbox", name: "Name" }, value: "Ada" },
    { target: { role: "textbox", name: "Password" }, value: null, withheld: "password" },
    { target: { role: "textbox", name: "Code" }, value: null, withheld: "one-time-code" },
  ]);
  await running.end(id);
  await ready(running, id);
  const view = await timeline(running, id);
  expect(listEntries(view)).toEqual([...acted, "service end"]);
  const { start_ms = 0, duration_ms = 0 } = view.video ?? {};
  expect(view.entries.map(({ video_ms }) => video_ms)).toEqual(
    view.entries.map(({ at_ms }) => (at_ms < start_ms ? null : at_ms - start_ms)),
  );
  expect(view.entries.at(-2)?.video_ms).toBeLessThanOrEqual(duration_ms);
  const folder = join(running.data, "recordings", id);
  expect(await readFile(join(folder, "timeline.jsonl"), "utf8")).not.toContain("hidden");
  expect((await running.ask("DELETE", `/control/sessions/${id}/recording`)).status).toBe(200);
  expect((await running.ask("GET", `/control/sessions/${id}/timeline`)).status).toBe(410);
  expect(await readdir(folder)).toEqual(["recording.json"]);
});

test("a session that is not recorded has a timeline as long as it lives", async () => {
  const { session_id: id } = await running.open({ record: false, url: site.url });
  expect(listEntries(await timeline(running, id))).toEqual(["service tab-opened", "service navigation"]);
  await running.end(id);
  expect((await running.ask("GET", `/control/sessions/${id}/timeline`)).status).toBe(404);
  await expect(access(join(running.data, "recordings", id))).rejects.toThrow();
});

test("timeline and console are for the key that created the session, and the console for a session that lives", async () => {
  const { session_id: id } = await running.open();
  const answer = await running.ask("POST", "/control/keys", { name: "other" });
  const { key } = await readAnswer<{ key: string }>(answer);
  const headers = { authorization: `Bearer ${key}` };
  const viewer = new URL((await running.open()).viewer_url ?? "").searchParams.get("token") ?? "";
  for (const what of ["timeline", "console"]) {
    const url = `${running.service.url}/control/sessions/${id}/${what}`;
    expect((await fetch(url, { headers })).status).toBe(404);
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(`${url}?token=${viewer}`)).status).toBe(401);
    expect((await running.ask("GET", `/control/sessions/${id}/${what}`)).status).toBe(200);
  }
  await running.end(id);
  expect((await running.ask("GET", `/control/sessions/${id}/console`)).status).toBe(409);
});

test("the steps of a run are told, and no value of a field: neither its own nor what a person adds", async () => {
  const query = `Open ${site.url}/, fill "Name" with "Ada", fill "Password" with the password "hidden-secret", wait 3 seconds, click "New"`;
  const started = await running.ask("POST", "/api/automation/start", { query });
  const [, id = ""] = /"session_id":"([^"]+)"/.exec(await started.text()) ?? [];
  await ready(running, id);
  const view = await timeline(running, id);
  expect(view.entries.filter(({ kind }) => kind === "step").map((entry) => "tool" in entry && entry.tool)).toEqual([
    "open_page",
    "fill",
    "fill",
    "wait",
    "click",
  ]);
  expect(listEntries(view).filter((one) => /run-|fill|client|person/.test(one))).toEqual([
    "run run-started",
    "run run-ended",
  ]);
  expect(JSON.stringify(view)).not.toContain("hidden");
});

test("a person who types into the session of a run is told without what is typed", async () => {
  const query = `Open ${site.url}/, wait 20 seconds`;
  const started = await running.ask("POST", "/api/automation/start", { query });
  const reading = started.text().catch(() => undefined);
  const session = await vi.waitFor(async () => {
    const { sessions } = await readAnswer<{ sessions: readonly SessionView[] }>(
      await running.ask("GET", "/control/sessions?state=active"),
    );
    const found = sessions.find(({ thread_id }) => thread_id !== null);
    if (!found) throw new Error("the run has no session yet");
    return found;
  }, patience);
  const { session_id: id } = session;
  const { live_url } = await readAnswer<{ live_url: string }>(
    await running.ask("POST", `/control/sessions/${id}/tokens`, { scope: "steer" }),
  );
  const person = await LiveClient.open(live_url);
  await person.next(({ type }) => type === "picture");
  await vi.waitFor(async () => expect(listEntries(await timeline(running, id))).toContain("run navigation"), patience);
  person.send({ type: "control", action: "take" });
  await person.next(({ type, you }) => type === "control" && you === true);
  for (const action of ["down", "up"]) person.send({ type: "mouse", action, x: 120, y: 10 });
  person.send({ type: "text", text: "hidden-value" });
  person.send({ type: "key", action: "down", key: "Tab" });
  await vi.waitFor(async () => expect(listEntries(await timeline(running, id))).toContain("person press"), patience);
  const { entries } = await timeline(running, id);
  const fills = entries.filter(({ kind }) => kind === "fill");
  expect(fills).toMatchObject([{ by: "person", value: null, withheld: "secret" }]);
  expect(JSON.stringify(entries)).not.toContain("hidden-value");
  await running.end(id);
  await reading;
});

test("what happened up to the last second outlives the service that is killed", async () => {
  await using place = new Place();
  const dead = await place.serving();
  const session = await ask<SessionView>(dead, "POST", "/control/sessions", { url: `${site.url}/` });
  const { session_id: id } = session;
  await act(session.cdp_url);
  const file = join(place.data, "recordings", id, "timeline.jsonl");
  await vi.waitFor(
    async () => expect((await readFile(file, "utf8")).trim().split("\n")).toHaveLength(acted.length),
    patience,
  );
  dead.process.kill("SIGKILL");
  await dead.ended;
  const back = await place.serving();
  const view = await ask<TimelineView>(back, "GET", `/control/sessions/${id}/timeline`);
  expect(listEntries(view)).toEqual([...acted, "service end"]);
  expect(view.entries.at(-1)).toMatchObject({ kind: "end", reason: "service-died" });
});

test("in a bucket it lies beside the replay, is read from there, and goes with the recording", async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "of-the-tests");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret-of-the-tests");
  const server = await startFauxqs({ port: 0, logger: false });
  try {
    server.createBucket("recordings");
    const bucket = `s3://recordings?endpoint=${encodeURIComponent(server.address)}`;
    await using other = await startTestService({ bucket });
    const { session_id: id, cdp_url } = await other.open({ url: `${site.url}/` });
    await act(cdp_url);
    await other.end(id);
    await ready(other, id);
    await vi.waitFor(() => expect(access(join(other.data, "recordings", id))).rejects.toThrow(), patience);
    const view = await timeline(other, id);
    expect(listEntries(view)).toEqual([...acted, "service end"]);
    expect(view.video).not.toBeNull();
    expect((await other.ask("DELETE", `/control/sessions/${id}/recording`)).status).toBe(200);
    expect((await other.ask("GET", `/control/sessions/${id}/timeline`)).status).toBe(410);
  } finally {
    await server.stop();
    vi.unstubAllEnvs();
  }
});
