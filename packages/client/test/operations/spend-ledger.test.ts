import { expect, test } from "vitest";
import {
  ClientError,
  createCloudBrowser,
  createSpendLedger,
  type AutomateOptions,
  type SpendLedger,
} from "../../src/index.ts";
import {
  chunk,
  getChunkedHead,
  findFreePort,
  getHead,
  startSocketServer,
  streamContent,
  type SocketFault,
} from "../calls/fault-socket.ts";

/** All fields of a ledger. */
function getState({ spentUsd, settled, running, unknown, refused }: SpendLedger): object {
  return { spentUsd, settled, running, unknown, refused };
}
const nothing = { spentUsd: 0, settled: 0, running: 0, unknown: 0, refused: 0 };

const sums: { costs: number[]; want: number }[] = [
  { costs: [0.1, 0.2], want: 0.3 },
  { costs: [0.7, 0.1], want: 0.8 },
  { costs: Array.from({ length: 1000 }, () => 0.001), want: 1 },
  { costs: [1e-9, 1e-9], want: 2e-9 },
  { costs: [1e-10], want: 0 },
  { costs: [0], want: 0 },
  { costs: [4_000_000.000000001, 1e-9], want: 4_000_000.000000002 },
];
test.for(sums)("sums are exact to a billionth: $want", ({ costs, want }) => {
  const ledger = createSpendLedger();
  for (const cost of costs) ledger.start().settle(cost);
  expect(getState(ledger)).toEqual({ ...nothing, spentUsd: want, settled: costs.length });
});

test("an invalid cost is unknown", () => {
  const ledger = createSpendLedger();
  // @ts-expect-error: a service may send anything
  for (const cost of [undefined, NaN, Infinity, -1, "0.5", null, 1e300]) ledger.start().settle(cost);
  expect(getState(ledger)).toEqual({ ...nothing, unknown: 7 });
});

test("a cost that takes the sum beyond all numbers is unknown", () => {
  const ledger = createSpendLedger();
  for (const cost of [1e299, 1e299, 0.5]) ledger.start().settle(cost);
  expect(getState(ledger)).toEqual({ ...nothing, spentUsd: 1e299, settled: 2, unknown: 1 });
});

test("a run is closed once, by whatever closes it first", () => {
  const ledger = createSpendLedger();
  const run = ledger.start();
  expect(getState(ledger)).toEqual({ ...nothing, running: 1 });
  for (const act of [() => run.settle(0.5), () => run.settle(0.5), () => run.settle(undefined), () => run.drop()]) {
    act();
    expect(getState(ledger)).toEqual({ ...nothing, spentUsd: 0.5, settled: 1 });
  }
  const dropped = ledger.start();
  dropped.drop();
  dropped.settle(1);
  expect(getState(ledger)).toEqual({ ...nothing, spentUsd: 0.5, settled: 1 });
});

const budgets: {
  name: string;
  budgetUsd?: number;
  reserveUsd?: number;
  costs: (number | undefined)[];
  want: number;
}[] = [
  { name: "none", costs: [1, 1, 1], want: 3 },
  { name: "spent to the cent", budgetUsd: 0.3, costs: [0.1, 0.2, 0.1], want: 2 },
  { name: "exceeded, which nothing can prevent", budgetUsd: 0.25, costs: [0.1, 0.2, 0.1], want: 2 },
  { name: "zero", budgetUsd: 0, costs: [0.1], want: 0 },
  {
    name: "with a reserve that fits exactly",
    budgetUsd: 0.3,
    reserveUsd: 0.1,
    costs: [undefined, undefined, undefined],
    want: 3,
  },
  {
    name: "with a reserve for what is unknown",
    budgetUsd: 1,
    reserveUsd: 0.4,
    costs: [undefined, undefined, 0.1],
    want: 2,
  },
  { name: "with a reserve for the next one", budgetUsd: 1, reserveUsd: 0.4, costs: [0.7, 0.1], want: 1 },
  { name: "with a reserve above it", budgetUsd: 1, reserveUsd: 2, costs: [0.1], want: 0 },
];
test.for(budgets)("a budget: $name", ({ budgetUsd, reserveUsd, costs, want }) => {
  const ledger = createSpendLedger({ budgetUsd, reserveUsd });
  const results = costs.map((cost) => {
    try {
      ledger.start().settle(cost);
      return "started";
    } catch (error) {
      return error instanceof ClientError ? error.code : String(error);
    }
  });
  const refused = costs.length - want;
  expect(results.sort()).toEqual([...Array(refused).fill("budget"), ...Array(want).fill("started")]);
  expect(getState(ledger)).toMatchObject({ refused });
});

