import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, Place } from "../command-line.ts";
import { faultKinds, getRareKind, type FaultKind } from "./fault.ts";
import { startFaultyService } from "./faulty-service.ts";
import { honest, startWith } from "./faulty-start.ts";
import { endedBy, liveShortly, notLines, startLifeSite } from "./life.ts";
import { listPlaces, type Reached } from "./tried-places.ts";

const errors = faultKinds.filter((kind) => kind !== "hang");

/** A place with a recording of an earlier life. */
let place: Place;
let site: Awaited<ReturnType<typeof startLifeSite>>;
beforeAll(async () => {
  site = await startLifeSite();
  place = new Place();
  const { process: child, url } = await place.serving();
  await liveShortly(url, site.url);
  await endedBy(child);
}, 120_000);
afterAll(async () => {
  await place?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
}, 120_000);

const withRareKinds = (reached: Reached): (readonly [string, FaultKind])[] => {
  const places = listPlaces(reached);
  return places.map((where) => [where, getRareKind(where, places)]);
};

describe("one of the rarer errors each", () => {
  test.each(withRareKinds("start"))("at the start: %s %s", { timeout: 90_000 }, async (where, kind) => {
    const args = where.includes("chromium-binary") ? ["--chromium", process.execPath] : [];
    const outcome = await startWith(place, { place: where, kind }, args);
    expect(outcome).toEqual(honest(outcome));
  });

  test.each(withRareKinds("unpacking"))(
    "when Chromium is unpacked: %s %s",
    { timeout: 90_000 },
    async (where, kind) => {
      const cache = join(place.root, `cache-${Math.random().toString(36).slice(2)}`);
      const outcome = await startWith(place, { place: where, kind }, [], { XDG_CACHE_HOME: cache });
      expect(outcome).toEqual(honest(outcome));
    },
  );
});

describe.each(errors)("%s", (kind) => {
  test.each(listPlaces("start"))("at the start: %s", { timeout: 90_000 }, async (where) => {
    const args = where.includes("chromium-binary") ? ["--chromium", process.execPath] : [];
    const outcome = await startWith(place, { place: where, kind }, args);
    expect(outcome).toEqual(honest(outcome));
  });

  test.each(listPlaces("unpacking"))("when Chromium is unpacked: %s", { timeout: 90_000 }, async (where) => {
    const cache = join(place.root, `cache-${Math.random().toString(36).slice(2)}`);
    const outcome = await startWith(place, { place: where, kind }, [], { XDG_CACHE_HOME: cache });
    expect(outcome).toEqual(honest(outcome));
  });

  test.each(listPlaces("stop"))("at the stop: %s", { timeout: 90_000 }, async (where) => {
    const { served, plan } = await startFaultyService([], place);
    await ask(served, "POST", "/control/sessions", { url: site.url });
    await plan({ place: where, kind });
    expect(await endedBy(served.process)).toBe(0);
    expect(notLines(served.stderr())).toEqual([]);
  });
});
