import { setTimeout as delay } from "node:timers/promises";
import { readAutomationStream } from "@cloud-browser/stream";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { readAnswer } from "../running-service.ts";
import { askNode, openOn, startCluster, type TestCluster, type TestNode } from "./cluster.ts";

const drainS = 6;
const patience = { timeout: 120_000, interval: 500 };

let site: Site;
let cluster: TestCluster;
beforeAll(async () => {
  site = await startSite({ "/": "<title>Harbour</title><h1>Ferries</h1>" });
  cluster = await startCluster(0);
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const args = ["--drain-s", String(drainS), "--max-sessions", "6"];

/** Sends requests to nodes in turn: also to those that drain, not to those that come up, and to the next where nobody listens. */
class Balancer {
  readonly nodes: TestNode[];
  #next = 0;

  constructor(nodes: readonly TestNode[]) {
    this.nodes = [...nodes];
  }

  async ask(method: string, path: string, body?: unknown): Promise<Response> {
    for (let tries = 0; tries < 20; tries += 1) {
      const node = this.nodes[(this.#next += 1) % this.nodes.length];
      if (!node) break;
      try {
        return await askNode(node, method, path, body);
      } catch (error) {
        if (!isRefused(error)) throw error;
        await delay(50);
      }
    }
    throw new Error("no node listens");
  }
}

function isRefused(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
}

/** Returns when it was told to end, in milliseconds since 1970. */
async function restart(balancer: Balancer, node: TestNode): Promise<number> {
  const { place, name, served } = node;
  const toldMs = Date.now();
  served.process.kill("SIGTERM");
  expect(await served.ended).toMatchObject({ code: 0 });
  balancer.nodes.splice(balancer.nodes.indexOf(node), 1);
  const back = await cluster.add({ place, name, args: [...args, "--port", new URL(served.url).port] });
  balancer.nodes.push(back);
  return toldMs;
}

interface Failure {
  readonly what: string;
  readonly id: string | undefined;
  readonly text: string;
}

test("a rolling restart under load loses nothing, and fails only requests of sessions that reached the limit", async () => {
  const nodes: TestNode[] = [];
  for (let number = 0; number < 3; number += 1) nodes.push(await cluster.add({ args }));
  const balancer = new Balancer(nodes);
  const created: string[] = [];
  const functions: string[] = [];
  const failures: Failure[] = [];
  const refusals: unknown[] = [];
  const load = { isOver: false };

  /** What a request gave; undefined when it failed, which is noted. */
  const receive = async <Answer>(
    what: string,
    id: string | undefined,
    response: Promise<Response>,
  ): Promise<Answer | undefined> => {
    const answer = await response.catch((error: unknown) => String(error instanceof Error ? error.cause : error));
    if (typeof answer !== "string" && answer.ok) return readAnswer<Answer>(answer);
    const text = typeof answer === "string" ? answer : `${answer.status} ${await answer.text()}`;
    failures.push({ what, id, text });
    return undefined;
  };
  const work = async (): Promise<void> => {
    while (!load.isOver) {
      const session = await receive<SessionView>(
        "create",
        undefined,
        balancer.ask("POST", "/control/sessions", { url: `${site.url}/` }),
      );
      if (!session) continue;
      const { session_id: id } = session;
      created.push(id);
      for (let turn = 0; turn < 4; turn += 1) {
        const scraped = await receive<{ markdown: string }>(
          "scrape",
          id,
          balancer.ask("POST", `/sessions/${id}/page/scrape`, {}),
        );
        if (!scraped) break;
        expect(scraped.markdown).toContain("Ferries");
        await delay(250);
      }
      await receive("end", id, balancer.ask("DELETE", `/control/sessions/${id}`));
    }
  };
  const run = async (): Promise<void> => {
    while (!load.isOver) {
      const answer = await balancer.ask("POST", "/api/automation/start", { query: `Open ${site.url}/` });
      if (!answer.ok) {
        refusals.push([answer.status, await answer.text()]);
        continue;
      }
      let ends = 0;
      for await (const event of readAutomationStream(answer)) {
        if (event.type === "function_uploaded") functions.push(event.function_id);
        if (["done", "error", "timeout", "cancelled"].includes(event.type)) ends += 1;
      }
      expect(ends).toBe(1);
    }
  };
  const clients = Promise.all([work(), work(), run()]).finally(() => (load.isOver = true));
  clients.catch(() => undefined);
  const long: string[] = [];
  const toldMs = new Map<string, number>();
  for (const node of nodes) {
    const { session_id: id } = await openOn(node, `${site.url}/`);
    long.push(id);
    created.push(id);
    toldMs.set(node.name, await restart(balancer, node));
  }
  load.isOver = true;
  await clients;

  const rows = await cluster.query(
    "SELECT session_id, end_reason, ended_ms, host FROM sessions WHERE session_id = ANY ($1)",
    [created],
  );
  const reasons = new Map(rows.map(({ session_id: id, end_reason: reason }) => [String(id), reason]));
  expect(reasons.size).toBe(created.length);
  expect(long.map((id) => reasons.get(id))).toEqual(["shutdown", "shutdown", "shutdown"]);
  const unexpected = failures.filter(({ id }) => id === undefined || reasons.get(id) !== "shutdown");
  expect(unexpected).toEqual([]);
  const cut = rows.filter(({ end_reason: reason }) => reason === "shutdown");
  const early = cut.filter(({ host, ended_ms }) => Number(ended_ms) < (toldMs.get(String(host)) ?? 0) + drainS * 1_000);
  expect(early).toEqual([]);
  for (const reason of reasons.values()) expect(["requested", "shutdown"]).toContain(reason);
  expect(refusals).toEqual([]);
  expect(created.length).toBeGreaterThan(10);
  expect(functions.length).toBeGreaterThan(3);
  for (const id of functions) expect((await balancer.ask("GET", `/control/functions/${id}`)).status).toBe(200);
  for (const id of created)
    await vi.waitFor(async () => {
      const replay = await balancer.ask("GET", `/sessions/${id}/replay`);
      expect([id, replay.status]).toEqual([id, 200]);
    }, patience);
});
