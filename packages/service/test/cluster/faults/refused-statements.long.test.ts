import type { Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { faultKinds, getRareKind } from "../../faults/fault.ts";
import { startFaultyService, type FaultyService } from "../../faults/faulty-service.ts";
import { startLifeSite } from "../../faults/life.ts";
import { live, recover, survived } from "../../faults/surviving.ts";
import { listPlaces } from "../../faults/tried-places.ts";
import { startCluster, type TestCluster } from "../cluster.ts";
import { startBucket } from "./test-bucket.ts";

const places = listPlaces("cluster");
const met = new Map<string, number>();

let cluster: TestCluster;
let node: FaultyService;
let site: Site;
beforeAll(async () => {
  site = await startLifeSite();
  cluster = await startCluster(0);
  const bucket = await startBucket();
  const args = ["--cluster", cluster.postgres.url, "--node-name", "refused", ...bucket.args()];
  node = await startFaultyService(args);
  return () => bucket[Symbol.asyncDispose]();
}, 120_000);
afterAll(async () => {
  await node?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
}, 120_000);

// As PostgreSQL refuses statements on a full disk, a broken one, without handles, without rights; or as it does not end them.
describe.each(faultKinds)("%s", (kind) => {
  test.each(places)("%s", { timeout: 300_000 }, async (place) => {
    const life = await live(node, { place, kind }, site.url);
    met.set(place, (met.get(place) ?? 0) + life.hits);
    expect(life).toMatchObject(survived);
    await recover(node);
  });
});

// Of a replica that took over, a server that starts or stops, one without room for another client, or whose rows are damaged.
test.each(places.map((place) => [place, getRareKind(place, places)] as const))(
  "one of the rarer errors: %s %s",
  { timeout: 300_000 },
  async (place, kind) => {
    expect(await live(node, { place, kind }, site.url)).toMatchObject(survived);
    await recover(node);
  },
);

test("each place was met", () => {
  expect(places.filter((place) => (met.get(place) ?? 0) === 0)).toEqual([]);
});
