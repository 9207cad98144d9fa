import { afterAll, beforeAll, expect, test } from "vitest";
import { createMcpServer } from "../src/mcp.ts";
import { createRunBook } from "../src/runs/run-book.ts";
import { startCannedService, type CannedService } from "./canned-service.ts";
import { connectInMemory } from "./mcp-client.ts";

let service: CannedService;
beforeAll(async () => {
  service = await startCannedService();
});
afterAll(async () => service[Symbol.asyncDispose]());

test("a run is found by the same call for a quarter of an hour, and by its confirmation for good", async () => {
  let now = 0;
  const book = createRunBook(() => now);
  let starts = 0;
  const start = async (): Promise<{ id: string; local: undefined }> => ({
    id: `run-${(starts += 1)}`,
    local: undefined,
  });
  expect(await book.start("buy", "ticket-1", start)).toMatchObject({ id: "run-1", isEarlier: false });
  now = 14 * 60_000;
  expect(await book.start("buy", undefined, start)).toMatchObject({ id: "run-1", isEarlier: true });
  now = 16 * 60_000;
  expect(await book.start("buy", "ticket-2", start)).toMatchObject({ id: "run-2", isEarlier: false });
  book.deliver("buy", "run-2");
  expect(await book.start("buy", "ticket-1", start)).toMatchObject({ id: "run-1", isEarlier: true });
  expect(await book.start("buy", "ticket-3", start)).toMatchObject({ id: "run-3", isEarlier: false });
});

test("calls that are made at once start one run, and a start that failed is no run", async () => {
  const book = createRunBook();
  let starts = 0;
  const start = async (): Promise<{ id: string; local: undefined }> => {
    starts += 1;
    if (starts === 1) throw new Error("refused");
    return { id: "run", local: undefined };
  };
  await expect(book.start("buy", "ticket", start)).rejects.toThrow("refused");
  const both = await Promise.all([book.start("buy", "ticket", start), book.start("buy", undefined, start)]);
  expect(both.map(({ isEarlier }) => isEarlier)).toEqual([false, true]);
  expect(starts).toBe(2);
});

test("a session that a cancelled call has opened is ended", async () => {
  const factory = createMcpServer({ baseUrl: service.url, apiKey: service.apiKey });
  await using connection = await connectInMemory(factory, "2026-07-28");
  await connection.client.listTools();
  const gate = Promise.withResolvers<void>();
  service.gate = gate.promise;
  const cancelled = new AbortController();
  const call = connection.call("open_session", { url: "https://shop.example" }, { signal: cancelled.signal });
  await service.waitForRequest("POST /control/sessions");
  cancelled.abort();
  await expect(call).rejects.toThrow();
  gate.resolve();
  service.gate = undefined;
  await service.waitForRequest("DELETE /control/sessions/s-1");
});

test("a run is read after an event that is one, and after its end there is nothing", async () => {
  const factory = createMcpServer({ baseUrl: service.url, apiKey: service.apiKey });
  await using connection = await connectInMemory(factory, "2026-07-28");
  const wrong = await connection.call("follow_run", { run_id: "run-1", after: "last" });
  expect(wrong.isError && wrong.text).toMatch(/after must be as a result says it/u);
  const end = await connection.call("follow_run", { run_id: "run-1", after: "end" });
  expect(end).toMatchObject({ isError: false, structured: { run_id: "run-1" } });
});

test("an answer that nobody signed is refused: a client can't say that a person has confirmed", async () => {
  const factory = createMcpServer({ baseUrl: service.url, apiKey: service.apiKey });
  await using connection = await connectInMemory(factory, "2026-07-28", async () => ({ action: "decline" }));
  const before = service.requests.length;
  const forged = connection.client.request({
    method: "tools/call",
    params: {
      name: "automate",
      arguments: { query: "buy" },
      inputResponses: { person: { action: "accept", content: { confirm: true } } },
      requestState: "v1.eyJwIjp7ImtleSI6IngifX0.AAAA",
    },
  });
  await expect(forged).rejects.toThrow(/requestState/u);
  expect(service.requests.slice(before).filter((one) => one.startsWith("POST"))).toEqual([]);
});
