import { randomBytes } from "node:crypto";
import { startSite } from "@cloud-browser/testing/site.ts";
import { listOwnBrowsers } from "@cloud-browser/testing/browser-processes.ts";
import { afterEach, expect, test } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

/** How long a client waits, in milliseconds: longer than the service waits for a browser. */
const patienceMs = 100_000;

let stopped: readonly number[] = [];
afterEach(() => {
  for (const pid of stopped) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
});

/** Stops the browsers of this process: they live, and answer nothing. */
function stopBrowsers(): void {
  stopped = listOwnBrowsers();
  expect(stopped).not.toEqual([]);
  for (const pid of stopped) process.kill(pid, "SIGSTOP");
}

/** Asks, and returns the status, or why there was no answer. */
async function readStatus(
  running: TestService,
  method: string,
  path: string,
  body?: unknown,
): Promise<number | string> {
  const init: RequestInit = {
    method,
    headers: { authorization: `Bearer ${running.service.apiKey}`, "content-type": "application/json" },
    signal: AbortSignal.timeout(patienceMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  try {
    const answer = await fetch(`${running.service.url}${path}`, init);
    await answer.arrayBuffer();
    return answer.status;
  } catch (error) {
    return String(error);
  }
}

/** What is asked for in a session, and which answers are right while its browser stands still. */
const requests: readonly (readonly [string, string, unknown, readonly number[]])[] = [
  ["POST", "/sessions/:id/page/scrape", {}, [502]],
  ["GET", "/sessions/:id/cookies", undefined, [502]],
  ["GET", "/control/sessions/:id", undefined, [200]],
  ["GET", "/control/sessions/:id/timeline", undefined, [200]],
  ["GET", "/control/sessions/:id/console", undefined, [200]],
  ["GET", "/control/sessions/:id/clipboard", undefined, [502]],
  ["PUT", "/control/sessions/:id/clipboard", { text: "tea" }, [200]],
  ["GET", "/control/sessions/:id/files", undefined, [200]],
  ["POST", "/control/sessions/:id/files?name=a.txt", "text", [201]],
  ["POST", "/control/sessions/:id/tokens", { scope: "watch", lifetime_s: 60 }, [201]],
  ["GET", "/control/sessions/:id/cdp/json/version", undefined, [200, 502]],
  ["GET", "/control/sessions", undefined, [200]],
  ["GET", "/metrics", undefined, [200]],
];

test("each request for a session is answered while its browser stands still", { timeout: 240_000 }, async () => {
  await using site = await startSite({ "/": "<title>Harbour</title><h1>Ferries</h1>" });
  await using running = await startTestService({ profiles: { keys: randomBytes(32).toString("hex") } });
  const { session_id: id } = await running.open({ url: `${site.url}/` });
  const { session_id: withProfile } = await running.open({ url: `${site.url}/`, profile: { name: "shop" } });
  stopBrowsers();
  const answers = requests.map(async ([method, path, body]) =>
    readStatus(running, method, path.replace(":id", id), body),
  );
  const results = await Promise.all(answers);
  const lines = requests.map(
    ([method, path, , right], index) => `${method} ${path} ${results[index]} of ${right.join()}`,
  );
  expect(lines.filter((_, index) => !requests[index]?.[3].includes(Number(results[index])))).toEqual([]);
  // Its end is answered, too, and says what it was.
  const both = [id, withProfile];
  expect(await Promise.all(both.map((one) => readStatus(running, "DELETE", `/control/sessions/${one}`)))).toEqual([
    200, 200,
  ]);
  const views = both.map(async (one) => readAnswer<SessionView>(await running.ask("GET", `/control/sessions/${one}`)));
  expect(await Promise.all(views)).toMatchObject([
    { state: "ended" },
    { state: "ended", profile: { outcome: "failed", why: expect.any(String) } },
  ]);
  // Others get a browser that answers.
  await expect
    .poll(() => readStatus(running, "POST", "/control/sessions", { url: `${site.url}/` }), { timeout: patienceMs })
    .toBe(201);
});
