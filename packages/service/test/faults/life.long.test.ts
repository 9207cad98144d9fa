import type { Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startBucket } from "../cluster/faults/test-bucket.ts";
import { ask } from "../command-line.ts";
import { faultKinds, type Fault, type FaultKind } from "./fault.ts";
import { startFaultyService, type FaultyService } from "./faulty-service.ts";
import { liveShortly, liveThrough, notLines, startLifeSite, type Asked } from "./life.ts";
import { placesOf } from "./tried-places.ts";

/** Longer than anything takes that goes on by itself once a fault is over, in milliseconds. */
const patience = { timeout: 90_000, interval: 100 };

/** Streams break off where what they consist of can't be read; their readers ask again. */
const streams = /^(?:POST \/api\/automation\/start|GET \/control\/runs\/:id\/events)$/u;

/** A page that can't be had, as its proxy has no connection for it, is 502. */
const ofPages = /^(?:POST \/control\/sessions|POST \/sessions\/:id\/page\/scrape)$/u;

function isHonest({ what, status }: Asked): boolean {
  if (typeof status === "string") return streams.test(what);
  if (status < 400 || status === 503) return true;
  if (status === 502) return ofPages.test(what) || streams.test(what);
  return status === 409 && what.endsWith("replay");
}

let site: Site;
beforeAll(async () => void (site = await startLifeSite()));
afterAll(() => site[Symbol.asyncDispose]());

/** What a life with a fault was like. */
interface Survival {
  /** How its process ended; null when it goes on. */
  readonly end: number | string | null;
  /** Answers that are none, or that say what is not so. */
  readonly dishonest: readonly Asked[];
  /** What was written to the log and is no line of it. */
  readonly notLines: readonly string[];
  /** How often the fault was met. */
  readonly hits: number;
}

const survived = { end: null, dishonest: [], notLines: [] };

/** Lives with a fault. */
async function live({ served, plan }: FaultyService, fault: Fault): Promise<Survival> {
  const from = served.stderr().length;
  await plan(fault);
  const asked = await liveThrough(served.url, site.url);
  const { exitCode, signalCode } = served.process;
  const end = exitCode ?? signalCode;
  const hits = end === null ? (await plan()).hits : 1;
  const dishonest = asked.filter((one) => !isHonest(one) || (one.status === 503 && one.said === ""));
  return { end, dishonest, notLines: notLines(served.stderr().slice(from)), hits };
}

/** Waits until everything is as it was. */
async function recover({ served }: FaultyService): Promise<void> {
  await vi.waitFor(async () => {
    const health = await fetch(`${served.url}/health`);
    expect(await health.json()).toMatchObject({ status: "ok", sessions: 0 });
    const { sessions } = await ask<{ sessions: readonly { state: string }[] }>(served, "GET", "/control/sessions");
    expect(sessions.filter(({ state }) => state !== "ended")).toEqual([]);
  }, patience);
}

/** What hangs in the call of a synchronous function, or of SQLite, stops the process: nothing within it can help. */
const canHang = (place: string): boolean => !/Sync$|\/sqlite\//u.test(place);

const errors = faultKinds.filter((kind) => kind !== "hang");

describe.each([
  ["recordings in a folder", "life"],
  ["recordings in a bucket", "bucket"],
] as const)("%s", (_, reached) => {
  const places = placesOf(reached);
  let args: readonly string[] = [];
  const met = new Map<string, number>();
  const count = (place: string, hits: number): void => void met.set(place, (met.get(place) ?? 0) + hits);

  beforeAll(async () => {
    if (reached !== "bucket") return undefined;
    const bucket = await startBucket();
    args = bucket.args();
    return () => bucket[Symbol.asyncDispose]();
  });

  describe.each(errors)("%s", (kind: FaultKind) => {
    let service: FaultyService;
    beforeAll(async () => void (service = await startFaultyService(args)), 60_000);
    afterAll(() => service[Symbol.asyncDispose](), 90_000);

    test.each(places)("%s", { timeout: 240_000 }, async (place) => {
      if (service.served.process.exitCode !== null) service = await startFaultyService(args);
      const life = await live(service, { place, kind });
      count(place, life.hits);
      expect(life).toMatchObject(survived);
      await recover(service);
    });
  });

  // What hangs never ends: each is tried on a service of its own.
  test.concurrent.each(places.filter(canHang))("hang %s", { timeout: 300_000 }, async (place) => {
    await using service = await startFaultyService(args);
    const life = await live(service, { place, kind: "hang" });
    count(place, life.hits);
    expect(life).toMatchObject(survived);
    const opened = (await liveShortly(service.served.url, site.url)).filter(({ what }) => !/replay/u.test(what));
    expect(opened.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
  });

  test("each place was met", () => {
    expect(places.filter((place) => (met.get(place) ?? 0) === 0)).toEqual([]);
  });
});
