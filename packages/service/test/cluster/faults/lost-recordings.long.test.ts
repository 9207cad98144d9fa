import { rm } from "node:fs/promises";
import { join } from "node:path";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { SessionView } from "../../../src/control/session-view.ts";
import type { TimelineView } from "../../../src/control/timeline-view.ts";
import { readAnswer } from "../../running-service.ts";
import { ask } from "../../command-line.ts";
import { lastPictureIn, lastPictureMs } from "../../storage/recordings/shipped-pictures.ts";
import { askNode, openOn, startCluster, type TestCluster, type TestNode } from "../cluster.ts";
import { linkTo } from "./cuttable-link.ts";
import { startBucket, type TestBucket } from "./test-bucket.ts";

/** Longer than any lease. */
const patience = { timeout: 120_000, interval: 250 };

type Replay = Readonly<Record<"mp4_url" | "playlist_content" | "expires_at", string>> &
  Readonly<Record<"video_start_ms" | "video_duration_ms", number>>;

const stack = new AsyncDisposableStack();
let site: Site;
let bucket: TestBucket;
let cluster: TestCluster;
let args: readonly string[];
/** The one that is asked, and has no session. */
let entry: TestNode;

beforeAll(async () => {
  site = stack.use(
    await startSite({
      "/": "<title>Clock</title><h1></h1><script>setInterval(() => document.querySelector('h1').textContent = Date.now(), 50)</script>",
    }),
  );
  bucket = stack.use(await startBucket());
  args = bucket.args();
  cluster = stack.use(await startCluster(0));
  entry = await cluster.add({ args });
  // Every recording that is finished, and every one that is deleted, is written down; not that it has another owner.
  await cluster.query(`
    CREATE TABLE stages (session_id text, stage text, host text);
    CREATE FUNCTION note_stage() RETURNS trigger AS $$ BEGIN
      INSERT INTO stages VALUES (NEW.session_id, NEW.stage, NEW.host); RETURN NULL;
    END $$ LANGUAGE plpgsql;
    CREATE TRIGGER note_stage AFTER UPDATE ON recordings FOR EACH ROW
      WHEN (NEW.stage IN ('finished', 'deleted') AND NEW.epoch = OLD.epoch) EXECUTE FUNCTION note_stage()`);
});
afterAll(() => stack.disposeAsync());

/** Opens a session on a node, and waits until so much of it is in the bucket. */
async function recorded(at: TestNode, ms: number): Promise<string> {
  const { session_id: id } = await openOn(at, `${site.url}/`);
  await vi.waitFor(async () => expect(await lastPictureMs(bucket.objects, id)).toBeGreaterThan(ms), patience);
  return id;
}

async function readReplay(at: TestNode, id: string): Promise<Replay> {
  return vi.waitFor(() => ask<Replay>(at.served, "GET", `/sessions/${id}/replay`), patience);
}

/** How often a recording was finished, or deleted, and by whom. */
async function readStages(id: string, stage: string): Promise<readonly unknown[]> {
  const rows = await cluster.query("SELECT host FROM stages WHERE session_id = $1 AND stage = $2", [id, stage]);
  return rows.map(({ host }) => host);
}

/** The files of a recording in the bucket, without its timeline, which lies beside the replay. */
async function readFiles(id: string): Promise<readonly string[]> {
  return (await bucket.keys(id)).filter((key) => !key.endsWith(`/${id}/timeline.jsonl`));
}

/** That nothing lies in the bucket but one replay and the timeline, and that it can be played. */
async function expectOneReplay(id: string, { mp4_url, playlist_content, expires_at }: Replay): Promise<void> {
  await vi.waitFor(async () => {
    const folders = (await readFiles(id)).map((key) => key.split("/")[2]);
    expect(new Set(folders).size).toBe(1);
    expect(folders[0]).toMatch(/^replay-/u);
  }, patience);
  const part = await fetch(mp4_url, { headers: { range: "bytes=4-7" } });
  expect([part.status, await part.text()]).toEqual([206, "ftyp"]);
  const segments = playlist_content.match(/http\S+/gu) ?? [];
  expect((await readFiles(id)).length).toBe(segments.length + 1);
  for (const url of segments) {
    const segment = await fetch(url);
    expect(segment.status).toBe(200);
    await segment.arrayBuffer();
  }
  expect(Date.parse(expires_at)).toBeGreaterThan(Date.now() + 3_000_000);
}

