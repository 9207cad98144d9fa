import { hash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Journal } from "@cloud-browser/recorder";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { JournalShipper, type JournalShipperOptions } from "../../../src/storage/recordings/journal-shipper.ts";
import { countOwnTime } from "@cloud-browser/testing/own-time.ts";

let folder: string;
let journal: Journal;
let shipper: JournalShipper | undefined;
/** What the store has, by key. */
const stored = new Map<string, Uint8Array>();
let put: (key: string, bytes: Uint8Array) => Promise<void>;
const faults: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cb-shipper-"));
  journal = new Journal({ folder, onChunk: () => undefined, chunkMs: 4_000 });
  stored.clear();
  faults.length = 0;
  put = async (key, bytes) => void stored.set(key, bytes.slice());
});
afterEach(async () => {
  await shipper?.stop();
  await journal.end(20_000);
  await rm(folder, { recursive: true });
});

function start({
  everyMs = 20,
  ...options
}: Partial<Pick<JournalShipperOptions, "mayShip">> & { everyMs?: number | "usual" } = {}): JournalShipper {
  shipper = new JournalShipper({
    sessionId: "one",
    folder,
    listFiles: () => journal.files,
    objects: { put: (key, bytes) => put(key, bytes) },
    mayShip: () => true,
    onFault: (error) => void faults.push(error instanceof Error ? error.message : "goes on"),
    ...(everyMs !== "usual" && { everyMs }),
    retryDelaysMs: { first: 20, longest: 80 },
    ...options,
  });
  return shipper;
}

const picture = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(7);
const patience = { timeout: 20_000, interval: 10 };

const digest = (bytes: Uint8Array): string => `${bytes.length} ${hash("sha256", bytes)}`;

/** What the store has of each file, in the order of the keys. */
function whole(): Record<string, string> {
  const files: Record<string, Buffer[]> = {};
  for (const key of [...stored.keys()].sort()) {
    const [, , , file = ""] = key.split("/");
    (files[file] ??= []).push(Buffer.from(stored.get(key) ?? []));
  }
  return Object.fromEntries(Object.entries(files).map(([file, parts]) => [file, digest(Buffer.concat(parts))]));
}

async function onDisk(): Promise<Record<string, string>> {
  const files = [...journal.files.keys()].map(
    async (file) => [file, digest(await readFile(join(folder, file)))] as const,
  );
  return Object.fromEntries(await Promise.all(files));
}

test("everything written is shipped, in small immutable parts", async () => {
  const sizes: number[] = [];
  put = async (key, bytes) => {
    expect(stored.has(key)).toBe(false);
    sizes.push(bytes.length);
    stored.set(key, bytes.slice());
  };
  const own = start();
  for (let atMs = 0; atMs < 12_000; atMs += 1_500) {
    await journal.picture(atMs, picture(700_000));
    const all = await onDisk();
    await vi.waitFor(() => expect(whole()).toEqual(all), patience);
  }
  await journal.picture(12_000, picture(3_000_000));
  await journal.end(12_500);
  await own.finish();
  expect(whole()).toEqual(await onDisk());
  expect(Object.keys(whole()).length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2 ** 20);
  expect([own.lagMs, own.unshippedBytes, faults]).toEqual([0, 0, []]);
});

test("rounds begin 2 seconds apart by default", async () => {
  const moments: number[] = [];
  // Each takes the time that this process has had since the one before.
  let own = countOwnTime();
  put = async () => {
    moments.push(own());
    own = countOwnTime();
  };
  start({ everyMs: "usual" });
  const writing = setInterval(() => void journal.picture(performance.now(), picture(10)), 50);
  await vi.waitFor(() => expect(moments.length).toBeGreaterThanOrEqual(2), patience);
  clearInterval(writing);
  own();
  expect(moments[1]).toBeLessThan(4_000);
});

test("a failing store is retried with backoff and reported once; the journal continues", async () => {
  const times: number[] = [];
  const refuse = put;
  put = () => {
    times.push(performance.now());
    return Promise.reject(new Error("the store is closed"));
  };
  const own = start();
  await journal.picture(100, picture(100));
  await vi.waitFor(() => expect(times.length).toBeGreaterThanOrEqual(5), patience);
  await journal.picture(1_000, picture(100));
  const pauses = times.slice(1).map((ms, index) => ms - (times[index] ?? 0));
  // Each is at least as long as it has to be; how much longer is about the machine.
  expect([20, 40, 80, 80].filter((ms, at) => (pauses[at] ?? 0) < ms - 2)).toEqual([]);
  expect(faults).toEqual(["the store is closed"]);
  expect(own.unshippedBytes).toBeGreaterThan(200);
  const lagMs = own.lagMs;
  expect(lagMs).toBeGreaterThan(100);
  put = refuse;
  await vi.waitFor(() => expect([own.lagMs, own.unshippedBytes]).toEqual([0, 0]), patience);
  expect(faults).toEqual(["the store is closed", "goes on"]);
  expect(whole()).toEqual(await onDisk());
});

test("a slow store delays nothing else, and gets one request at a time", async () => {
  let open = 0;
  let most = 0;
  const storing = Promise.withResolvers<void>();
  put = async (key, bytes) => {
    most = Math.max(most, (open += 1));
    await storing.promise;
    stored.set(key, bytes.slice());
    open -= 1;
  };
  const own = start();
  for (let atMs = 0; atMs < 1_000; atMs += 10) await journal.picture(atMs, picture(1_000));
  await vi.waitFor(() => expect(open).toBe(1), patience);
  expect(stored.size).toBe(0);
  storing.resolve();
  await journal.end(1_100);
  await own.finish();
  expect(most).toBe(1);
  expect(whole()).toEqual(await onDisk());
});

test("nothing is shipped for a session that this process no longer owns", async () => {
  let isOwn = true;
  const own = start({ mayShip: () => isOwn });
  await journal.picture(100, picture(100));
  await vi.waitFor(() => expect(own.unshippedBytes).toBe(0), patience);
  const before = stored.size;
  isOwn = false;
  await journal.picture(200, picture(100));
  await own.finish();
  isOwn = true;
  await journal.picture(300, picture(100));
  expect([stored.size, own.lagMs]).toEqual([before, 0]);
});
