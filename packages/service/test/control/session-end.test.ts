import { expect, test, vi } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { Session } from "../../src/sessions/session.ts";
import { readAnswer, startTestService } from "../running-service.ts";
import { makeGate, startSite } from "@cloud-browser/testing/site.ts";

const prices = { input: "0", cachedInput: "0", cacheWrite: "0", output: "0" };

test("a session that ends during a model call keeps its last address", async () => {
  const { page: model, open: answer } = makeGate();
  await using site = await startSite({ "/": "<title>Ferries</title><p>A ferry", "/chat/completions": model });
  await using running = await startTestService({ model: { baseUrl: site.url, name: "slow", prices } });
  const { session_id: id } = await running.open({ url: site.url });
  const response_format = { type: "object", required: ["captain"], properties: { captain: { type: "string" } } };
  const scrape = running.ask("POST", `/sessions/${id}/page/scrape`, { response_format });
  await vi.waitUntil(() => site.requests.includes("/chat/completions"), { timeout: 60_000 });
  await running.end(id);
  answer();
  expect((await scrape).status).toBe(200);
  const record = await readAnswer<SessionView>(await running.ask("GET", `/control/sessions/${id}`));
  expect(record).toMatchObject({ state: "ended", url: `${site.url}/`, title: "Ferries" });
});

test("a scrape whose session ends meanwhile says so, and not that its page failed", async () => {
  const { page: held, open: letGo } = makeGate();
  const standsStill = "const asked = new XMLHttpRequest(); asked.open('GET', '/held', false); asked.send()";
  const page = `<script>onload = () => setTimeout(() => { ${standsStill} }, 100)</script>`;
  await using site = await startSite({ "/": page, "/held": held });
  await using running = await startTestService();
  const { session_id: id } = await running.open({ url: site.url });
  await vi.waitUntil(() => site.requests.includes("/held"), { timeout: 60_000 });
  using touched = vi.spyOn(Session.prototype, "touch");
  const scrape = running.ask("POST", `/sessions/${id}/page/scrape`, {});
  await vi.waitUntil(() => touched.mock.calls.length > 0, { timeout: 60_000 });
  await running.end(id);
  const answer = await scrape;
  letGo();
  expect({ status: answer.status, said: await answer.json() }).toEqual({
    status: 409,
    said: { detail: "the session has ended" },
  });
});
