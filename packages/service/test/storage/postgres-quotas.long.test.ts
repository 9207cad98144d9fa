import { startPostgres, type PostgresServer } from "@cloud-browser/testing/postgres-server.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
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
  expect(await two.sessions.openElsewhere("team-a")).toBe(2);
  expect(await one.sessions.openElsewhere("team-a")).toBe(1);
  await one.sessions.end("a", 2, "requested");
  await one.runs.change("a", { ended_ms: 2, end: "done", cost_usd: "0.5" });
  expect(await two.sessions.openElsewhere("team-a")).toBe(1);
  expect(await two.runs.usage("team-a", 0)).toEqual({ open: 1, costsUsd: ["0.5"] });
});
