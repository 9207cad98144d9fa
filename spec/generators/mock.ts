import { deepStrictEqual, rejects } from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Connect } from "./calls.ts";
import { findBinary } from "./workshop.ts";

const getGeneratedPath = (name: string): string => fileURLToPath(new URL(`../generated/${name}`, import.meta.url));

/** What is wrong with Prism mocks of the documents, seen through a generated client and without a key. */
export async function checkMocks(connect: Connect): Promise<string[]> {
  const mocks = [
    withMock("openapi-mock.json", async (url) => {
      const client = connect({ sessions: url, automation: url, key: "any" });
      deepStrictEqual(await client.replay("s"), 12_500);
      const { types, cost } = await client.start("find the next ferry", AbortSignal.timeout(60_000));
      deepStrictEqual([types.at(-1), cost], ["done", 0.0431]);
      const denied = await fetch(`${url}/sessions/s/cookies`);
      const body: { detail?: unknown } = JSON.parse(await denied.text());
      deepStrictEqual([denied.status, /session/.test(JSON.stringify(body))], [401, false], JSON.stringify(body));
    }),
    withMock("openapi.json", async (url) => {
      const headers = { authorization: "Bearer any", "content-type": "application/json" };
      const run = await fetch(`${url}/api/automation/start`, { method: "POST", headers, body: '{"query":"q"}' });
      deepStrictEqual([run.status, (await run.text()).trim()], [200, ""], "the stream of 3.2 is not empty");
    }),
    withMock("openapi-3.1.json", async (url) => {
      const client = connect({ sessions: url, automation: url, key: "any" });
      deepStrictEqual(await client.replay("s"), 12_500);
      const run = client.start("find the next ferry", AbortSignal.timeout(60_000));
      await rejects(run, /500/, "the automation of 3.1 is answered, other than the table says");
    }),
  ];
  return (await Promise.all(mocks)).flat();
}

async function withMock(name: string, use: (url: string) => Promise<void>): Promise<string[]> {
  const child = spawn(
    process.execPath,
    [findBinary("@stoplight/prism-cli"), "mock", "--port", "0", getGeneratedPath(name)],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, NO_COLOR: "1", SCARF_ANALYTICS: "false" },
    },
  );
  const exit = once(child, "exit");
  try {
    await use(await startMock(child));
    return [];
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    child.kill("SIGKILL");
    await exit;
  }
}

async function startMock(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const url = /listening on (http:\/\/\S+)/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once("exit", () => reject(new Error(`ended before it listened; it said: ${output.slice(-800)}`)));
  });
}
