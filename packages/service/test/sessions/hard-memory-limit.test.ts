import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { enforceHardMemoryLimit } from "../../src/sessions/memory/hard-memory-limit.ts";

const MiB = 2 ** 20;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type Options = Parameters<typeof enforceHardMemoryLimit>[0];

/** What is killed in so many milliseconds, of processes with so many bytes in each browser, and which sessions are told; so many looks fail before. */
async function killedIn(
  ms: number,
  browsers: Readonly<Record<number, { renderer: number; "gpu-process": number }>>,
  failures = 0,
): Promise<string[]> {
  let left = failures;
  const killed: string[] = [];
  const createSession = (name: string, browserPid: number) => ({
    pooledContext: { browserPid },
    noteKill: () => void killed.push(`${name} told`),
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is used of sessions
  const sessions = [createSession("a", 1), createSession("b", 1), createSession("c", 2)] as unknown as ReturnType<
    Options["listSessions"]
  >;
  const stop = enforceHardMemoryLimit({
    listSessions: () => sessions,
    sessionBytes: 1024 * MiB,
    killHeaviest: async (pid, type, leastBytes) => {
      if (left > 0) {
        left -= 1;
        throw new Error("no process can be read");
      }
      const bytes = browsers[pid];
      if (!bytes || bytes[type] < leastBytes) return false;
      bytes[type] = 0;
      killed.push(`${type} of ${pid}`);
      return true;
    },
  });
  await vi.advanceTimersByTimeAsync(ms);
  stop();
  await vi.advanceTimersByTimeAsync(5_000);
  return killed;
}

const usual = { renderer: 2_000 * MiB, "gpu-process": 2_100 * MiB };

test("a renderer that uses twice what a session may is killed within a second, and the sessions of its browser are told", async () => {
  const heavy = { ...usual, renderer: 2_048 * MiB };
  expect(await killedIn(900, { 1: { ...heavy }, 2: { ...usual } })).toEqual([]);
  expect(await killedIn(1_100, { 1: { ...heavy }, 2: { ...usual } })).toEqual(["renderer of 1", "a told", "b told"]);
});

test("the limit of the GPU process grows with each session, and no session is told when it is killed", async () => {
  const heavy = { ...usual, "gpu-process": (2 * 1024 + 2 * 128) * MiB };
  expect(
    await killedIn(3_000, {
      1: { ...usual, "gpu-process": heavy["gpu-process"] - 1 },
      2: { ...usual, "gpu-process": 0 },
    }),
  ).toEqual([]);
  expect(await killedIn(3_000, { 1: heavy, 2: { ...usual, "gpu-process": 0 } })).toEqual(["gpu-process of 1"]);
});

test("processes that can't be read are looked at again a second later", async () => {
  const heavy = { ...usual, renderer: 2_048 * MiB };
  const others = { ...usual, "gpu-process": 0 };
  expect(await killedIn(1_900, { 1: { ...heavy }, 2: { ...others } }, 1)).toEqual([]);
  expect(await killedIn(2_100, { 1: { ...heavy }, 2: { ...others } }, 1)).toEqual([
    "renderer of 1",
    "a told",
    "b told",
  ]);
});
