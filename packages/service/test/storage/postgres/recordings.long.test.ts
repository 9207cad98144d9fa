import { startPostgres, type PostgresServer } from "@cloud-browser/testing/postgres-server.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgresBackend } from "./postgres-backend.ts";
import { begun } from "../recording-index-contract.ts";

let server: PostgresServer;
beforeAll(async () => void (server = await startPostgres()));
afterAll(() => server[Symbol.asyncDispose]());

test("nothing is taken from a node whose lease is held, and by none that has lost its own", async () => {
  await using backend = await startPostgresBackend(server);
  const one = await backend.open("one");
  const two = await backend.open("two");
  await one.recordings.create(begun("a"));
  expect(await two.recordings.takeUnfinished(10)).toEqual([]);
  expect(await two.recordings.take("a")).toBe("taken");
  expect(await two.recordings.get(["a"])).toMatchObject([{ isHeld: true }]);
  await backend.expire("one");
  // Its time is over, and nobody has revoked it yet: it may count otherwise.
  expect(await two.recordings.takeUnfinished(10)).toEqual([]);
  await two.leases.release(one.lease);
  expect(await two.recordings.get(["a"])).toMatchObject([{ isHeld: false }]);
  await backend.expire("two");
  expect(await two.recordings.takeUnfinished(10)).toEqual([]);
  await backend.setBack("two");
  expect(await two.recordings.takeUnfinished(10)).toEqual([begun("a")]);
  expect(await one.recordings.take("a")).toBe("taken");
});

test("of many nodes that ask at once, each recording is one's", async () => {
  await using backend = await startPostgresBackend(server);
  const lost = await backend.open("lost");
  const ids = Array.from({ length: 40 }, (_, index) => `session-${index}`);
  await Promise.all(ids.map((id) => lost.recordings.create(begun(id))));
  const nodes = await Promise.all(["one", "two", "three"].map((name) => backend.open(name)));
  await lost.leases.release(lost.lease);
  const asked = nodes.flatMap(({ recordings }) => [recordings.takeUnfinished(10), recordings.takeUnfinished(10)]);
  await Promise.all(asked);
  const taken = await Promise.all(nodes.map(({ recordings }) => recordings.takeUnfinished(0)));
  const all = taken.flat().map(({ sessionId }) => sessionId);
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(30);
});