test("the recording of a killed node is finished by one other node, up to the last shipped picture", async () => {
  const victim = await cluster.add({ args });
  const spare = await cluster.add({ args });
  const [one, two] = [await recorded(victim, 3_000), await recorded(victim, 1_000)];
  const done = await recorded(victim, 500);
  await ask(victim.served, "DELETE", `/control/sessions/${done}`);
  const before = await readReplay(entry, done);
  victim.served.process.kill("SIGKILL");
  await victim.served.ended;
  const shipped = await Promise.all([one, two].map((id) => lastPictureMs(bucket.objects, id)));
  await rm(victim.place.data, { recursive: true, force: true });
  // What had been finished is there all the time.
  expect(await readReplay(entry, done)).toMatchObject({ video_duration_ms: before.video_duration_ms });
  await expectOneReplay(done, before);
  for (const [index, id] of [one, two].entries()) {
    const replay = await readReplay(entry, id);
    expect(replay.video_start_ms + replay.video_duration_ms).toBeGreaterThanOrEqual(shipped[index] ?? Infinity);
    await expectOneReplay(id, replay);
    const view = await ask<SessionView>(spare.served, "GET", `/control/sessions/${id}`);
    expect(view).toMatchObject({ end_reason: "host-lost", recording: { state: "ready" } });
    const { entries, video } = await ask<TimelineView>(spare.served, "GET", `/control/sessions/${id}/timeline`);
    expect(entries.map(({ kind }) => kind)).toEqual(["tab-opened", "navigation", "end"]);
    expect(entries.at(-1)).toMatchObject({ reason: "host-lost" });
    expect(video).toMatchObject({ start_ms: replay.video_start_ms });
    const finishers = await readStages(id, "finished");
    expect(finishers).toHaveLength(1);
    expect([entry.name, spare.name]).toContain(finishers[0]);
  }
  const { sessions } = await ask<{ sessions: readonly SessionView[] }>(entry.served, "GET", "/control/sessions");
  expect(sessions.map(({ recording }) => recording?.state)).toEqual(["ready", "ready", "ready"]);
  spare.served.process.kill("SIGTERM");
  await spare.served.ended;
});

test("the end of a session is answered when all of it is in the bucket", async () => {
  await using link = await linkTo(bucket.endpoint);
  const victim = await cluster.add({ args: bucket.args(link.url) });
  const id = await recorded(victim, 500);
  const { letGo, waiting } = link.hold();
  await ask(entry.served, "POST", `/sessions/${id}/page/scrape`, {});
  let isAnswered = false;
  const answered = ask(entry.served, "DELETE", `/control/sessions/${id}`).finally(() => (isAnswered = true));
  const view = (): Promise<SessionView> => ask(entry.served, "GET", `/control/sessions/${id}`);
  const often = { ...patience, interval: 10 };
  await vi.waitFor(async () => expect(await view()).toMatchObject({ end_reason: "requested" }), often);
  await vi.waitFor(() => expect(waiting()).toBeGreaterThan(0), often);
  // An answer that waits for nothing else has come before these.
  for (let times = 0; times < 3; times += 1) await view();
  expect(isAnswered).toBe(false);
  const last = await lastPictureIn(join(victim.place.data, "recordings", id));
  expect(last).toBeGreaterThan(500);
  letGo();
  await answered;
  victim.served.process.kill("SIGKILL");
  await victim.served.ended;
  // The journal may have been deleted already: then the replay is there.
  const isFinished = (await readStages(id, "finished")).length > 0;
  expect(await lastPictureMs(bucket.objects, id)).toSatisfy((ms) => ms === last || (isFinished && ms === undefined));
  await rm(victim.place.data, { recursive: true, force: true });
  const replay = await readReplay(entry, id);
  expect(replay.video_start_ms + replay.video_duration_ms).toBeGreaterThanOrEqual(last ?? Infinity);
  await expectOneReplay(id, replay);
});

