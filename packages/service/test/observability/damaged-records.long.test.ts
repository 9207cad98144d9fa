/** Records that are damaged under a service that runs: it says so, wherever it is asked, and claims nothing that it has not stored. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { setDiskFull } from "../recordings/full-disk.ts";
import { readAnswer } from "../running-service.ts";
import { ask, key, Place, type Served } from "../command-line.ts";

const run = promisify(execFile);

interface Asked {
  readonly code: number;
  readonly status?: string;
  readonly sessions?: number;
  readonly checks?: { readonly records: string | null };
}

async function get({ url }: Served, path: string): Promise<Asked> {
  const response = await fetch(`${url}${path}`);
  return { ...(await readAnswer<Omit<Asked, "code">>(response)), code: response.status };
}

/** Makes records, by keys: each has its row, and nothing else. */
async function fill(service: Served): Promise<void> {
  for (let index = 0; index < 20; index += 1)
    await ask(service, "POST", "/control/keys", { name: `key-${index}`, roles: ["use"] });
}

test.each([
  ["deleted", "rm records.sqlite", /records\.sqlite was deleted/],
  ["replaced by an older copy", "cp records.sqlite 2 && mv 2 records.sqlite", /records\.sqlite was replaced/],
  ["truncated", "truncate -s 1000 records.sqlite", /records\.sqlite was truncated/],
  [
    "overwritten",
    "head -c 100000 /dev/urandom > 2 && dd if=2 of=records.sqlite conv=notrunc",
    /was overwritten|malformed/,
  ],
  ["without its log", "rm records.sqlite-wal", /records\.sqlite-wal was deleted/],
  [
    "with words as its log",
    "yes words | head -c 400000 | dd of=records.sqlite-wal conv=notrunc",
    /not a database|malformed/,
  ],
])("records that are %s are told by health, by the probe and in the log", async (_, damage, what) => {
  await using place = new Place();
  const service = await place.serving();
  await fill(service);
  expect(await get(service, "/health")).toMatchObject({ code: 200, checks: { records: null } });
  await run("sh", ["-c", damage], { cwd: place.data });

  const records = await vi.waitFor(
    async () => {
      const health = await get(service, "/health");
      expect(health).toMatchObject({ code: 503, status: "degraded", checks: { records: expect.stringMatching(what) } });
      return health.checks?.records;
    },
    { timeout: 60_000, interval: 200 },
  );
  expect(records).toMatch(/are damaged.*what is written now may be lost; stop the service, restore the records/);
  expect(await get(service, "/readyz")).toMatchObject({ code: 503, status: "damaged", reason: records });
  expect(await get(service, "/livez")).toMatchObject({ code: 200 });
  const lines = service
    .stderr()
    .split("\n")
    .filter((line) => line.includes('"the records are damaged"'));
  expect(lines).toEqual([expect.stringContaining('"level":"error"')]);
  expect(service.stderr()).not.toContain(key);
});

test("the end of a session that can't be stored is 503, and is 200 once it is stored; the session has ended", async () => {
  await using place = new Place();
  const service = await place.serving();
  const { session_id: id } = await ask<SessionView>(service, "POST", "/control/sessions", {});
  const end = async (): Promise<{ status: number; detail?: string }> => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${service.url}/control/sessions/${id}`, { method: "DELETE", headers });
    return { ...(await readAnswer<{ detail?: string }>(response)), status: response.status };
  };
  await setDiskFull(service.process.pid ?? 0, true);
  for (let times = 0; times < 2; times += 1)
    expect(await end()).toMatchObject({ status: 503, detail: expect.stringContaining("could not be stored yet") });
  expect(await get(service, "/health")).toMatchObject({ sessions: 0 });
  await setDiskFull(service.process.pid ?? 0, false);
  expect(await end()).toMatchObject({ status: 200, state: "ended" });
});
