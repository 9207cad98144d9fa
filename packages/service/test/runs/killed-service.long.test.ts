import { startSite } from "@cloud-browser/testing/site.ts";
import { expect, test, vi } from "vitest";
import type { RunView } from "../../src/control/run-view.ts";
import { ask, key, Place, type Served } from "../command-line.ts";
import { allEvents, sentEvents, type SentEvent } from "./reading.ts";

function follow({ url }: Served, id: string, after = "0"): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "last-event-id": after };
  return fetch(`${url}/control/runs/${id}/events`, { headers });
}

test("the run of a killed service has ended in one error at the next start, with all written events, and repeats nothing", async () => {
  let clicks = 0;
  await using site = await startSite({
    "/": `<title>Shop</title><button onclick="fetch('/bought', { method: 'POST' })">Buy</button>`,
    "/bought": (_, response) => {
      clicks += 1;
      response.end();
    },
  });
  await using place = new Place();
  const dead = await place.serving();
  const started = await fetch(`${dead.url}/api/automation/start`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", prefer: "respond-async" },
    body: JSON.stringify({ query: `Open ${site.url}/, click Buy, wait 100 seconds` }),
  });
  expect(started.status).toBe(202);
  const id = started.headers.get("x-service-run-id") ?? "";

  const events: SentEvent[] = [];
  const reading = (async () => {
    for await (const event of sentEvents(await follow(dead, id))) events.push(event);
  })();
  await vi.waitFor(() => expect(events.filter(({ event }) => event.type === "tool_start")).toHaveLength(3), 60_000);
  await vi.waitFor(() => expect(clicks).toBe(1), 60_000);
  dead.process.kill("SIGKILL");
  await expect(reading).rejects.toThrow();

  const back = await place.serving();
  expect(await ask<RunView>(back, "GET", `/control/runs/${id}`)).toMatchObject({
    state: "ended",
    end: "service-died",
  });
  const rest = await allEvents(await follow(back, id, events.at(-1)?.id));
  expect(rest).toEqual([
    {
      id: "end",
      event: {
        type: "error",
        error: "service_died",
        detail: expect.stringContaining("it is not retried"),
        metadata: { thread_id: id },
        total_cost_usd: 0,
      },
    },
  ]);
  // What was told in the last moments may not have been written.
  const all = await allEvents(await follow(back, id));
  expect(all.at(-1)).toEqual(rest[0]);
  expect(all.slice(0, -1)).toEqual(events.slice(0, all.length - 1));
  expect(all.some(({ event }) => event.type === "notte_session_data")).toBe(true);
  expect((await follow(back, id, "end")).status).toBe(204);
  expect(await ask(back, "GET", "/control/runs")).toEqual({ runs: [] });
  expect(clicks).toBe(1);

  back.process.kill("SIGKILL");
  await back.ended;
  const again = await place.serving();
  expect(await allEvents(await follow(again, id))).toEqual(all);
  expect(clicks).toBe(1);
});
