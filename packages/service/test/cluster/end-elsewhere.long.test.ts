import { startPostgres, type PostgresServer } from "@cloud-browser/testing/postgres-server.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { key } from "../command-line.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

let postgres: PostgresServer;
let services: readonly TestService[] = [];
beforeAll(async () => {
  postgres = await startPostgres();
  const node = (nodeName: string): Promise<TestService> =>
    startTestService({ apiKey: key, cluster: { database: postgres.url, nodeName } });
  services = [await node("one"), await node("two")];
});
afterAll(async () => {
  for (const service of services) await service[Symbol.asyncDispose]();
  await postgres?.[Symbol.asyncDispose]();
});

test("the client ends a session of another node", async () => {
  const [one, two] = services;
  const { session_id: id = "" } = (await two?.service.open()) ?? {};
  // A node is known once the leases were looked at.
  await vi.waitFor(() => one?.service.end(id), { timeout: 30_000, interval: 500 });
  const view = await one?.ask("GET", `/control/sessions/${id}`);
  expect(view && (await readAnswer(view))).toMatchObject({ state: "ended", end_reason: "requested" });
  await one?.service.end(id);
  await expect(one?.service.end(crypto.randomUUID())).rejects.toMatchObject({ code: "unknown-session" });
});
