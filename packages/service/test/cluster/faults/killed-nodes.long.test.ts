import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startSite } from "@cloud-browser/testing/site.ts";
import pTimeout from "p-timeout";
import { expect, test, vi } from "vitest";
import type { SessionView } from "../../../src/control/session-view.ts";
import { readAnswer } from "../../running-service.ts";
import { ask } from "../../command-line.ts";
import { allEvents } from "../../runs/reading.ts";
import { lastPictureMs } from "../../storage/recordings/shipped-pictures.ts";
import { askNode, openOn, startCluster, type TestNode } from "../cluster.ts";
import { ClusterLoad } from "./cluster-load.ts";
import { startBucket } from "./test-bucket.ts";

/** How many times a node is killed. */
const rounds = Number(process.env["CLUSTER_ROUNDS"] ?? 3);

/** Longer than any lease. */
const patience = { timeout: 120_000, interval: 100 };

/** Longer than anything is waited for in one stage of the test, in milliseconds. */
const stageMs = 150_000;

/** Seconds from the death of a node until something of it is answered again. */
type Times = Readonly<Record<"creations" | "sessions" | "runs" | "replays", number>>;

const summary = (name: keyof Times, times: readonly Times[]): string => {
  const sorted = times.map((one) => one[name]).sort((one, other) => one - other);
  const at = (part: number): string => (sorted[Math.ceil(part * sorted.length) - 1] ?? 0).toFixed(1);
  return `${name} ${at(0.5)} (at most ${at(1)})`;
};

