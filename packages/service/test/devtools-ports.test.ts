import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { BrowserPool, type BrowserPoolOptions } from "../src/browsers/browser-pool.ts";
import { findChromium } from "../src/browsers/chromium-binary.ts";

const patient = { timeout: 20_000, interval: 10 };

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "cloud-browser-ports-"))));
afterAll(async () => rm(folder, { recursive: true }));

async function startPool(options: BrowserPoolOptions): Promise<BrowserPool> {
  const pool = await BrowserPool.start(options);
  onTestFinished(async () => pool.close());
  return pool;
}

const portOf = (devtoolsUrl: string): number => Number(new URL(devtoolsUrl).port);
const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A program that is Chromium the first time; from then on it tells a port as that of its DevTools, and does nothing. */
async function onceChromium(port: number): Promise<string> {
  const { executable, env } = await findChromium();
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const program = join(folder, "once-chromium");
  const script = `#!/bin/sh
if mkdir "${folder}/started" 2>/dev/null; then exec "${executable}" "$@"; fi
echo "DevTools listening on ws://127.0.0.1:${port}/devtools/browser/x" >&2
exec sleep 60
`;
  await writeFile(program, script);
  await chmod(program, 0o700);
  return program;
}

test("the port of a browser is known before its driver is connected, and forgotten when it could not start", async () => {
  const calls = new Set<Socket>();
  const silent = createServer((call) => void calls.add(call.on("error", () => {}))).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const address = silent.address();
  if (address === null || typeof address === "string") throw new Error("nothing listens");
  const pool = await startPool({
    binary: { executable: await onceChromium(address.port) },
    spacesPerBrowser: 1,
    maxBrowsers: 2,
  });
  await pool.open();
  await vi.waitFor(() => expect(pool.devtoolsPorts()).toContain(address.port), patient);
  await vi.waitFor(() => expect(calls.size).toBe(1), patient);
  expect(pool.devtoolsPorts().size).toBe(2);
  for (const call of calls) call.destroy();
  silent.close();
  await vi.waitFor(() => expect(pool.devtoolsPorts()).not.toContain(address.port), patient);
});

test("the port of a browser that is ended is known as long as its process runs", async () => {
  const pool = await startPool({});
  const [facts] = await pool.browsers();
  if (!facts) throw new Error("no browser runs");
  const port = portOf(facts.devtoolsUrl);
  expect(pool.devtoolsPorts()).toContain(port);
  const closed = pool.close();
  let looks = 0;
  while (isRunning(facts.pid)) {
    const isKnown = pool.devtoolsPorts().has(port);
    // It may have ended between the two looks.
    if (!isKnown && isRunning(facts.pid)) throw new Error("the port is open to pages while its browser runs");
    looks += 1;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await closed;
  expect(looks).toBeGreaterThan(0);
  expect(pool.devtoolsPorts().size).toBe(0);
});

test("the port of a browser that dies is forgotten", async () => {
  const pool = await startPool({ maxSpaces: 0 });
  const [facts] = await pool.browsers();
  if (!facts) throw new Error("no browser runs");
  process.kill(facts.pid, "SIGKILL");
  await vi.waitFor(() => expect(pool.devtoolsPorts()).not.toContain(portOf(facts.devtoolsUrl)), patient);
});
