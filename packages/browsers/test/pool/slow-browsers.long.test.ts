import { expect, test, vi } from "vitest";
import { BrowserPool } from "../../src/pool/browser-pool.ts";
import type { PooledContext } from "../../src/pool/pooled-context.ts";

vi.setConfig({ testTimeout: 120_000 });

/** How long browsers of these tests may take, in milliseconds: time enough for one that works. */
const answerTimeMs = 4_000;

/** Two contexts in one browser. */
interface Two extends AsyncDisposable {
  readonly pool: BrowserPool;
  readonly one: PooledContext;
  readonly other: PooledContext;
}

async function startTwo(): Promise<Two> {
  const pool = await BrowserPool.start({ maxBrowsers: 1, answerTimeMs });
  const [one, other] = [await pool.open(), await pool.open()];
  return { pool, one, other, [Symbol.asyncDispose]: () => pool.close() };
}

const never = (): Promise<never> => new Promise(() => undefined);

/** Resolves to "open" when a context is not lost. */
async function readState({ lost }: PooledContext): Promise<string> {
  return Promise.race([lost, Promise.resolve("open")]);
}

test("a context that the driver can't close is disposed of, and its browser continues", async () => {
  await using two = await startTwo();
  const { one, other } = two;
  Object.assign(one.context, { close: never });
  await one.close();
  expect(await one.lost).toBe("closed");
  expect(await readState(other)).toBe("open");
  const devtools = await other.context.browser()?.newBrowserCDPSession();
  expect(await devtools?.send("Target.getBrowserContexts")).toMatchObject({ browserContextIds: [other.contextId] });
});

test("a context that the driver can't open is an error, and its browser continues", async () => {
  await using two = await startTwo();
  const { pool, one, other } = two;
  Object.assign(one.context.browser() ?? {}, { newContext: never });
  await expect(pool.open()).rejects.toMatchObject({
    code: "page-failed",
    message: expect.stringMatching(/ s to open a session$/u),
  });
  expect(await readState(other)).toBe("open");
});

test("a slow browser that responds to a ping is kept", async () => {
  await using two = await startTwo();
  const { one, other } = two;
  const devtools = await other.context.browser()?.newBrowserCDPSession();
  if (!devtools) throw new Error("It has a browser.");
  process.kill(one.browserPid, "SIGSTOP");
  const send = vi.spyOn(Object.getPrototypeOf(devtools), "send");
  const closing = one.close();
  await vi.waitUntil(() => send.mock.calls.some(([method]) => method === "Browser.getVersion"), { timeout: 60_000 });
  send.mockRestore();
  process.kill(one.browserPid, "SIGCONT");
  await closing;
  expect(await readState(other)).toBe("open");
});

test("a browser that does not respond at all is killed", async () => {
  await using two = await startTwo();
  const { one, other } = two;
  process.kill(one.browserPid, "SIGSTOP");
  await one.close();
  expect(await other.lost).toBe("crashed");
});
