import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";
import { makeGate, startSite, type Site } from "@cloud-browser/testing/site.ts";

let site: Site;

beforeAll(async () => {
  site = await startSite({ "/": "<title>Ferries</title><h1>Harbour ferries</h1>" });
});

afterAll(async () => site[Symbol.asyncDispose]());

/** Waits for the end of a session, and for its reason. */
async function expectEnd({ ask }: TestService, id: string, reason: string): Promise<void> {
  const reasonNow = async (): Promise<unknown> =>
    (await readAnswer<SessionView>(await ask("GET", `/control/sessions/${id}`))).end_reason;
  await expect.poll(reasonNow, { timeout: 60_000, interval: 500 }).toBe(reason);
}

test("a session that uses too much memory is ended, and its neighbour is not", async () => {
  await using small = await startTestService({ limits: { memoryBytes: 300 * 2 ** 20 } });
  const created = makeGate();
  const grow = "setInterval(() => kept.push(new Float64Array(4e6).fill(1)), 200)";
  await using heavy = await startSite({
    "/": `<script>window.kept = []; fetch("/created").then(() => ${grow})</script>`,
    "/created": created.page,
  });
  const neighbour = await small.open({ url: `${site.url}/` });
  const { session_id: id } = await small.open({ url: `${heavy.url}/` });
  created.open();
  await expectEnd(small, id, "memory");
  const view = await readAnswer<SessionView>(await small.ask("GET", `/control/sessions/${neighbour.session_id}`));
  expect(view.state).toBe("active");
});

test.each(['console.log("x")', 'reportError(new Error("x"))'])(
  "a session that floods its console by %s is ended, and its neighbour is read in between",
  async (message) => {
    await using shared = await startTestService();
    const created = makeGate();
    const flood = `setInterval(() => { for (let i = 0; i < 100; i++) ${message} }, 1)`;
    await using loud = await startSite({
      "/": `<script>fetch("/created").then(() => ${flood})</script>`,
      "/created": created.page,
    });
    const neighbour = await shared.open({ url: `${site.url}/` });
    const { session_id: id } = await shared.open({ url: `${loud.url}/` });
    created.open();
    await expectEnd(shared, id, "flood");
    const scrape = await shared.ask("POST", `/sessions/${neighbour.session_id}/page/scrape`, {});
    expect(await scrape.json()).toMatchObject({ markdown: expect.stringContaining("Harbour ferries") });
  },
);