test(
  `nodes that are killed under load, ${rounds} times, their folders lost, lose nothing that was acknowledged`,
  { timeout: (rounds + 3) * 120_000 },
  async () => {
    await using stack = new AsyncDisposableStack();
    const orders: string[] = [];
    const site = stack.use(
      await startSite({
        "/": `<title>Shop</title><h1></h1><script>setInterval(() => document.querySelector('h1').textContent = Date.now(), 200)</script>
          <button onclick="fetch('/bought' + location.search, { method: 'POST' })">Buy</button>`,
        "/bought": (request, response) => {
          orders.push(new URL(request.url ?? "", site.url).searchParams.get("order") ?? "");
          response.end();
        },
      }),
    );
    const bucket = stack.use(await startBucket());
    const cluster = stack.use(await startCluster(0));
    const args = [...bucket.args(), "--max-sessions", "12"];
    const nodes: TestNode[] = [];
    for (let count = 0; count < 3; count += 1) nodes.push(await cluster.add({ args }));
    /** The node that is asked, as long as it lives. */
    const entry = (): TestNode => {
      const [first] = nodes;
      if (!first) throw new Error("There is no node.");
      return first;
    };
    await cluster.query(`
      CREATE TABLE ends (id text, was text);
      CREATE FUNCTION note_end() RETURNS trigger AS $$ BEGIN
        INSERT INTO ends VALUES (coalesce(to_jsonb(NEW)->>'session_id', '') || coalesce(to_jsonb(NEW)->>'thread_id', ''), OLD.ended_ms);
        RETURN NULL;
      END $$ LANGUAGE plpgsql;
      CREATE TRIGGER note_session AFTER UPDATE ON sessions FOR EACH ROW
        WHEN (NEW.ended_ms IS DISTINCT FROM OLD.ended_ms) EXECUTE FUNCTION note_end();
      CREATE TRIGGER note_run AFTER UPDATE ON runs FOR EACH ROW
        WHEN (NEW.ended_ms IS DISTINCT FROM OLD.ended_ms) EXECUTE FUNCTION note_end()`);
    const load = new ClusterLoad({ nodes: () => nodes, shop: `${site.url}/` });
    load.start();
    /** Tells what goes on; what does not end says what it waits for. */
    const stage = <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
      process.stderr.write(`${what}\n`);
      const fallback = (): never => {
        throw new Error(`${what}: not over after ${stageMs / 1_000} s; under way: ${load.underWay.join(", ")}`);
      };
      return pTimeout(work(), { milliseconds: stageMs, fallback });
    };
    const killed = new Set<string>();
    const times: Times[] = [];
    let replays = 0;

    /** The sessions that a lease had, and its runs. */
    const had = async (epoch: string): Promise<{ readonly sessions: string[]; readonly runs: string[] }> => {
      const sessions = await cluster.query("SELECT session_id AS id FROM sessions WHERE epoch = $1", [epoch]);
      const runs = await cluster.query("SELECT thread_id AS id FROM runs WHERE epoch = $1", [epoch]);
      return { sessions: sessions.map(({ id }) => String(id)), runs: runs.map(({ id }) => String(id)) };
    };
    const readEpoch = async ({ name }: TestNode): Promise<string> => {
      const [row] = await cluster.query("SELECT epoch FROM leases WHERE name = $1 AND NOT revoked", [name]);
      return String(row?.["epoch"]);
    };

    /** Kills a node, and waits until all that it had is answered again. */
    const kill = async (victim: TestNode): Promise<void> => {
      const epoch = await readEpoch(victim);
      // It has a session that is recorded, and a run, at any rate.
      const { session_id: id } = await openOn(victim, `${site.url}/`);
      load.sessions.set(id, { isEndAsked: false, hasEnded: false });
      const run = await askNode(victim, "POST", "/api/automation/start", { query: "wait 100 seconds" });
      expect(run.status).toBe(200);
      await vi.waitFor(async () => expect(await lastPictureMs(bucket.objects, id)).toBeDefined(), patience);
      await delay(Math.random() * 2_000);
      nodes.splice(nodes.indexOf(victim), 1);
      victim.served.process.kill("SIGKILL");
      const killedMs = performance.now();
      killed.add(epoch);
      await stage(`${victim.name} has been killed`, () => victim.served.ended);
      await run.body?.cancel().catch(() => undefined);
      const { sessions, runs } = await had(epoch);
      const shipped = new Map<string, number>();
      for (const session of sessions) {
        const ms = await lastPictureMs(bucket.objects, session);
        if (ms !== undefined) shipped.set(session, ms);
      }
      expect(shipped.has(id)).toBe(true);
      await rm(victim.place.data, { recursive: true, force: true });
      const since = (): number => (performance.now() - killedMs) / 1_000;
      const allAnswered = async (paths: readonly string[], statuses: readonly number[]): Promise<number> => {
        for (const path of paths) {
          await vi.waitFor(async () => {
            const answer = await askNode(entry(), "GET", path);
            const text = await answer.text();
            expect(statuses, `${path}: ${text}`).toContain(answer.status);
            expect(text).not.toContain('"state":"active"');
          }, patience);
        }
        return since();
      };
      const created = async (): Promise<number> => {
        const session = await ask<SessionView>(entry().served, "POST", "/control/sessions", { url: site.url });
        load.sessions.set(session.session_id, { isEndAsked: true, hasEnded: true });
        const answeredS = since();
        await ask(entry().served, "DELETE", `/control/sessions/${session.session_id}`);
        return answeredS;
      };
      const [creations, answered, ended, played] = await Promise.all([
        stage("a new session", created),
        stage(`its ${sessions.length} sessions`, () =>
          allAnswered(
            sessions.map((session) => `/control/sessions/${session}`),
            [200],
          ),
        ),
        stage(`its ${runs.length} runs`, () =>
          allAnswered(
            runs.map((thread) => `/control/runs/${thread}`),
            [200],
          ),
        ),
        stage(`its ${shipped.size} replays`, () =>
          allAnswered(
            [...shipped.keys()].map((session) => `/sessions/${session}/replay`),
            [200],
          ),
        ),
      ]);
      times.push({ creations, sessions: answered, runs: ended, replays: played });
      for (const [session, ms] of shipped) {
        const replay = await ask<{ video_start_ms: number; video_duration_ms: number }>(
          entry().served,
          "GET",
          `/sessions/${session}/replay`,
        );
        expect(replay.video_start_ms + replay.video_duration_ms, `replay of ${session}`).toBeGreaterThanOrEqual(ms);
        replays += 1;
      }
      await vi.waitFor(() => expect(victim.place.processes).toEqual([]), patience);
      // The same name, and nothing else of it.
      nodes.push(await cluster.add({ args, name: victim.name }));
    };

    /** Compares everything that was acknowledged to clients with what is read now, while nothing changes. */
    const compare = async (): Promise<void> => {
      const path = "/control/sessions?limit=1000";
      const { sessions } = await ask<{ sessions: readonly SessionView[] }>(entry().served, "GET", path);
      const listed = new Map(sessions.map((view) => [view.session_id, view]));
      const rows = await cluster.query("SELECT session_id AS id, epoch FROM sessions");
      const epochs = new Map(rows.map(({ id, epoch }) => [String(id), String(epoch)]));
      // On a machine that is busy enough a node may lose its lease without being killed; that is said then.
      const revoked = await cluster.query("SELECT name, epoch FROM leases WHERE revoked");
      const others = revoked.filter(({ epoch }) => !killed.has(String(epoch))).map(({ name }) => String(name));
      for (const [id, { isEndAsked, hasEnded }] of load.sessions) {
        const isLost = killed.has(epochs.get(id) ?? "");
        const reasons = hasEnded
          ? ["requested"]
          : isLost
            ? ["host-lost", ...(isEndAsked ? ["requested"] : [])]
            : [null];
        const { state, end_reason } = listed.get(id) ?? {};
        expect(
          reasons,
          `${id} is ${state}; leases lost by others than the killed: ${others.join(", ") || "none"}`,
        ).toContain(end_reason);
        expect(state).toBe(end_reason === null ? "active" : "ended");
      }
      const failures = load.failures.filter(({ id }) => !killed.has(epochs.get(id) ?? ""));
      expect(failures).toEqual([]);
      for (const [id, { outcomes, functions, order }] of load.runs) {
        expect(outcomes.length, `outcomes of ${id}`).toBeGreaterThan(0);
        const events = await allEvents(await askNode(entry(), "GET", `/control/runs/${id}/events`));
        const terminals = events.filter((event) => event.id === "end").map(({ event }) => event);
        expect(terminals).toHaveLength(1);
        for (const outcome of outcomes) expect(outcome).toEqual(terminals[0]);
        const [last] = terminals;
        expect(["done", "host_lost"]).toContain(last?.["error"] ?? last?.type);
        expect(orders.filter((one) => one === String(order)).length).toBeLessThanOrEqual(1);
        for (const record of functions)
          expect((await askNode(entry(), "GET", `/control/functions/${record}`)).status).toBe(200);
      }
      expect(await cluster.query("SELECT id FROM ends WHERE was IS NOT NULL")).toEqual([]);
    };

    for (let round = 0; round < rounds; round += 1) {
      // The first one is the one that everybody asks; then a random one.
      const victim = round === 0 ? entry() : nodes[Math.floor(Math.random() * nodes.length)];
      if (!victim) throw new Error("There is no node.");
      await kill(victim);
      await stage("everything that was acknowledged, at rest", () => load.atRest(compare));
    }
    await stage("the end of the load", () => load.stop());
    await stage("everything that was acknowledged", compare);

    // Nothing is left of all that: of sessions their replays, and of those nothing once they are deleted. A session whose
    // creation was not answered, as its node was killed, is there all the same.
    const all = await ask<{ sessions: readonly SessionView[] }>(entry().served, "GET", "/control/sessions?limit=1000");
    for (const { session_id: id } of all.sessions.filter(({ state }) => state === "active")) {
      await ask(entry().served, "DELETE", `/control/sessions/${id}`);
      const known = load.sessions.get(id);
      if (known) known.hasEnded = true;
    }
    await compare();
    const unfinished = "SELECT session_id, stage FROM recordings WHERE stage IN ('recording', 'ended')";
    await vi.waitFor(async () => expect(await cluster.query(unfinished)).toEqual([]), patience);
    // The timeline of a session lies beside its replay.
    const keys = async (): Promise<readonly string[]> =>
      (await bucket.keys()).filter((name) => !name.endsWith("/timeline.jsonl"));
    await vi.waitFor(async () => {
      expect((await keys()).filter((name) => !/\/replay-[^/]+\//u.test(name))).toEqual([]);
    }, patience);
    const folders = new Set((await keys()).map((name) => name.split("/").slice(0, 3).join("/")));
    expect(new Set([...folders].map((folder) => folder.split("/")[1])).size).toBe(folders.size);
    for (const { place } of nodes) {
      await vi.waitFor(async () => expect(await readdir(join(place.data, "recordings"))).toEqual([]), patience);
    }
    await cluster.query(
      `UPDATE recordings SET delete_at_ms = $1, state = (state::jsonb || jsonb_build_object('deleteAtMs', $1::bigint))::text`,
      [Date.now() - 1_000],
    );
    await vi.waitFor(async () => expect(await bucket.keys()).toEqual([]), patience);
    for (const { served } of nodes) {
      expect(await readAnswer(await fetch(`${served.url}/health`))).toMatchObject({ status: "ok", sessions: 0 });
      served.process.kill("SIGTERM");
      expect(await served.ended).toMatchObject({ code: 0 });
    }
    const rows = async (table: string, where: string): Promise<unknown> =>
      (await cluster.query(`SELECT count(*)::int AS count FROM ${table} WHERE ${where}`))[0]?.["count"];
    expect(await rows("leases", "NOT revoked")).toBe(0);
    expect(await rows("sessions", "ended_ms IS NULL")).toBe(0);
    expect(await rows("runs", "ended_ms IS NULL")).toBe(0);
    for (const { place } of cluster.nodes) expect([place.processes, place.temporaryFiles]).toEqual([[], []]);
    const names = ["creations", "sessions", "runs", "replays"] as const;
    console.log(
      `${rounds} nodes killed; ${load.sessions.size} sessions, ${load.runs.size} runs, ${replays} replays of lost nodes, 0 lost; ` +
        `seconds until all was answered, median: ${names.map((name) => summary(name, times)).join(", ")}`,
    );
  },
);
