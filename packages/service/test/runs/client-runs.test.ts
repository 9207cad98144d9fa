import { createCloudBrowser } from "@cloud-browser/client";
import { attachRun, startRun } from "@cloud-browser/client/runs";
import { expect, test } from "vitest";
import { startTestService } from "../running-service.ts";

test("the client starts a run, disconnects, and reads the rest by its id, each event once", async () => {
  await using running = await startTestService();
  const { url: baseUrl, apiKey } = running.service;
  const client = createCloudBrowser({ apiKey, baseUrl });
  const started = await startRun(client, { query: "Open about:blank, wait 1 second" });
  expect(started).toMatchObject({ id: expect.any(String), isDetached: true });
  const id = started.id ?? "";
  const events: unknown[] = [];
  for await (const event of started.stream) {
    events.push(event);
    if (event.type === "tool_start") break;
  }
  // Another process knows the id of the run, and of the last event.
  const rest = attachRun(client, id, { after: started.lastEventId });
  for await (const event of rest.stream) events.push(event);
  expect(await rest.stream.outcome()).toMatchObject({ type: "done", event: { metadata: { thread_id: id } } });
  expect(rest.lastEventId).toBe("end");
  const all: unknown[] = [];
  for await (const event of attachRun(client, id).stream) all.push(event);
  expect(all.length).toBeGreaterThan(4);
  expect(events).toEqual(all);
  const nothing = attachRun(client, crypto.randomUUID());
  await expect(nothing.stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "connection-lost" });
});
