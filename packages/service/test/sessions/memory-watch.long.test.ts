import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { BrowserMemory } from "@cloud-browser/browsers";
import { watchMemory, type MemoryWatchOptions } from "../../src/sessions/memory/memory-watch.ts";

const MiB = 2 ** 20;
const browserPid = 1;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type Watched = ReturnType<MemoryWatchOptions["listSessions"]>[number];

/** What a page that does not tell its memory does; one that is slow tells that it has little, after that time. */
type Silence = "leaves" | "has answered" | "runs on" | `${number} ms` | "runs on soon";

const little: Readonly<Record<string, object>> = {
  "Runtime.getHeapUsage": { usedSize: 20 * MiB, backingStorageSize: 0 },
  "Memory.getDOMCounters": { nodes: 0 },
  "Storage.getUsageAndQuota": { usage: 0 },
};

/** A session with one page that tells so many bytes, or nothing; its origin has so many in its stores. */
function session(
  name: string,
  bytes: number | Silence,
  ended: string[],
  stored: number,
  isRead: () => boolean,
  scraped: () => number = () => -Infinity,
): Watched {
  const answers: Readonly<Record<string, object>> = {
    "Runtime.getHeapUsage": { usedSize: bytes, backingStorageSize: 0 },
    "Memory.getDOMCounters": { nodes: 0 },
    "Storage.getUsageAndQuota": { usage: stored },
  };
  const isSilent = typeof bytes === "string";
  let looks = 0; // of three questions each
  const slowMs = isSilent ? Number.parseInt(bytes, 10) : 0;
  const send = async (method: string): Promise<unknown> => {
    if (bytes === "runs on soon" && looks++ < 2 * 3) return little[method];
    if (slowMs > 0) return new Promise((resolve) => setTimeout(resolve, slowMs, little[method]));
    return isSilent ? new Promise(() => undefined) : answers[method];
  };
  const devtools = { send, detach: async () => undefined };
  const frame = {};
  const response = async (): Promise<unknown> => (bytes === "leaves" ? new Promise(() => undefined) : null);
  const request = { isNavigationRequest: () => true, frame: () => frame, response };
  const page = {
    mainFrame: () => frame,
    requests: async () => (bytes === "runs on" ? [] : [request]),
    context: () => context,
  };
  const context = { pages: () => [page], newCDPSession: async () => devtools };
  const end = async (reason: string): Promise<void> => void ended.push(`${name} ${reason}`);
  const noteKill = (): void => void ended.push(`${name} told`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the watch uses of a session
  return {
    pooledContext: { browserPid, context },
    seenOrigins: ["https://ferries.example"],
    get isBeingRead() {
      return isRead();
    },
    get lastReadMs() {
      return scraped();
    },
    end,
    noteKill,
  } as unknown as Watched;
}

/** What is unusual about two of twenty sessions. */
interface Unusual {
  /** What the page of the fourth tells, and what it has stored, in bytes. Default: as little as others. */
  readonly fourth?: number | Silence;
  readonly stored?: number;
  /** Whether the heavy one is being read, each time that somebody asks. Default: never. */
  readonly isRead?: () => boolean;
  /** The same of the fourth. */
  readonly isFourthRead?: () => boolean;
  /** When the fourth was last scraped with success, each time that somebody asks. Default: never. */
  readonly fourthScraped?: () => number;
  /** What the page of the first one does. Default: it tells as little as others. */
  readonly first?: number | Silence;
  /** What the page of the seventh one tells. Default: 400 MiB. */
  readonly seventh?: number | Silence;
  /** What the pages of all others do. Default: they tell as little. */
  readonly others?: Silence;
  /** How long they are watched, in milliseconds. Default: for one look. */
  readonly ms?: number;
}

/** Whom the watch ends of twenty sessions in one browser, one of which has a page that tells 400 MiB; each may have 1 GiB. */
async function endedWith(measured: Partial<BrowserMemory>, unusual: Unusual = {}): Promise<string[]> {
  const memory = { all: 0, heaviestPage: 0, gpu: 50 * MiB, ...measured };
  const { first = 20 * MiB, fourth = 20 * MiB, seventh = 400 * MiB, stored = 0 } = unusual;
  const { isRead = () => false, isFourthRead = () => false, ms = 8_000, others = 20 * MiB } = unusual;
  const ended: string[] = [];
  const sessions = Array.from({ length: 20 }, (_, index) => {
    const name = `session-${index}`;
    if (index === 0) return session(name, unusual.others ?? first, ended, 0, () => false);
    if (index === 3) return session(name, fourth, ended, stored, isFourthRead, unusual.fourthScraped);
    if (index === 7) return session(name, unusual.others ?? seventh, ended, 0, isRead);
    return session(name, others, ended, 0, () => false);
  });
  const browsers = async () => [{ pid: browserPid, contexts: 20, contextsSoFar: 20, memory }];
  const killHeaviest: MemoryWatchOptions["killHeaviest"] = async (pid, type, leastBytes) => {
    ended.push(`heaviest ${type} of ${pid}, if ${leastBytes / MiB} MiB`);
    return true;
  };
  const stop = watchMemory({
    listBrowsers: browsers,
    listSessions: () => sessions,
    sessionBytes: 1024 * MiB,
    killHeaviest,
  });
  await vi.advanceTimersByTimeAsync(ms);
  stop();
  const reports = ended.filter((what) => what.endsWith(" told"));
  return reports.length > 0 ? [...ended.filter((what) => !reports.includes(what)), `${reports.length} told`] : ended;
}

test("twenty ordinary sessions in one browser are spared, though together they use more than the limit of one", async () => {
  expect(await endedWith({ all: 2_200 * MiB, heaviestPage: 500 * MiB })).toEqual([]);
});

test("one whose page uses more than a session may is ended, however little its browser uses", async () => {
  expect(await endedWith({ all: 2_200 * MiB, heaviestPage: 1_100 * MiB })).toEqual(["session-7 memory"]);
});

test("the one with the largest pages is ended when its browser uses more than its sessions may", async () => {
  expect(await endedWith({ all: 3_900 * MiB, heaviestPage: 500 * MiB })).toEqual(["session-7 memory"]);
});

test("the one that fills the stores of its origin is, though its pages are small", async () => {
  expect(await endedWith({ all: 3_900 * MiB, heaviestPage: 500 * MiB }, { stored: 1_200 * MiB })).toEqual([
    "session-3 memory",
  ]);
});

/** What is done when pages are silent: the system knows whose process it is, and all that crash now do so for their memory. */
const killed = [`heaviest renderer of ${browserPid}, if 1024 MiB`, "20 told"];

test.each<readonly [what: string, fourth: Silence, ended: readonly string[]]>([
  ["that waits for a server to go elsewhere is not the one that grows", "leaves", ["session-7 memory"]],
  ["that has got its answer and says nothing may be", "has answered", killed],
  ["that has not asked for anything and says nothing may be", "runs on", killed],
])("a page %s", async (_, fourth, ended) => {
  expect(await endedWith({ all: 2_200 * MiB, heaviestPage: 1_100 * MiB }, { fourth })).toEqual(ended);
});

const heavy = { all: 2_200 * MiB, heaviestPage: 1_100 * MiB };

test("one whose page is being scraped is spared, as that takes memory, too, but only for longer than a scrape lasts", async () => {
  expect(await endedWith(heavy, { isRead: () => true, ms: 23_000 })).toEqual([]);
  expect(await endedWith(heavy, { isRead: () => true, ms: 27_000 })).toEqual(["session-7 memory"]);
});

test.each([
  ["until it was weighed", [true, false]],
  ["since it was weighed", [false, true]],
])("so is one that was being read %s", async (_, request) => {
  const answers = [...request];
  expect(await endedWith(heavy, { isRead: () => answers.shift() ?? false })).toEqual([]);
});

test("one that does not respond while it is being scraped is spared for as long", async () => {
  const unusual = { seventh: "runs on", isRead: () => true } as const;
  expect(await endedWith(heavy, { ...unusual, ms: 23_000 })).toEqual([]);
  expect(await endedWith(heavy, { ...unusual, ms: 28_000 })).toEqual(killed);
});

/** A scrape of each of two, one after the other, in seconds from the first check on. */
const scrapes = (first: number, then: number) => {
  const begunMs = performance.now();
  const lasts = (from: number, to: number) => (): boolean => {
    const seconds = (performance.now() - begunMs) / 1_000;
    return seconds >= from && seconds < to;
  };
  return { fourth: "runs on", seventh: "runs on", isFourthRead: lasts(0, first), isRead: lasts(first, then) } as const;
};

test("one that is scraped after another one was spared is spared for as long as that one was, but not a third time as long", async () => {
  expect(await endedWith(heavy, { ...scrapes(16, 31), ms: 31_000 })).toEqual([]);
  expect(await endedWith(heavy, { ...scrapes(23, 60), ms: 43_000 })).toEqual([]);
  expect(await endedWith(heavy, { ...scrapes(23, 60), ms: 48_000 })).toEqual(killed);
});

const silent = { first: "runs on", fourth: "runs on" } as const;

test("when several do not respond, or respond late, the process over the limit is killed, whichever session it belongs to", async () => {
  expect(await endedWith(heavy, silent)).toEqual(killed);
  expect(await endedWith(heavy, { first: "1000 ms", fourth: "3000 ms" })).toEqual(killed);
  expect(await endedWith(heavy, { ...silent, seventh: 1_000 * MiB })).toEqual(killed);
});

test("but one that reports that it is over the limit is ended", async () => {
  expect(await endedWith(heavy, { ...silent, seventh: 1_025 * MiB })).toEqual(["session-7 memory"]);
});

describe("memory that no page reports", () => {
  const seventh = 20 * MiB;

  test("is that of the process over the limit, which is killed when it has not been freed for ten seconds", async () => {
    expect(await endedWith(heavy, { seventh, ms: 13_000 })).toEqual([]);
    expect(await endedWith(heavy, { seventh, ms: 18_000 })).toEqual(killed);
  });

  test("is not while a session is being scraped, but only for longer than that lasts", async () => {
    expect(await endedWith(heavy, { seventh, isRead: () => true, ms: 23_000 })).toEqual([]);
    expect(await endedWith(heavy, { seventh, isRead: () => true, ms: 28_000 })).toEqual(killed);
  });

  test("is that of the GPU process when it is over the limit, and no session ends when it is killed", async () => {
    const heavyGpu = { all: 3_900 * MiB, heaviestPage: 900 * MiB, gpu: 1_100 * MiB };
    expect(await endedWith(heavyGpu, { seventh, ms: 18_000 })).toEqual([
      `heaviest gpu-process of ${browserPid}, if 1024 MiB`,
    ]);
  });

  test("in a browser over its limit is that of a process that uses half of what a session may", async () => {
    const many = { all: 3_900 * MiB, heaviestPage: 520 * MiB };
    expect(await endedWith(many, { seventh, ms: 13_000 })).toEqual([]);
    expect(await endedWith(many, { seventh, ms: 18_000 })).toEqual([
      `heaviest renderer of ${browserPid}, if 512 MiB`,
      "20 told",
    ]);
  });

  test("is nobody's when no process stands out", async () => {
    const many = { all: 3_900 * MiB, heaviestPage: 500 * MiB };
    expect(await endedWith(many, { seventh, ms: 60_000 })).toEqual([]);
  });
});

/** No page is over the limit, but all of them are. */
const crowded = { all: 3_900 * MiB, heaviestPage: 500 * MiB };

describe("in a browser that is over its limit while none of its pages is", () => {
  test("a page that alone does not respond, while all others respond promptly, is ended", async () => {
    expect(await endedWith(crowded, { fourth: "runs on" })).toEqual(["session-3 memory"]);
  });

  test("when several do not respond none is ended for that", async () => {
    expect(await endedWith(crowded, silent)).toEqual([]);
  });

  test("nor is one that answers late on a machine where others do, too", async () => {
    expect(await endedWith(crowded, { first: "1000 ms", fourth: "3000 ms" })).toEqual([]);
  });

  test("nor one that is alone, or with others that are navigating: none shows that the machine is not slow", async () => {
    expect(await endedWith(crowded, { fourth: "runs on", others: "leaves", ms: 13_000 })).toEqual([]);
    expect(await endedWith(crowded, { fourth: "runs on", others: "leaves", ms: 18_000 })).toEqual(["session-3 memory"]);
  });

  test("nor one that uses as much memory as it may", async () => {
    expect(await endedWith(crowded, { ...silent, seventh: 1_000 * MiB })).toEqual([]);
  });

  test("but one that is over the limit alone is", async () => {
    expect(await endedWith(crowded, { ...silent, seventh: 1_025 * MiB })).toEqual(["session-7 memory"]);
  });

  test("a session ends that does not respond for longer than any pause of pages", async () => {
    const unusual = { first: "1000 ms", fourth: "runs on", seventh: 20 * MiB } as const;
    expect(await endedWith(crowded, { ...unusual, ms: 16_000 })).toEqual([]);
    expect(await endedWith(crowded, { ...unusual, ms: 18_000 })).toEqual(["session-3 memory"]);
  });

  test("nor one that does not respond for as long because it is being scraped", async () => {
    const unusual = { first: "1000 ms", seventh: "runs on", isRead: () => true } as const;
    expect(await endedWith(crowded, { ...unusual, ms: 48_000 })).toEqual([]);
    expect(await endedWith(crowded, { ...unusual, ms: 60_000 })).toEqual(["session-7 memory"]);
  });

  test("nor one that does not respond for as long, but is scraped with success all the while", async () => {
    const unusual = { first: "1000 ms", fourth: "runs on", seventh: 20 * MiB } as const;
    const lately = { fourthScraped: () => performance.now() - 2_000 };
    expect(await endedWith(crowded, { ...unusual, ...lately, ms: 60_000 })).toEqual([]);
    const once = performance.now();
    expect(await endedWith(crowded, { ...unusual, fourthScraped: () => once, ms: 30_000 })).toContain(
      "session-3 memory",
    );
  });

  test("of several that do not respond the one that has not for longest", async () => {
    const unusual = { first: "runs on soon", fourth: "runs on", seventh: 20 * MiB } as const;
    expect(new Set(await endedWith(crowded, { ...unusual, ms: 30_000 }))).toEqual(new Set(["session-3 memory"]));
  });

  test("of several that have not for as long the largest process is killed: none is guessed", async () => {
    expect(await endedWith(crowded, { ...silent, seventh: 20 * MiB, ms: 18_000 })).toEqual([
      `heaviest renderer of ${browserPid}, if 0 MiB`,
      "20 told",
    ]);
  });
});
