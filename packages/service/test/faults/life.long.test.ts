import type { Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBucket } from "../cluster/faults/test-bucket.ts";
import { faultKinds, getRareKind, type FaultKind } from "./fault.ts";
import { startFaultyService, type FaultyService } from "./faulty-service.ts";
import { liveShortly, startLifeSite } from "./life.ts";
import { live, recover, survived } from "./surviving.ts";
import { listPlaces } from "./tried-places.ts";

let site: Site;
beforeAll(async () => void (site = await startLifeSite()));
afterAll(() => site[Symbol.asyncDispose]());

/** What hangs in the call of a synchronous function, or of SQLite, stops the process: nothing within it can help. */
const canHang = (place: string): boolean => !/Sync$|\/sql(?:ite)?\//u.test(place);

const errors = faultKinds.filter((kind) => kind !== "hang");

describe.each([
  ["recordings in a folder", "life"],
  ["recordings in a bucket", "bucket"],
] as const)("%s", (_, reached) => {
  const places = listPlaces(reached);
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
      const life = await live(service, { place, kind }, site.url);
      count(place, life.hits);
      expect(life).toMatchObject(survived);
      await recover(service);
    });
  });

  describe("one of the rarer errors each", () => {
    let service: FaultyService;
    beforeAll(async () => void (service = await startFaultyService(args)), 60_000);
    afterAll(() => service[Symbol.asyncDispose](), 90_000);

    test.each(places.map((place) => [place, getRareKind(place, places)] as const))(
      "%s %s",
      { timeout: 240_000 },
      async (place, kind) => {
        if (service.served.process.exitCode !== null) service = await startFaultyService(args);
        expect(await live(service, { place, kind }, site.url)).toMatchObject(survived);
        await recover(service);
      },
    );
  });

  // What hangs never ends: each is tried on a service of its own.
  test.concurrent.each(places.filter(canHang))("hang %s", { timeout: 300_000 }, async (place) => {
    await using service = await startFaultyService(args);
    const life = await live(service, { place, kind: "hang" }, site.url);
    count(place, life.hits);
    expect(life).toMatchObject(survived);
    const opened = (await liveShortly(service.served.url, site.url)).filter(({ what }) => !/replay|files/u.test(what));
    expect(opened.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200]);
  });

  test("each place was met", () => {
    expect(places.filter((place) => (met.get(place) ?? 0) === 0)).toEqual([]);
  });
});
