import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { openDatabase, schemaSteps } from "../../src/storage/sqlite/database.ts";
import { SqliteDatabase } from "../../src/storage/sqlite/sqlite-database.ts";
import { SqlKeyStore } from "../../src/storage/sql/sql-key-store.ts";
import { SqlRunStore } from "../../src/storage/sql/sql-run-store.ts";
import { SqlSessionStore } from "../../src/storage/sql/sql-session-store.ts";
import { readAnswer, startTestService } from "../running-service.ts";

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "cloud-browser-upgrade-"))));
afterEach(() => rm(folder, { recursive: true }));

const versions = schemaSteps.map((_, index) => index + 1);

test.each(versions)("records of version %i are opened, and nothing in them is lost", async (version) => {
  const file = join(folder, "records.sqlite");
  const sqlite = process.getBuiltinModule("node:sqlite");
  const older = new sqlite.DatabaseSync(file);
  for (const step of schemaSteps.slice(0, version)) older.exec(step);
  older.exec(`PRAGMA user_version = ${version}`);
  const has = (table: string): boolean =>
    older.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table) !== undefined;
  const [hasRuns, hasKeys] = [has("runs"), has("keys")];
  older.exec("INSERT INTO sessions (session_id, created_ms, ended_ms, end_reason) VALUES ('s', 1, 2, 'requested')");
  if (hasRuns) older.exec("INSERT INTO runs (thread_id, started_ms, cost_usd) VALUES ('r', 1, '0.25')");
  if (hasKeys)
    older.exec(`INSERT INTO keys (name, hash, roles, quota, created_ms) VALUES ('k', 'h', '["use"]', '{}', 1)`);
  older.close();

  const database = openDatabase(file);
  expect(await new SqlSessionStore(new SqliteDatabase(database)).get("s")).toMatchObject({
    ended_ms: 2,
    end_reason: "requested",
    key: null,
  });
  const run = await new SqlRunStore(new SqliteDatabase(database)).get("r");
  expect(run && [run.cost_usd, run.steps]).toEqual(hasRuns ? ["0.25", 0] : undefined);
  const key = await new SqlKeyStore(new SqliteDatabase(database)).find("h", 5);
  expect(key && [key.name, key.expires_ms, key.revoked_ms]).toEqual(hasKeys ? ["k", null, null] : undefined);
  database.close();
  openDatabase(file).close();
});

test("a copy of the folder of a stopped service is the same service", async () => {
  const [own, copy] = [join(folder, "own"), join(folder, "copy")];
  let id: string;
  let apiKey: string;
  let teamKey: string;
  {
    await using running = await startTestService({ data: own });
    ({ apiKey } = running.service);
    ({ key: teamKey } = await readAnswer<{ key: string }>(
      await running.ask("POST", "/control/keys", { name: "team" }),
    ));
    ({ session_id: id } = await running.open());
    await running.end(id);
    const state = async (): Promise<string | undefined> =>
      (await readAnswer<SessionView>(await running.ask("GET", `/control/sessions/${id}`))).recording?.state;
    await expect.poll(state, { timeout: 60_000 }).toMatch(/^(?:ready|empty)$/u);
  }
  await cp(own, copy, { recursive: true });
  await using restored = await startTestService({ data: copy });
  expect(restored.service.apiKey).toBe(apiKey);
  const before = await readAnswer<SessionView>(await restored.ask("GET", `/control/sessions/${id}`));
  expect(before).toMatchObject({ state: "ended", end_reason: "requested" });
  const replay = await restored.ask("GET", `/sessions/${id}/replay`);
  expect(replay.status).toBe(before.recording?.state === "ready" ? 200 : 404);
  const asTeam = { headers: { authorization: `Bearer ${teamKey}` } };
  expect((await fetch(`${restored.service.url}/control/sessions`, asTeam)).status).toBe(200);
});
