import { join } from "node:path";
import type { AutomationStream } from "@cloud-browser/stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as cookies from "../../src/cookies.ts";
import * as main from "../../src/index.ts";
import * as replays from "../../src/replay.ts";
import * as runs from "../../src/runs.ts";
import { ownFolder } from "../own-folder.ts";
import { harmless, key, leaks, reasons } from "./reasons-with-keys.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

const events = { "content-type": "text/event-stream" };
const hang = (): Promise<never> => new Promise(() => undefined);

/** A client whose requests get the answer of a service that sends headers, and then nothing; or not even headers. */
function clientOf(answer: () => Promise<Response>): main.CloudBrowser {
  return main.createCloudBrowser({ apiKey: key, baseUrl: "https://service.example", retries: 0, fetch: answer });
}
const silent = clientOf(hang);
const heeding = main.createCloudBrowser({ apiKey: key, baseUrl: "https://service.example", fetch: ({ signal }) =>
  new Promise((_, reject) => signal.aborted ? reject(new Error("stopped")) : signal.addEventListener("abort", () => reject(new Error("stopped")))) }); // prettier-ignore
const begun = clientOf(async () => new Response(new ReadableStream(), { headers: events }));
const detached = clientOf(
  async () => new Response(new ReadableStream(), { status: 202, headers: { ...events, "x-service-run-id": "r1" } }),
);
const path = { params: { path: { session_id: "s1" } } };
const nowhere = (): WritableStream<Uint8Array> => new WritableStream();
const replay = { mp4_url: "https://files.example/v", expires_at: "", video_start_ms: 0, video_duration_ms: 1, playlist_content: "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttps://files.example/a.ts\n" }; // prettier-ignore

/** Throws what the stream of a run ended with. */
async function endOf(run: AutomationStream | { readonly stream: AutomationStream }): Promise<void> {
  const outcome = await ("stream" in run ? run.stream : run).outcome();
  if (outcome.type === "broken") throw outcome.error;
}

/** Every public function that takes a signal, each place where one finds it waiting; the name before the comma is that of the function. */
const waits: { name: string; call: (signal: AbortSignal, target: string) => unknown }[] = [
  { name: "scrape", call: (signal) => silent.scrape("s1", {}, { signal }) },
  { name: "extract", call: (signal) => silent.extract("s1", { response_format: {} }, { signal }) },
  { name: "cookies", call: (signal) => silent.cookies("s1", { signal }) },
  { name: "replay", call: (signal) => silent.replay("s1", { signal }) },
  { name: "raw", call: (signal) => heeding.raw.GET("/sessions/{session_id}/cookies", { ...path, signal }) },
  { name: "automate", call: (signal) => silent.automate({ query: "q" }, { signal }) },
  { name: "automate, its stream", call: (signal) => begun.automate({ query: "q" }, { signal }).then(endOf) },
  { name: "startRun", call: (signal) => runs.startRun(silent, { query: "q" }, { signal }) },
  { name: "startRun, its stream", call: (signal) => runs.startRun(begun, { query: "q" }, { signal }).then(endOf) },
  { name: "startRun, detached", call: (signal) => runs.startRun(detached, { query: "q" }, { signal }).then(endOf) },
  { name: "attachRun", call: (signal) => endOf(runs.attachRun(silent, "r1", { signal })) },
  { name: "attachRun, of raw alone", call: (signal) => endOf(runs.attachRun({ raw: begun.raw }, "r1", { signal })) },
  { name: "waitForReplay", call: (signal) => replays.waitForReplay(silent, "s1", { signal }) },
  { name: "waitForReplay, of a copy", call: (signal) => replays.waitForReplay({ ...silent }, "s1", { signal }) },
  { name: "waitForReplay, its callback", call: (signal) => replays.waitForReplay(clientOf(async () => Response.json({})), "s1", { signal, onWait: hang }) },
  { name: "downloadReplay", call: (signal) => replays.downloadReplay(silent, "s1", nowhere(), { signal }) },
  { name: "downloadReplay, the file", call: (signal) => replays.downloadReplay(silent, "s1", nowhere(), { signal, replay, fetch: hang }) },
  { name: "downloadHls", call: (signal, target) => replays.downloadHls(silent, "s1", target, { signal }) },
  { name: "downloadHls, the files", call: (signal, target) => replays.downloadHls(silent, "s1", target, { signal, replay, fetch: hang }) },
]; // prettier-ignore

/** Calls a function, and resolves with what it fails with when its signal aborts: at once, or while it waits. */
async function abortedWith(
  call: (typeof waits)[number]["call"],
  reason: unknown,
  isWaiting: boolean,
): Promise<unknown> {
  const controller = new AbortController();
  const target = join(await ownFolder(), "replay");
  if (!isWaiting) controller.abort(reason);
  const over = (async () => call(controller.signal, target))().catch((thrown: unknown) => thrown);
  // It waits for what never comes: some turns of the event loop later at the latest, or else it would have aborted at its begin.
  for (let turns = isWaiting ? 5 : 0; turns > 0; turns--) await new Promise((resolve) => setTimeout(resolve));
  controller.abort(reason);
  return over;
}

const places = waits.flatMap((wait) => [false, true].map((isWaiting) => Object.assign({ isWaiting }, wait)));
test.for(places)("the reason of an abort shows no key: $name, waiting: $isWaiting", async ({ call, isWaiting }) => {
  const shown: string[] = [];
  for (const { name, reason } of reasons) {
    const aborted = await abortedWith(call, reason, isWaiting);
    expect(aborted).toMatchObject({ code: "aborted" });
    if (leaks(aborted)) shown.push(name);
  }
  expect([shown, unhandled]).toEqual([[], []]);
});

test.for(places)(
  "the reason of an abort is the cause itself: $name, waiting: $isWaiting",
  async ({ call, isWaiting }) => {
    for (const { reason } of harmless) expect(Object(await abortedWith(call, reason, isWaiting)).cause).toBe(reason);
  },
);

/** Public functions that take no signal. */
const without =
  /^(?:from|to)\w*Cookie\w*$|^(?:createCloudBrowser|createSpendLedger|\w+Error|parsePlaylist|segmentsBetween)$/;
test("no public function that takes a signal is missing above", () => {
  const names = [cookies, main, replays, runs, silent].flatMap((each) => Object.keys(each));
  const tested = new Set(waits.map(({ name }) => name.split(",")[0]));
  expect(names.filter((name) => !without.test(name)).sort((a, b) => a.localeCompare(b))).toEqual(
    [...tested].sort((a = "", b = "") => a.localeCompare(b)),
  );
});
