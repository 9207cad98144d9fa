import { liveTarget, runConformance } from "@cloud-browser/conformance";
import { expect, test } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { ask, key } from "../command-line.ts";
import { ffmpeg, pages, startConformanceSite } from "../conformance-site.ts";
import { startCluster } from "./cluster.ts";
import { startBucket } from "./faults/test-bucket.ts";

test("three nodes conform, asked through one that has none of the sessions", { timeout: 600_000 }, async () => {
  await using site = await startConformanceSite();
  await using bucket = await startBucket();
  await using cluster = await startCluster(0);
  const { served, name } = await cluster.add({ args: [...bucket.args(), "--max-sessions", "4"] });
  for (let number = 0; number < 2; number += 1) await cluster.add({ args: bucket.args() });
  const open = async (url: string): Promise<string> =>
    (await ask<SessionView>(served, "POST", "/control/sessions", { url })).session_id;
  const end = (id: string): Promise<SessionView> => ask<SessionView>(served, "DELETE", `/control/sessions/${id}`);
  // The first creations may come before it knows the others.
  await expect
    .poll(async () => {
      await end(await open("about:blank"));
      return cluster.query("SELECT host FROM sessions WHERE host <> $1", [name]);
    })
    .not.toEqual([]);
  await cluster.query("DELETE FROM sessions");

  const sessionId = await open(`${site.url}/`);
  const endedSessionId = await open(`${site.url}/`);
  await end(endedSessionId);
  const report = await runConformance(
    liveTarget({
      baseUrl: served.url,
      apiKey: key,
      sessionId,
      endedSessionId,
      openSession: open,
      endSession: async (id) => void (await end(id)),
      query: `Open ${site.url}/`,
    }),
    { profile: "full", ffmpeg },
  );
  const unsound = report.checks.filter(({ status }) => status === "fail" || status === "error");
  expect(unsound.map(({ id, reason, findings }) => ({ id, reason, findings }))).toEqual([]);
  const passed = report.checks.filter(({ status }) => status === "pass").map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(pages));
  expect(report.exitCode).toBe(0);
  // Its runs have sessions there, and nothing else has.
  const own =
    "SELECT session_id FROM sessions WHERE host = $1 AND session_id NOT IN (SELECT session_id FROM runs WHERE session_id IS NOT NULL)";
  expect(await cluster.query(own, [name])).toEqual([]);
  expect(
    await cluster.query("SELECT count(DISTINCT host)::int AS hosts FROM sessions WHERE host <> $1", [name]),
  ).toEqual([{ hosts: 2 }]);
});
