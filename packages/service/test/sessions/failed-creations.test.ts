import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeGate, startSite } from "@cloud-browser/testing/site.ts";
import type { SessionView } from "../../src/control/session-view.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

/** Reasons of all sessions, the oldest first. */
async function readReasons({ ask }: TestService): Promise<readonly SessionView["end_reason"][]> {
  const { sessions } = await readAnswer<{ sessions: readonly SessionView[] }>(await ask("GET", "/control/sessions"));
  return sessions.map(({ end_reason }) => end_reason).toReversed();
}

test("records say that a session was not created, and that the stop of the service ended one or its run", async () => {
  const { page: late, open: letGo } = makeGate();
  await using site = await startSite({ "/broken": (request) => request.socket.destroy(), "/late": late });
  const data = await mkdtemp(join(tmpdir(), "cloud-browser-test-"));
  const open = (url: string): Promise<Response> => running.ask("POST", "/control/sessions", { url: site.url + url });
  const running = await startTestService({ data });
  try {
    expect((await open("/broken")).status).toBe(502);
    const leaving = new AbortController();
    const left = fetch(`${running.service.url}/control/sessions`, {
      method: "POST",
      headers: { authorization: `Bearer ${running.service.apiKey}` },
      body: JSON.stringify({ url: `${site.url}/late?left` }),
      signal: leaving.signal,
    });
    await expect.poll(() => site.requests.filter((path) => path === "/late").length, { timeout: 30_000 }).toBe(1);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(() => readReasons(running), { timeout: 30_000 }).toEqual(["not-created", "not-created"]);

    const run = await running.ask("POST", "/api/automation/start", { query: "wait 60 seconds" });
    const events = run.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; !text.includes("tool_start");) text += (await events?.read())?.value ?? "";
    const stopped = open("/late");
    await expect.poll(() => site.requests.filter((path) => path === "/late").length, { timeout: 30_000 }).toBe(2);
    await running.service.close();
    expect((await stopped).status).toBe(503);
    await using again = await startTestService({ data });
    expect(await readReasons(again)).toEqual(["not-created", "not-created", "shutdown", "shutdown"]);
  } finally {
    letGo();
    await running.service.close();
    await rm(data, { recursive: true });
  }
});
