/** Aborts of every public function that takes a signal, by reasons that hold the key. */
import { join } from "node:path";
import type { AutomationStream } from "@cloud-browser/stream";
import { expect } from "vitest";
import * as main from "../../src/index.ts";
import * as replays from "../../src/replay.ts";
import * as runs from "../../src/runs.ts";
import { makeOwnFolder } from "../own-folder.ts";
import { key, leaks, reasons } from "./reasons-with-keys.ts";

const events = { "content-type": "text/event-stream" };
const hang = (): Promise<never> => new Promise(() => undefined);

/** A client whose requests get the answer of a service that sends headers, and then nothing; or not even headers. */
function createClient(answer: () => Promise<Response>): main.CloudBrowser {
  return main.createCloudBrowser({ apiKey: key, baseUrl: "https://service.example", retries: 0, fetch: answer });
}
export const silent = createClient(hang);
const heeding = main.createCloudBrowser({ apiKey: key, baseUrl: "https://service.example", fetch: ({ signal }) =>
  new Promise((_, reject) => signal.aborted ? reject(new Error("stopped")) : signal.addEventListener("abort", () => reject(new Error("stopped")))) }); // prettier-ignore
const streaming = createClient(async () => new Response(new ReadableStream(), { headers: events }));
const detached = createClient(
  async () => new Response(new ReadableStream(), { status: 202, headers: { ...events, "x-service-run-id": "r1" } }),
);
const path = { params: { path: { session_id: "s1" } } };
const createSink = (): WritableStream<Uint8Array> => new WritableStream();
const replay = { mp4_url: "https://files.example/v", expires_at: "", video_start_ms: 0, video_duration_ms: 1, playlist_content: "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttps://files.example/a.ts\n" }; // prettier-ignore

/** Throws what the stream of a run ended with. */
async function readEnd(run: AutomationStream | { readonly stream: AutomationStream }): Promise<void> {
  const outcome = await ("stream" in run ? run.stream : run).outcome();
  if (outcome.type === "broken") throw outcome.error;
}

/** Every public function that takes a signal, each place where one finds it waiting; the name before the comma is that of the function. */
export const waits: { name: string; call: (signal: AbortSignal, target: string) => unknown }[] = [
  { name: "scrape", call: (signal) => silent.scrape("s1", {}, { signal }) },
  { name: "extract", call: (signal) => silent.extract("s1", { response_format: {} }, { signal }) },
  { name: "cookies", call: (signal) => silent.cookies("s1", { signal }) },
  { name: "replay", call: (signal) => silent.replay("s1", { signal }) },
  { name: "raw", call: (signal) => heeding.raw.GET("/sessions/{session_id}/cookies", { ...path, signal }) },
  { name: "automate", call: (signal) => silent.automate({ query: "q" }, { signal }) },
  { name: "automate, its stream", call: (signal) => streaming.automate({ query: "q" }, { signal }).then(readEnd) },
  { name: "startRun", call: (signal) => runs.startRun(silent, { query: "q" }, { signal }) },
  { name: "startRun, its stream", call: (signal) => runs.startRun(streaming, { query: "q" }, { signal }).then(readEnd) },
  { name: "startRun, detached", call: (signal) => runs.startRun(detached, { query: "q" }, { signal }).then(readEnd) },
  { name: "attachRun", call: (signal) => readEnd(runs.attachRun(silent, "r1", { signal })) },
  { name: "attachRun, of raw alone", call: (signal) => readEnd(runs.attachRun({ raw: streaming.raw }, "r1", { signal })) },
  { name: "waitForReplay", call: (signal) => replays.waitForReplay(silent, "s1", { signal }) },
  { name: "waitForReplay, of a copy", call: (signal) => replays.waitForReplay({ ...silent }, "s1", { signal }) },
  { name: "waitForReplay, its callback", call: (signal) => replays.waitForReplay(createClient(async () => Response.json({})), "s1", { signal, onWait: hang }) },
  { name: "downloadReplay", call: (signal) => replays.downloadReplay(silent, "s1", createSink(), { signal }) },
  { name: "downloadReplay, the file", call: (signal) => replays.downloadReplay(silent, "s1", createSink(), { signal, replay, fetch: hang }) },
  { name: "downloadHls", call: (signal, target) => replays.downloadHls(silent, "s1", target, { signal }) },
  { name: "downloadHls, the files", call: (signal, target) => replays.downloadHls(silent, "s1", target, { signal, replay, fetch: hang }) },
]; // prettier-ignore

/** Calls a function, and resolves with what it fails with when its signal aborts: at once, or while it waits. */
export async function abortCall(
  call: (typeof waits)[number]["call"],
  reason: unknown,
  isWaiting: boolean,
): Promise<unknown> {
  const controller = new AbortController();
  const target = join(await makeOwnFolder(), "replay");
  if (!isWaiting) controller.abort(reason);
  const over = (async () => call(controller.signal, target))().catch((thrown: unknown) => thrown);
  // It waits for what never comes: some turns of the event loop later at the latest, or else it would have aborted at its begin.
  for (let turns = isWaiting ? 5 : 0; turns > 0; turns--) await new Promise((resolve) => setTimeout(resolve));
  controller.abort(reason);
  return over;
}

/** Every public function that takes a signal, which aborts at once, or while it waits. */
export const places = waits.flatMap((wait) => [false, true].map((isWaiting) => Object.assign({ isWaiting }, wait)));

/** Names of the reasons that an abort by them shows the key of, of every nth from the place's own on. Default: of all. */
export async function listLeaking(place: (typeof places)[number], n = 1): Promise<string[]> {
  const leakingReasons: string[] = [];
  const own = reasons.filter((_, at) => (at + places.indexOf(place)) % n === 0);
  for (const { name, reason } of own) {
    const aborted = await abortCall(place.call, reason, place.isWaiting);
    expect(aborted).toMatchObject({ code: "aborted" });
    if (leaks(aborted)) leakingReasons.push(name);
  }
  return leakingReasons;
}