test("an active run counts with its reserve", () => {
  const ledger = createSpendLedger({ budgetUsd: 1, reserveUsd: 0.4 });
  const [first] = [ledger.start(), ledger.start()];
  expect(() => ledger.start()).toThrow(expect.objectContaining({ code: "budget" }));
  first?.settle(0.1);
  ledger.start();
  expect(getState(ledger)).toEqual({ spentUsd: 0.1, settled: 1, running: 2, unknown: 0, refused: 1 });
});

test.for([{ budgetUsd: -1 }, { budgetUsd: NaN }, { reserveUsd: -0.1 }, { reserveUsd: NaN }])(
  "%j is misuse",
  (options) => {
    expect(() => createSpendLedger(options)).toThrow(expect.objectContaining({ code: "misuse" }));
  },
);

const sendStream =
  (text: string, end = true): SocketFault["onRequest"] =>
  (socket, content) => {
    socket.write(getChunkedHead(content) + chunk(text));
    if (end) socket.end();
  };
const formatDone = (cost: unknown): string =>
  `data: {"type":"done","total_cost_usd":${JSON.stringify(cost)},"metadata":{"thread_id":"t"}}\n\n`;
const status = 'data: {"type":"status","status":"a"}\n\n';
const known = { ...nothing, spentUsd: 0.25, settled: 1 };
const unknown = { ...nothing, unknown: 1 };

const endings: { name: string; fault: SocketFault; options?: AutomateOptions; abortsOnRequest?: true; want: object }[] =
  [
    { name: "done", fault: { onRequest: sendStream(status + formatDone(0.25)) }, want: known },
    {
      name: "done, and then a reset",
      fault: { onRequest: (s, c) => s.write(getChunkedHead(c) + chunk(formatDone(0.25)), () => s.resetAndDestroy()) },
      want: known,
    },
    { name: "done without a cost", fault: { onRequest: sendStream(formatDone(null)) }, want: unknown },
    { name: "done with a cost that is text", fault: { onRequest: sendStream(formatDone("0.25")) }, want: unknown },
    ...["error", "timeout", "cancelled"].map((type) => ({
      name: type,
      fault: { onRequest: sendStream(`data: {"type":"${type}"}\n\n`) },
      want: unknown,
    })),
    { name: "a stream that ends early", fault: { onRequest: sendStream(status) }, want: unknown },
    {
      name: "a stream that is reset",
      fault: { onRequest: (s, c) => s.write(getChunkedHead(c), () => s.resetAndDestroy()) },
      want: unknown,
    },
    { name: "a stream that is none", fault: { onRequest: sendStream("<html>") }, want: unknown },
    {
      name: "a stream that is silent",
      fault: { onRequest: sendStream(status, false) },
      options: { timeouts: { bytesMs: 50 } },
      want: unknown,
    },
    ...[400, 401, 403, 404, 422, 429].map((code) => ({
      name: `${code}`,
      fault: { onRequest: ((s) => s.write(getHead(code, { "content-length": 0 }))) satisfies SocketFault["onRequest"] },
      want: nothing,
    })),
    ...[302, 500, 502, 503].map((code) => ({
      name: `${code}`,
      fault: { onRequest: ((s) => s.write(getHead(code, { "content-length": 0 }))) satisfies SocketFault["onRequest"] },
      want: unknown,
    })),
    {
      name: "400 whose body stalls",
      fault: { onRequest: (s) => s.write(getHead(400, { "content-length": 9 })) },
      options: { timeouts: { bodyMs: 50 } },
      want: nothing,
    },
    { name: "a reset before the answer", fault: { onRequest: (s) => s.resetAndDestroy() }, want: unknown },
    { name: "no answer", fault: {}, options: { timeouts: { headersMs: 600 } }, want: unknown },
    { name: "an abort before the answer", fault: {}, abortsOnRequest: true, want: unknown },
    { name: "an abort beforehand", fault: {}, options: { signal: AbortSignal.abort() }, want: nothing },
    { name: "no key", fault: {}, options: { apiKey: () => "" }, want: nothing },
    { name: "a key that can't be sent", fault: {}, options: { apiKey: "a\nb" }, want: nothing },
    {
      name: "a key that comes too late",
      fault: {},
      options: { apiKey: () => new Promise(() => {}), timeouts: { headersMs: 50 } },
      want: nothing,
    },
    { name: "a header that can't be sent", fault: {}, options: { headers: { x: "a\nb" } }, want: nothing },
    { name: "options that are wrong", fault: {}, options: { timeouts: { headersMs: -1 } }, want: nothing },
    { name: "a bound that is wrong", fault: {}, options: { maxEventBytes: 0 }, want: nothing },
    { name: "an address that is wrong", fault: {}, options: { automationUrl: "nowhere" }, want: nothing },
  ];
