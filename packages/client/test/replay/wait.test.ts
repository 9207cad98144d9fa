import { expect, test } from "vitest";
import { ClientError } from "../../src/errors/client-error.ts";
import { waitForReplay, type ReplayClient, type WaitOptions, type WaitProgress } from "../../src/replay.ts";
import { readOutcome, startReplayHost, type HostOptions } from "./replay-host.ts";
import { abortAfter } from "./timed-abort.ts";
import { countOwnTime } from "@cloud-browser/testing/own-time.ts";

const quick = { intervalMs: 5 };

interface Row {
  readonly name: string;
  /** Statuses of the first answers; all others are 200. */
  readonly statuses?: number[];
  readonly replay?: HostOptions["replay"];
  readonly options?: WaitOptions;
  /** How often the service is asked: so many times, or at most so many where the time is over before. */
  readonly requests: number | { readonly atMost: number };
  /** What the wait fails with. Default: it does not. */
  readonly want?: object;
}
const rows: Row[] = [
  { name: "there at once", requests: 1 },
  { name: "there after 404, 409 and 425", statuses: [404, 409, 425], requests: 4 },
  { name: "any other status", statuses: [404, 403], requests: 2, want: { code: "unexpected-status", status: 403 } },
  { name: "a failing service", statuses: [500], requests: 1, want: { code: "unexpected-status", status: 500 } },
  {
    name: "statuses of the caller's own",
    statuses: [418, 404],
    options: { pendingStatuses: [418] },
    requests: 2,
    want: { code: "unexpected-status", status: 404 },
  },
  { name: "no video at first", replay: (_, nth) => (nth < 3 ? { mp4_url: null } : {}), requests: 3 },
  { name: "an empty video address at first", replay: (_, nth) => (nth < 3 ? { mp4_url: "" } : {}), requests: 3 },
  {
    name: "a playlist that is waited for",
    replay: (_, nth) => ({ mp4_url: null, playlist_content: nth < 3 ? null : "#EXTM3U" }),
    options: { until: "playlist" },
    requests: 3,
  },
  { name: "any replay", replay: () => ({ mp4_url: null }), options: { until: "replay" }, requests: 1 },
  {
    name: "never",
    statuses: Array<number>(99).fill(404),
    options: { deadlineMs: 2000, intervalMs: 1200 },
    requests: { atMost: 2 },
    want: { code: "replay-unavailable", cause: { code: "unexpected-status", status: 404 } },
  },
  {
    name: "no question that fits",
    statuses: [404],
    options: { deadlineMs: 4000, intervalMs: 5000 },
    requests: 1,
    want: { code: "replay-unavailable", cause: { status: 404 } },
  },
  {
    name: "never a video",
    replay: () => ({ mp4_url: null }),
    options: { deadlineMs: 900, intervalMs: 600 },
    requests: { atMost: 2 },
    want: { code: "replay-unavailable" },
  },
];
test.for(rows)("waits until the replay is there: $name", async ({ statuses = [], replay, options, requests, want }) => {
  await using host = await startReplayHost(replay && { replay });
  host.replayStatuses.push(...statuses);
  const outcome = await readOutcome(waitForReplay(host.client, "s1", { ...quick, ...options }));
  expect(outcome).toMatchObject(want ?? { video_duration_ms: 1000 });
  const count = host.replays.length;
  expect(outcome).toMatchObject(typeof requests === "number" ? {} : { attempts: count });
  expect(count).toSatisfy((times: number) =>
    typeof requests === "number" ? times === requests : times <= requests.atMost,
  );
});

test("passes an error on unchanged", async () => {
  const thrown = new TypeError("mine");
  const client: ReplayClient = { replay: () => Promise.reject(thrown) };
  await expect(waitForReplay(client, "s1")).rejects.toBe(thrown);
});

test("takes a timeout of the client's own for what it is", async () => {
  const thrown = new ClientError("timeout", "too slow");
  const client: ReplayClient = { replay: () => Promise.reject(thrown) };
  await expect(waitForReplay(client, "s1")).rejects.toBe(thrown);
});

test("ends at the deadline, and the question with it, also when the service does not answer", async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const client: ReplayClient = {
    replay: (_, options) => (signals.push(options?.signal), new Promise(() => undefined)),
  };
  const own = countOwnTime();
  const outcome = await readOutcome(waitForReplay(client, "s1", { deadlineMs: 100 }));
  expect(outcome).toMatchObject({ code: "replay-unavailable", cause: { code: "timeout" } });
  expect(own()).toBeLessThan(1000);
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});

const places: { name: string; client?: ReplayClient }[] = [
  { name: "within a pause" },
  { name: "within a question", client: { replay: () => new Promise(() => undefined) } },
];
test.for(places)("ends at once when the signal aborts: $name", async ({ client }) => {
  await using host = await startReplayHost();
  host.replayStatuses.push(404);
  const abort = abortAfter(100);
  const waiting = waitForReplay(client ?? host.client, "s1", { signal: abort.signal });
  await expect(waiting).rejects.toMatchObject({ code: "aborted", cause: abort.reason });
  expect(abort.sinceMs()).toBeLessThan(500);
});

test("asks nothing when the signal has aborted before", async () => {
  await using host = await startReplayHost();
  const waiting = waitForReplay(host.client, "s1", { signal: AbortSignal.abort() });
  await expect(waiting).rejects.toMatchObject({ code: "aborted" });
  expect(host.replays).toEqual([]);
});

test("reports what it waits for", async () => {
  await using host = await startReplayHost({ replay: (_, nth) => (nth < 3 ? { mp4_url: null } : {}) });
  host.replayStatuses.push(404);
  const reported: WaitProgress[] = [];
  await waitForReplay(host.client, "s1", { ...quick, onWait: (progress) => reported.push(progress) });
  const elapsedMs: unknown = expect.any(Number);
  expect(reported).toEqual([
    { attempts: 1, elapsedMs, waitMs: 5, status: 404 },
    { attempts: 2, elapsedMs, waitMs: 5, status: undefined },
  ]);
});

test("ends with what a hook throws", async () => {
  await using host = await startReplayHost();
  host.replayStatuses.push(404);
  const thrown = new Error("mine");
  const onWait = (): never => {
    throw thrown;
  };
  await expect(waitForReplay(host.client, "s1", { ...quick, onWait })).rejects.toBe(thrown);
});

test.for([{ intervalMs: 0 }, { intervalMs: NaN }, { deadlineMs: 0 }, { deadlineMs: NaN }])(
  "asks nothing and calls it misuse: %o",
  async (options) => {
    await using host = await startReplayHost();
    await expect(waitForReplay(host.client, "s1", options)).rejects.toMatchObject({ code: "misuse" });
    expect(host.replays).toEqual([]);
  },
);
