import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { RawClient } from "../../../browsers/test/relay/relayed-session.ts";
import { SetClock } from "../../../recorder/test/recording/set-clock.ts";
import { readAnswer, startTestService } from "../running-service.ts";

test("a session whose client only reads is not idle, until the client stops reading", async () => {
  const clock = new SetClock(Date.now());
  await using running = await startTestService({ clock });
  const { session_id: id, cdp_url } = await running.open({ idle_limit_s: 60 });
  const view = async (): Promise<SessionView> => readAnswer(await running.ask("GET", `/control/sessions/${id}`));
  await using client = await RawClient.open(cdp_url ?? "");
  const session = await client.attach();
  for (let times = 0; times < 3; times += 1) {
    clock.set(clock.now() + 40_000);
    expect(await client.ask("Page.captureScreenshot", {}, session)).toHaveProperty("result");
  }
  // What is about to end is told of as active still, but takes no more.
  expect((await running.ask("GET", `/sessions/${id}/cookies`)).status).toBe(200);
  clock.set(clock.now() + 61_000);
  await expect.poll(view, { timeout: 60_000 }).toMatchObject({ state: "ended", end_reason: "idle" });
});

test.each([
  { name: "back", byMs: -3_600_000 },
  { name: "forward", byMs: 3_600_000 },
])("a clock that is set $name changes nothing of how long a session may be idle", async ({ byMs }) => {
  await using running = await startTestService();
  const { session_id: id } = await running.open({ idle_limit_s: 4 });
  const view = async (): Promise<SessionView> => readAnswer(await running.ask("GET", `/control/sessions/${id}`));
  await delay(2_000); // its timer is under way
  const usedMs = performance.now();
  expect((await running.ask("GET", `/sessions/${id}/cookies`)).status).toBe(200);
  const timeOfDay = Date.now;
  using _ = vi.spyOn(Date, "now").mockImplementation(() => timeOfDay() + byMs);
  await expect.poll(view, { timeout: 60_000 }).toMatchObject({ state: "ended", end_reason: "idle" });
  expect(performance.now() - usedMs).toBeGreaterThanOrEqual(3_999);
});