test.for(endings)("the ledger of a run: $name", async ({ fault, options, abortsOnRequest, want }) => {
  const controller = new AbortController();
  const onRequest = abortsOnRequest ? (): void => controller.abort() : fault.onRequest;
  await using server = await startSocketServer({ ...fault, onRequest }, streamContent);
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
  const ledger = createSpendLedger();
  const reading = await client
    .automate({ query: "q" }, { signal: controller.signal, ...options, ledger })
    .catch(() => undefined);
  await reading?.outcome();
  expect(getState(ledger)).toEqual(want);
});

test("a refused connection is no run", async () => {
  const ledger = createSpendLedger();
  const client = createCloudBrowser({ apiKey: "key", baseUrl: `http://127.0.0.1:${await findFreePort()}` });
  await expect(client.automate({ query: "q" }, { ledger })).rejects.toMatchObject({ code: "network" });
  expect(getState(ledger)).toEqual(nothing);
});

test("a run counts as running until its stream is read, left or cancelled", async () => {
  await using server = await startSocketServer({ onRequest: sendStream(status + status, false) }, streamContent);
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
  const ledger = createSpendLedger();
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => client.automate({ query: "q" }, { ledger })));
  expect(getState(ledger)).toEqual({ ...nothing, running: 3 });
  await first?.cancel();
  expect(getState(ledger)).toEqual({ ...nothing, running: 2, unknown: 1 });
  for await (const _ of second ?? []) break;
  expect(getState(ledger)).toEqual({ ...nothing, running: 1, unknown: 2 });
  await third?.[Symbol.asyncDispose]();
  expect(getState(ledger)).toEqual({ ...nothing, unknown: 3 });
});

const breakEverySecond: SocketFault["onRequest"] = (socket, content, nth) =>
  void sendStream(nth % 2 ? formatDone(0.1) : status)?.(socket, content, nth);
test("runs at once: as many as the budget holds are sent, the others are refused without a request", async () => {
  await using server = await startSocketServer({ onRequest: breakEverySecond }, streamContent);
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
  const ledger = createSpendLedger({ budgetUsd: 1, reserveUsd: 0.1 });
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, async () => (await client.automate({ query: "q" }, { ledger })).outcome()),
  );
  expect(results.filter(({ status: how }) => how === "fulfilled")).toHaveLength(10);
  for (const result of results.slice(10)) expect(result).toMatchObject({ reason: { code: "budget" } });
  expect(server.requests).toHaveLength(10);
  expect(getState(ledger)).toEqual({ spentUsd: 0.5, settled: 5, running: 0, unknown: 5, refused: 10 });
});

test("one ledger serves many clients", async () => {
  await using server = await startSocketServer({ onRequest: sendStream(formatDone(0.25)) }, streamContent);
  const ledger = createSpendLedger();
  for (const apiKey of ["one", "two"]) {
    const client = createCloudBrowser({ apiKey, baseUrl: server.url });
    await (await client.automate({ query: "q" }, { ledger })).outcome();
  }
  expect(getState(ledger)).toEqual({ ...nothing, spentUsd: 0.5, settled: 2 });
});
