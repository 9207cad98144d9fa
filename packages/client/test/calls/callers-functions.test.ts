// oxlint-disable unicorn/consistent-function-scoping -- what a test is about is in it
import { inspect } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCloudBrowser, createSpendLedger, type AutomateOptions, type CloudBrowser } from "../../src/index.ts";
import { downloadHls, downloadReplay, waitForReplay } from "../../src/replay.ts";
import { makeOwnFolder } from "../own-folder.ts";
import { getContent, readOutcome, startReplayHost } from "../replay/replay-host.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));
const waitTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const key = "sk-canary-key";
let requestCount = 0;
function createClient(body: string, status = 200): CloudBrowser {
  requestCount = 0;
  const headers = { "content-type": "text/event-stream" };
  const fetch = async (): Promise<Response> => (requestCount++, new Response(body, { status, headers }));
  return createCloudBrowser({ apiKey: key, baseUrl: "https://service.example", retries: 0, fetch });
}
const done = 'data: {"type":"done","total_cost_usd":1}\n\n';

/** A host of a video, and of a playlist of one segment. */
const startHost = () =>
  startReplayHost({
    contents: { "video.mp4": getContent("video", 9999), "a.ts": getContent("a", 999) },
    replay: (sign) => ({
      playlist_content: `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${sign("a.ts")}\n#EXT-X-ENDLIST\n`,
    }),
  });

/** All that a log can show of an error. */
function showAll(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return [String(error), stack, inspect(error, { depth: 12, showHidden: true }), JSON.stringify(error)].join("\n");
}

const mine = new Error("mine");
const fails: { how: string; fail: () => never }[] = [
  {
    how: "throws",
    fail() {
      throw mine;
    },
  },
  { how: "rejects", fail: createRejecting() },
];
/** A function that is asynchronous although its type says otherwise. */
function createRejecting(): () => never;
function createRejecting(): () => unknown {
  return () => Promise.reject(mine);
}
/** A ledger of the caller's that fails in one of its functions. */
function createFailingLedger(name: string, fail: () => never): NonNullable<AutomateOptions["ledger"]> {
  const ledger = createSpendLedger();
  return Object.assign(Object.create(ledger), {
    start: () => (name === "start" ? fail() : Object.assign({}, ledger.start(), { [name]: fail })),
  });
}

test.for(fails)("a ledger whose start $how sends nothing and is misuse", async ({ fail }) => {
  const client = createClient(done);
  const error = await readOutcome(client.automate({ query: "q" }, { ledger: createFailingLedger("start", fail) }));
  expect(error).toMatchObject({ name: "ClientError", code: "misuse", attempts: 0 });
  await waitTurn();
  expect({ requestCount, unhandled }).toEqual({ requestCount: 0, unhandled: [] });
});

test.for([null, 5, {}, { settle() {} }])(
  "a ledger whose start gives %o is misuse, and nothing is sent",
  async (run) => {
    const ledger = Object.assign(Object.create(createSpendLedger()), { start: () => run });
    const error = await readOutcome(createClient(done).automate({ query: "q" }, { ledger }));
    expect(error).toMatchObject({ code: "misuse", attempts: 0 });
    expect(requestCount).toBe(0);
  },
);

test.for(fails)("a ledger whose settle $how costs neither the outcome nor the caller's onOutcome", async ({ fail }) => {
  const reported: string[] = [];
  const options = {
    ledger: createFailingLedger("settle", fail),
    onOutcome: ({ type }: { type: string }) => void reported.push(type),
  };
  const stream = await createClient(done).automate({ query: "q" }, options);
  expect(await stream.outcome()).toMatchObject({ type: "done" });
  await waitTurn();
  expect(reported).toEqual(["done"]);
  expect(stream.callbackError).toMatchObject({ code: "misuse", cause: mine });
  expect(unhandled).toEqual([]);
});

const refusals = ["settle", "drop"].flatMap((name) => fails.map(({ how, fail }) => ({ name, how, fail })));
test.for(refusals)("a ledger whose $name $how does not hide why there is no run", async ({ name, fail }) => {
  for (const status of [400, 500]) {
    const call = createClient("{}", status).automate({ query: "q" }, { ledger: createFailingLedger(name, fail) });
    await expect(call).rejects.toMatchObject({ name: "ClientError", status });
  }
  await waitTurn();
  expect(unhandled).toEqual([]);
});

