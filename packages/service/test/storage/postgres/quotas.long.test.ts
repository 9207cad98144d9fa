import { setTimeout as delay } from "node:timers/promises";
import { startPostgres, type PostgresServer } from "@cloud-browser/testing/postgres-server.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noQuota, type KeyHolder } from "../../../src/keys/keys.ts";
import { Quotas } from "../../../src/keys/quotas.ts";
import { startPostgresBackend } from "./postgres-backend.ts";

let server: PostgresServer;
beforeAll(async () => void (server = await startPostgres()));
afterAll(() => server[Symbol.asyncDispose]());

test("nodes that share tables know how much of a key's quota the others use", async () => {
  await using backend = await startPostgresBackend(server);
  const [one, two] = [await backend.open("one"), await backend.open("two")];
  for (const [id, key] of [
    ["a", "team-a"],
    ["b", "team-a"],
    ["c", "team-b"],
  ] as const) {
    await one.sessions.create(id, 1, key);
    await one.runs.create(id, 1, key);
  }
  await two.sessions.create("d", 1, "team-a");
  expect(await two.sessions.countOpenElsewhere("team-a")).toBe(2);
  expect(await one.sessions.countOpenElsewhere("team-a")).toBe(1);
  await one.sessions.end("a", 2, "requested");
  await one.runs.change("a", { ended_ms: 2, end: "done", cost_usd: "0.5" });
  expect(await two.sessions.countOpenElsewhere("team-a")).toBe(1);
  expect(await two.runs.readUsage("team-a", 0)).toEqual({ open: 1, costsUsd: ["0.5"] });
});

/** How many of those that are asked for at once, of two nodes in turn, there are in the end; each refusal has to be one of a quota. */
async function fulfilled(promises: readonly Promise<unknown>[]): Promise<number> {
  const ends = await Promise.allSettled(promises);
  const refusals = ends.flatMap((end): readonly unknown[] => (end.status === "rejected" ? [end.reason] : []));
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: "busy" });
  return ends.filter(({ status }) => status === "fulfilled").length;
}

test("a key gets exactly its quota of sessions that several nodes create at once", async () => {
  await using backend = await startPostgresBackend(server);
  const nodes = [await backend.open("one"), await backend.open("two")];
  const [one] = nodes;
  const key = { name: "team", roles: ["use"], created_ms: 1, expires_ms: null } as const;
  await one?.keys.create({ ...key, quota: { ...noQuota, sessions: 3 } }, "hash");
  for (let round = 0; round < 20; round += 1) {
    const ids = Array.from({ length: 12 }, (_, index) => `${round}-${index}`);
    const creations = ids.map(async (id, index) => nodes[index % 2]?.sessions.create(id, 1, "team"));
    expect(await fulfilled(creations)).toBe(3);
    const rows = await backend.asAdmin("SELECT count(*)::int AS open FROM sessions WHERE ended_ms IS NULL");
    expect(rows).toEqual([{ open: 3 }]);
    for (const node of nodes) for (const id of ids) await node.sessions.end(id, 2, "requested");
  }
});

test("a key gets exactly its quota of runs and cost when several nodes start runs at once", async () => {
  await using backend = await startPostgresBackend(server);
  const nodes = await Promise.all(
    ["one", "two"].map(async (name) => {
      const { sessions, runs, keys } = await backend.open(name);
      return { runs, keys, quotas: new Quotas({ sessions, runs, keys, budgetUsd: "1", now: () => 0 }) };
    }),
  );
  const quotas = { runs: { runs: 3 }, cost: { cost_usd_per_day: "2" } };
  for (const [name, quota] of Object.entries(quotas)) {
    const holder: KeyHolder = { name, roles: ["use"], quota: { ...noQuota, ...quota } };
    await nodes[0]?.keys.create({ ...holder, name, created_ms: 1, expires_ms: null }, name);
    const starts = Array.from({ length: 12 }, async (_, index) => {
      const node = nodes[index % 2];
      return node?.quotas.run(holder, async () => {
        // As long as this the other node would take what is left for its own.
        await delay(100);
        await node.runs.create(`${name}-${index}`, 1, name);
      });
    });
    expect(await fulfilled(starts)).toBe(name === "runs" ? 3 : 2);
  }
});

test("the budget of a day is exact to the last digit, over three nodes, one of which is lost", async () => {
  await using backend = await startPostgresBackend(server);
  const [one, two, three] = [await backend.open("one"), await backend.open("two"), await backend.open("three")];
  const dayMs = 24 * 3_600_000;
  const now = 40 * dayMs + 1_000;
  const holder: KeyHolder = { name: "team", roles: ["use"], quota: { ...noQuota, cost_usd_per_day: "1" } };
  await one.keys.create({ ...holder, name: "team", created_ms: 1, expires_ms: null }, "hash");
  const ended = async ({ runs }: typeof one, id: string, endedMs: number, cost: string): Promise<void> => {
    await runs.create(id, endedMs - 10, "team");
    await runs.change(id, { ended_ms: endedMs, end: "done", cost_usd: cost });
  };
  await ended(one, "yesterday", 40 * dayMs - 1, "0.9");
  await ended(one, "at midnight", 40 * dayMs, "0.1");
  await ended(two, "now", now, "0.2");
  await three.runs.create("lost", now - 10, "team");
  await three.runs.change("lost", { cost_usd: "0.0000000000000000000000003" });

  const budget = async ({ sessions, runs, keys }: typeof one): Promise<string | undefined> =>
    new Quotas({ sessions, runs, keys, budgetUsd: "1", now: () => now }).run(holder, async (left) => left);
  await expect(budget(one)).rejects.toMatchObject({ code: "busy" }); // the run of the third node may still cost 1
  await backend.expire("three");
  await one.leases.revokeExpired(await one.leases.list());
  await two.runs.recover(now);
  for (const node of [one, two]) expect(await budget(node)).toBe("0.6999999999999999999999997");
});
