import { setImmediate } from "node:timers/promises";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seed } from "@cloud-browser/testing/seed.ts";
import { readAutomationStream, StreamError, type AutomationSource, type AutomationStream } from "../src/index.ts";
import { getBytes } from "./chunking.ts";
import { readByOracle } from "./oracle.ts";
import { createSource, sse } from "./source.ts";

/** More cases: `SEED=7 TIMES=9 npx vitest run --testTimeout=0 test/property`. */
const times = Number(process.env["TIMES"] ?? 1);

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

/** How the source ends, and what the caller does meanwhile. */
interface Plan {
  readonly lines: string[];
  /** What has no line end. */
  readonly tail: string;
  readonly sizes: number[];
  readonly ending: "end" | "fail" | "hang";
  readonly kind: "stream" | "slow" | "response";
  /** What the caller does, at the event of that number or, from outside, after so many turns of the event loop. */
  readonly act: "read on" | "break" | "cancel" | "abort" | "abort outside" | "cancel outside" | "only outcome";
  readonly at: number;
}

const text = (delta: string): string => `data: {"type":"text_delta","delta":"${delta}"}\n`;
const done = 'data: {"type":"done","total_cost_usd":1}\n';
const lines = [
  text("a"),
  text("é😀"),
  `${text("b")}\n`,
  "\n",
  ": ping\n",
  'data: {"type":"tick"}\r\n',
  "data: {\n",
  "data: x\n",
  done,
];
const plans: fc.Arbitrary<Plan> = fc.record({
  lines: fc.array(fc.constantFrom(...lines, text("c"), text("d"), text("e"), "<html>"), {
    maxLength: 8,
  }),
  tail: fc.constantFrom("", "", 'data: {"type":"tick"}', done.trimEnd(), 'data: {"type":"err', ": pi"),
  sizes: fc.array(fc.integer({ min: 0, max: 150 }), { minLength: 1, maxLength: 4 }).map((some) => some.concat(50)),
  ending: fc.constantFrom("end", "fail", "hang"),
  kind: fc.constantFrom("stream", "slow", "response"),
  act: fc.constantFrom("read on", "break", "cancel", "abort", "abort outside", "cancel outside", "only outcome"),
  at: fc.nat(6),
});

function listChunks(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; from += chunks.at(-1)?.length ?? 0) {
    chunks.push(bytes.slice(from, from + (sizes[chunks.length % sizes.length] ?? 1)));
  }
  return chunks;
}

/** The source, and whether what never comes was asked for. */
function createPlanSource(
  { kind, ending }: Plan,
  chunks: Uint8Array[],
): { source: AutomationSource; hangs: () => boolean } {
  const { stream, state } = createSource(chunks, ending === "fail" ? new Error("reset") : ending);
  const hangs = (): boolean => state.pulls > chunks.length;
  if (kind === "response") return { source: new Response(stream, { headers: sse }), hangs };
  return { source: kind === "stream" ? stream : giveSlowly(stream), hangs };
}

/** One chunk per turn of the event loop. */
async function* giveSlowly(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    await setImmediate();
    yield chunk;
  }
}

/** Reads as planned; gives the events, and what the iteration threw. */
async function follow(reading: AutomationStream, { act, at }: Plan, abort: () => void) {
  const events: unknown[] = [];
  try {
    for await (const event of reading) {
      events.push(event);
      if (events.length <= at) continue;
      if (act === "break") break;
      if (act === "cancel") await reading.cancel();
      if (act === "abort") abort();
    }
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
}

/** The outcomes that a plan allows, given the events there were to read, how many were read, and the number of whole data lines. */
function listPossible(
  { act, at, ending }: Plan,
  all: readonly { type: string }[],
  readCount: number,
  dataLines: number,
): string[] {
  const natural: string[] = [];
  if (readCount === all.length) {
    if (all.at(-1)?.type === "done") natural.push("done");
    else if (ending === "fail") natural.push("connection-lost");
    else if (ending === "hang") natural.push("left");
    else natural.push("ended-early", ...(dataLines === 0 ? ["not-a-stream"] : []));
  }
  if (act === "abort outside") return [...natural, "aborted"];
  if (act === "cancel outside") return [...natural, "left"];
  if (act === "read on" || act === "only outcome" || at >= all.length || all[at]?.type === "done") return natural;
  if (readCount !== at + 1) return [];
  return [act === "abort" ? "aborted" : "left"];
}

function isEvent(thing: unknown): thing is { type: string } {
  return typeof thing === "object" && thing !== null && "type" in thing;
}

/** Reads as planned, and waits for what that leaves behind. */
async function run(plan: Plan) {
  const bytes = getBytes(plan.lines.join("") + plan.tail);
  const { things, beforeEnd } = readByOracle(bytes);
  const { dataLines } = readByOracle(bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1));
  const all = things.slice(0, plan.ending === "hang" ? beforeEnd : undefined).filter(isEvent);
  const chunks = listChunks(bytes, plan.sizes);
  const controller = new AbortController();
  const abort = (): void => controller.abort("enough");
  const { source, hangs } = createPlanSource(plan, chunks);
  const reading = readAutomationStream(source, { signal: controller.signal });

  const early = plan.act === "only outcome" ? reading.outcome() : undefined;
  const following = early ? { events: all, error: undefined } : follow(reading, plan, abort);
  for (let turn = 0; turn < plan.at; turn++) await setImmediate();
  if (plan.act === "abort outside") abort();
  if (plan.act === "cancel outside") await reading.cancel();
  if (plan.ending === "hang") {
    // A reader that was kept from the processor for a while lets the event loop have turns.
    const state = { over: false };
    void Promise.resolve(early ?? following).then(() => (state.over = true));
    do await setImmediate();
    while (!state.over && !hangs());
    await reading.cancel(); // nothing else ends it
  }
  const { events, error } = await following;
  const outcome = await reading.outcome();
  abort();
  await reading.cancel();
  await setImmediate();
  return { all, events, error, dataLines, outcomes: [outcome, await (early ?? outcome), await reading.outcome()] };
}

test("has exactly one outcome, whatever the source and the caller do, and leaves no rejection unhandled", async () => {
  const start = performance.now();
  const numRuns = 8000 * times;
  const property = fc.asyncProperty(plans, async (plan) => {
    const { all, events, error, dataLines, outcomes } = await run(plan);
    const [outcome] = outcomes;
    const broken = outcome?.type === "broken" ? outcome.error : undefined;
    expect(unhandled.splice(0)).toEqual([]);
    expect(events).toEqual(all.slice(0, events.length));
    expect(listPossible(plan, all, events.length, dataLines)).toContain(broken ? broken.code : outcome?.type);
    expect(new Set(outcomes).size).toBe(1);
    expect(error).toBe(plan.act === "only outcome" ? undefined : broken);
    expect(broken === undefined || broken instanceof StreamError).toBe(true);
  });
  await fc.assert(property, { seed, numRuns, timeout: 200_000 });
  const seconds = (performance.now() - start) / 1000;
  console.log(`${numRuns} cases in ${seconds.toFixed(1)} s, seed ${seed}`);
});
