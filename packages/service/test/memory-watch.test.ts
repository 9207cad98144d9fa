import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { BrowserMemory } from "../src/browsers/memory.ts";
import { watchMemory, type MemoryWatchOptions } from "../src/sessions/memory-watch.ts";

const MiB = 2 ** 20;
const devtoolsUrl = "ws://127.0.0.1:1/devtools";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type Watched = ReturnType<MemoryWatchOptions["sessions"]>[number];

/** A session with one page that tells so many bytes. */
function session(name: string, bytes: number, ended: string[]): Watched {
  const answers: Readonly<Record<string, object>> = {
    "Runtime.getHeapUsage": { usedSize: bytes, backingStorageSize: 0 },
    "Memory.getDOMCounters": { nodes: 0 },
  };
  const devtools = { send: async (method: string) => answers[method], detach: async () => undefined };
  const context = { pages: () => ["page"], newCDPSession: async () => devtools };
  const end = async (reason: string): Promise<void> => void ended.push(`${name} ${reason}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the watch uses of a session
  return { space: { devtoolsUrl, context }, end } as unknown as Watched;
}

/** Whom the watch ends of twenty sessions in one browser, one of which has a page that tells 400 MiB; each may have 1 GiB. */
async function endedWith(memory: BrowserMemory): Promise<string[]> {
  const ended: string[] = [];
  const sessions = Array.from({ length: 20 }, (_, index) =>
    session(`session-${index}`, (index === 7 ? 400 : 20) * MiB, ended),
  );
  const browsers = async () => [{ pid: 1, devtoolsUrl, spaces: 20, spacesSoFar: 20, memory }];
  const stop = watchMemory({ browsers, sessions: () => sessions, sessionBytes: 1024 * MiB });
  await vi.advanceTimersByTimeAsync(6_000);
  stop();
  return ended;
}

test("twenty ordinary sessions in one browser are let be, though together they use more than one may", async () => {
  expect(await endedWith({ all: 2_200 * MiB, heaviestPage: 500 * MiB })).toEqual([]);
});

test("one whose page uses more than a session may is ended, however little its browser uses", async () => {
  expect(await endedWith({ all: 2_200 * MiB, heaviestPage: 1_100 * MiB })).toEqual(["session-7 memory"]);
});

test("the one with the largest pages is ended when its browser uses more than its sessions may", async () => {
  expect(await endedWith({ all: 3_900 * MiB, heaviestPage: 500 * MiB })).toEqual(["session-7 memory"]);
});