test("a node that was paused for longer than its lease changes no recording that others have finished", async () => {
  const paused = await cluster.add({ args });
  const id = await recorded(paused, 2_000);
  paused.served.process.kill("SIGSTOP");
  const shipped = await lastPictureMs(bucket.objects, id);
  const replay = await readReplay(entry, id);
  expect(replay.video_start_ms + replay.video_duration_ms).toBeGreaterThanOrEqual(shipped ?? Infinity);
  const keys = await bucket.keys(id);
  paused.served.process.kill("SIGCONT");
  await vi.waitFor(() => openOn(paused, `${site.url}/`), patience);
  await vi.waitFor(async () => {
    expect(await readReplay(paused, id)).toMatchObject({ video_duration_ms: replay.video_duration_ms });
  }, patience);
  await expectOneReplay(id, replay);
  expect(await bucket.keys(id)).toEqual(keys);
  expect(await readStages(id, "finished")).toEqual([entry.name]);
  paused.served.process.kill("SIGTERM");
  await paused.served.ended;
});

test.each([
  ["can't be reached", "cut"],
  ["refuses", "refuse"],
] as const)("a store that %s stops no session, and gets all of it when it can", async (_, how) => {
  await using link = await linkTo(bucket.endpoint);
  const cut = await cluster.add({ args: bucket.args(link.url) });
  const id = await recorded(cut, 500);
  link[how]();
  const metric = async (name: string): Promise<number> => {
    const text = await (await askNode(cut, "GET", "/metrics")).text();
    return Number(new RegExp(`^cloud_browser_${name} (\\S+)$`, "mu").exec(text)?.[1]);
  };
  await vi.waitFor(async () => expect(await metric("recording_shipping_lag_seconds")).toBeGreaterThan(6), patience);
  expect(await metric("recording_unshipped_bytes")).toBeGreaterThan(0);
  expect((await askNode(entry, "POST", `/sessions/${id}/page/scrape`, {})).status).toBe(200);
  const { session_id: other } = await openOn(cut, `${site.url}/`);
  const ended = await ask<SessionView>(entry.served, "DELETE", `/control/sessions/${id}`);
  expect(ended.end_reason).toBe("requested");
  link.mend();
  await expectOneReplay(id, await readReplay(entry, id));
  await vi.waitFor(async () => expect(await metric("recording_shipping_lag_seconds")).toBeLessThan(4), patience);
  cut.served.process.kill("SIGTERM");
  await cut.served.ended;
  // It went in order: what it had no time to finish another one does.
  await expectOneReplay(other, await readReplay(entry, other));
});

test("a recording is deleted once, from the store and the records, by any node", async () => {
  const third = await cluster.add({ args });
  const id = await recorded(third, 500);
  await ask(third.served, "DELETE", `/control/sessions/${id}`);
  await readReplay(entry, id);
  third.served.process.kill("SIGKILL");
  await third.served.ended;
  await cluster.query(
    `UPDATE recordings SET delete_at_ms = $2,
      state = (state::jsonb || jsonb_build_object('deleteAtMs', $2::bigint))::text WHERE session_id = $1`,
    [id, Date.now() - 1_000],
  );
  await vi.waitFor(async () => expect(await bucket.keys(id)).toEqual([]), patience);
  await vi.waitFor(async () => expect(await readStages(id, "deleted")).toEqual([entry.name]), patience);
  expect((await askNode(entry, "GET", `/sessions/${id}/replay`)).status).toBe(410);
});

test("only replays are left in the bucket, with their timelines", async () => {
  const rows = await cluster.query(
    "SELECT session_id, stage FROM recordings WHERE stage NOT IN ('finished', 'deleted')",
  );
  expect(rows).toEqual([]);
  const keys = await bucket.keys();
  const replayed = new Set(keys.filter((key) => key.includes("/replay-")).map((key) => key.split("/replay-")[0]));
  const others = keys.filter((key) => !key.includes("/replay-"));
  expect(others.filter((key) => !replayed.has(key.replace(/\/timeline\.jsonl$/, "")))).toEqual([]);
  expect(await readAnswer(await fetch(`${entry.served.url}/health`))).toMatchObject({ status: "ok" });
});
