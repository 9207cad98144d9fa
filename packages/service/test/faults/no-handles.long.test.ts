import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { ask, key, Place, type Served } from "../command-line.ts";
import { liveShortly, notLines, startLifeSite } from "./life.ts";
import { recover } from "./surviving.ts";

const run = promisify(execFile);

let site: Awaited<ReturnType<typeof startLifeSite>>;
let place: Place;
let served: Served;
beforeAll(async () => {
  site = await startLifeSite();
  place = new Place();
  served = await place.serving();
}, 60_000);
afterAll(async () => {
  await place?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
}, 90_000);

/** Limits the handles of the service for real: the kernel refuses the next one. */
async function limitHandles(most: number | "unlimited"): Promise<void> {
  await run("prlimit", ["--pid", String(served.process.pid), `--nofile=${most === "unlimited" ? "1024" : most}:`]);
}

test.each([0, 1, 3, 8, 20])(
  "a process with %i handles left lives on, and does all again when it has more",
  { timeout: 240_000 },
  async (left) => {
    const { session_id: own } = await ask<SessionView>(served, "POST", "/control/sessions", { url: site.url });
    const used = (await readdir(`/proc/${served.process.pid}/fd`)).length;
    await limitHandles(used + left);
    const headers = { authorization: `Bearer ${key}` };
    const paths = ["/control/sessions", `/sessions/${own}/cookies`, "/health", "/control/runs", "/metrics"];
    const asking = [...paths, ...paths, ...paths].map((path, index) =>
      fetch(`${served.url}${path}`, {
        method: path === "/control/sessions" ? "POST" : "GET",
        headers: { ...headers, connection: index % 2 === 0 ? "close" : "keep-alive" },
        signal: AbortSignal.timeout(5_000),
        ...(path === "/control/sessions" ? { body: JSON.stringify({ url: site.url }) } : {}),
      }).then(
        async (answer) => [answer.status, await answer.text()] as const,
        () => [0, ""] as const,
      ),
    );
    const answers = await Promise.all(asking);
    expect(served.process.exitCode).toBeNull();
    expect(answers.filter(([status]) => status === 500)).toEqual([]);
    await limitHandles("unlimited");
    const { sessions } = await ask<{ sessions: readonly SessionView[] }>(served, "GET", "/control/sessions");
    for (const { session_id: id, state } of sessions)
      if (state === "active") await ask(served, "DELETE", `/control/sessions/${id}`);
    await recover({ served });
    expect((await liveShortly(served.url, site.url)).filter(({ status }) => status !== 200 && status !== 201)).toEqual(
      [],
    );
    expect(notLines(served.stderr())).toEqual([]);
  },
);
