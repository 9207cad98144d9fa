import type { Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { startBucket } from "../cluster/faults/test-bucket.ts";
import { ask, Place, type Served } from "../command-line.ts";
import { startFaultyStore, storeFaults, type FaultyStore } from "./faulty-bucket.ts";
import { liveShortly, notLines, startLifeSite } from "./life.ts";
import { isHonest, recover } from "./surviving.ts";

const patience = { timeout: 120_000, interval: 200 };

let site: Site;
let store: FaultyStore;
let served: Served;
beforeAll(async () => {
  const stack = new AsyncDisposableStack();
  site = stack.use(await startLifeSite());
  const bucket = stack.use(await startBucket());
  store = stack.use(await startFaultyStore(bucket.endpoint));
  served = await stack.use(new Place()).serving(bucket.args(store.url));
  return () => stack.disposeAsync();
}, 120_000);
afterAll(() => {
  const others = notLines(served.stderr());
  if (others.length > 0) throw new Error(`the service wrote what is no line of its log: ${others.join("\n")}`);
});

test.each(Object.keys(storeFaults))("a store that answers: %s", { timeout: 300_000 }, async (fault) => {
  store.set(fault);
  const answers = await liveShortly(served.url, site.url);
  expect(answers.filter((one) => !isHonest(one) || (one.status === 503 && one.text === ""))).toEqual([]);
  expect(served.process.exitCode).toBeNull();
  // It was met, and whoever looks is told.
  await vi.waitFor(async () => {
    const { checks } = await (await fetch(`${served.url}/health`)).json();
    expect(checks).toMatchObject({ bucket: expect.any(String) });
  }, patience);
  expect(store.set(undefined)).toBeGreaterThan(0);
  await recover({ served });
  // What was recorded meanwhile is kept.
  await vi.waitFor(async () => {
    const { sessions } = await ask<{ sessions: readonly SessionView[] }>(served, "GET", "/control/sessions");
    expect(sessions.map(({ recording }) => recording?.state)).toEqual(sessions.map(() => "ready"));
    const { mp4_url } = await ask<{ mp4_url: string }>(served, "GET", `/sessions/${sessions[0]?.session_id}/replay`);
    const head = await fetch(mp4_url, { headers: { range: "bytes=4-7" } });
    expect([head.status, await head.text()]).toEqual([206, "ftyp"]);
  }, patience);
});