const reasons: { name: string; reason: unknown }[] = [
  { name: "in its message", reason: new Error(`for ${key}`) },
  { name: "as a text", reason: `for ${key}` },
  { name: "in a property of a cause", reason: new Error("x", { cause: { headers: { authorization: key } } }) },
  { name: "as a name", reason: { [key]: 1 } },
];
test.for(reasons)("a reason that contains the key $name is shown without it", async ({ reason }) => {
  const hang = new ReadableStream({ pull: () => new Promise(() => undefined) });
  const fetch = async (): Promise<Response> => new Response(hang, { headers: { "content-type": "text/event-stream" } });
  const client = createCloudBrowser({ apiKey: key, baseUrl: "https://service.example", fetch });
  const early = await readOutcome(client.cookies("s1", { signal: AbortSignal.abort(reason) }));
  const controller = new AbortController();
  const stream = await client.automate({ query: "q" }, { signal: controller.signal });
  controller.abort(reason);
  const outcome = await stream.outcome();
  const late = outcome.type === "broken" ? outcome.error : undefined;
  expect([early, late]).toMatchObject([{ code: "aborted" }, { code: "aborted" }]);
  expect(showAll(early) + showAll(late)).not.toContain(key);
});

test.for(["onOutcome", "onReport"])("what %s throws is shown without the key", async (name) => {
  const fail = (): never => {
    throw new Error(`for ${key}`, { cause: mine });
  };
  const stream = await createClient(`data: x y\n\n${done}`).automate({ query: "q" }, { [name]: fail });
  await stream.outcome();
  await waitTurn();
  expect(stream.callbackError).toMatchObject({ cause: { message: "for [redacted]", cause: { message: "mine" } } });
  expect(showAll(stream.callbackError)).not.toContain(key);
});

test("the error of a stream into a store does not contain its presigned URL", async () => {
  await using host = await startHost();
  const write = (): never => {
    throw new Error("PUT https://store.example/a?X-Amz-Signature=canary failed");
  };
  const error = await readOutcome(downloadReplay(host.client, "s1", new WritableStream({ write })));
  expect(error).toMatchObject({ code: "download", cause: { message: expect.stringContaining("store.example/a") } });
  expect(showAll(error)).not.toContain("canary");
});

test("members of an AggregateError are kept, safe to log", async () => {
  const members = [new Error(`one ${key}`), Object.assign(new Error("two"), { code: "ECONNREFUSED", key })];
  const fetch = async (): Promise<never> => Promise.reject(new AggregateError(members, "all"));
  const client = createCloudBrowser({ apiKey: key, baseUrl: "https://service.example", retries: 0, fetch });
  const error = await readOutcome(client.cookies("s1"));
  expect(error).toMatchObject({
    code: "network",
    cause: { message: "all", errors: [{ message: "one [redacted]" }, { message: "two", code: "ECONNREFUSED" }] },
  });
  expect(showAll(error)).not.toContain(key);
});

test.for(fails)("an onWait or onProgress that $how ends the wait or the download with that", async ({ fail }) => {
  await using host = await startHost();
  const folder = await makeOwnFolder();
  host.replayStatuses.push(404);
  expect(await readOutcome(waitForReplay(host.client, "s1", { intervalMs: 5, onWait: fail }))).toBe(mine);
  expect(await readOutcome(downloadReplay(host.client, "s1", `${folder}/a`, { onProgress: fail }))).toBe(mine);
  expect(await readOutcome(downloadHls(host.client, "s1", `${folder}/b`, { onProgress: fail }))).toBe(mine);
  expect(unhandled).toEqual([]);
});

test("a call that fails does not wait for a ledger that never settles", async () => {
  const hang = (): Promise<void> => new Promise(() => undefined);
  const ledger = Object.assign(createSpendLedger(), { start: () => ({ settle: hang, drop: hang }) });
  await expect(createClient("", 502).automate({ query: "q" }, { ledger })).rejects.toMatchObject({ code: "upstream" });
});
