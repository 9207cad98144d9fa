import { afterAll, beforeAll, expect, test } from "vitest";
import { ClientError, createCloudBrowser, type CallTimeouts, type CloudBrowser } from "../../src/index.ts";
import { connectionFaults, type Fault, type Want } from "./faults-connection.ts";
import { contentFaults } from "./faults-content.ts";
import { framingFaults, maxBytes } from "./faults-framing.ts";
import { findFreePort, jsonContent, startSocketServer, streamContent } from "./fault-socket.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

const options = { apiKey: "key", retries: 0, maxBodyBytes: maxBytes, allowInsecureHttp: true };

const countMs = (isMet: boolean): number => (isMet ? 150 : 20_000);

/** Short only where the fault is to meet its limit: a busy machine is slow everywhere. */
function getTimeouts({ name, want, stream }: Fault): CallTimeouts {
  return {
    headersMs: countMs(want.phase === "headers"),
    bodyMs: countMs(want.phase === "body" || name.endsWith("stalls")),
    firstEventMs: countMs(stream === "first-event-timeout"),
    bytesMs: countMs(stream === "bytes-timeout"),
  };
}

/** The session-scoped operations. */
const operations: { operation: string; call: (client: CloudBrowser) => Promise<unknown> }[] = [
  { operation: "page_scrape", call: (client) => client.scrape("s1") },
  { operation: "session_cookies", call: (client) => client.cookies("s1") },
  { operation: "session_replay", call: (client) => client.replay("s1") },
];

/** What the caller gets, in the words of the tables. */
async function readFault(calling: Promise<unknown>): Promise<object> {
  try {
    await calling;
    return {};
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const { operation, code, status, phase, retryable, attempts } = error;
    return { operation, code, status, phase, retryable, attempts };
  }
}

/** `want` with what every error says. */
function completeWant(operation: string, want: Want): object {
  return { operation, code: undefined, status: undefined, phase: undefined, attempts: 1, ...want };
}

const faults: readonly Fault[] = [...connectionFaults, ...framingFaults, ...contentFaults];

test("knows at least 60 faults, each by a name of its own", () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  expect(faults.length).toBeGreaterThanOrEqual(60);
});

const rows = faults.flatMap((fault) => operations.map((row) => ({ ...row, fault, name: fault.name })));
// Side by side, as most of them wait: each has a server of its own.
test.concurrent.for(rows)("$operation meets $name", async ({ operation, call, fault }) => {
  await using server = await startSocketServer(fault, jsonContent);
  const result = await readFault(
    call(createCloudBrowser({ ...options, timeouts: getTimeouts(fault), baseUrl: server.url })),
  );
  const isFine = !fault.want.code || fault.fine?.includes(operation);
  expect(result).toEqual(isFine ? {} : completeWant(operation, fault.want));
  expect(server.requests.length).toBeLessThanOrEqual(1);
});

test.concurrent.for(faults)("automation_start meets $name", async (fault) => {
  await using server = await startSocketServer(fault, streamContent);
  const client = createCloudBrowser({ ...options, timeouts: getTimeouts(fault), baseUrl: server.url });
  const calling = client.automate({ query: "q" }, { maxEventBytes: maxBytes });
  const want = fault.stream
    ? { end: fault.stream }
    : completeWant("automation_start", { ...fault.want, retryable: false });
  const readEnd = async (): Promise<object> => {
    const outcome = await (await calling).outcome();
    return { end: outcome.type === "broken" ? outcome.error.code : outcome.type };
  };
  expect(fault.stream ? await readEnd() : await readFault(calling)).toEqual(want);
  expect(server.requests.length).toBeLessThanOrEqual(1);
});

const unreachable = [
  { name: "a closed port", url: async () => `http://127.0.0.1:${await findFreePort()}` },
  { name: "a name that does not exist", url: async () => "http://nothing.invalid" },
];
test.for(unreachable)("nothing is sent, and an automation may be repeated, too: $name", async ({ url }) => {
  const client = createCloudBrowser({ ...options, baseUrl: await url() });
  const want = { code: "network", retryable: true };
  for (const { operation, call } of operations)
    expect(await readFault(call(client))).toEqual(completeWant(operation, want));
  expect(await readFault(client.automate({ query: "q" }))).toEqual(completeWant("automation_start", want));
});

test("TLS to a port without TLS is a lost connection, and an automation is not repeated", async () => {
  await using server = await startSocketServer({
    onConnection: (socket) => socket.once("data", () => socket.end("no\n")),
  });
  const client = createCloudBrowser({ ...options, baseUrl: server.url.replace("http:", "https:") });
  const want = { code: "network", retryable: true };
  for (const { operation, call } of operations)
    expect(await readFault(call(client))).toEqual(completeWant(operation, want));
  const automating = readFault(client.automate({ query: "q" }));
  expect(await automating).toEqual(completeWant("automation_start", { ...want, retryable: false }));
  expect(server.requests).toEqual([]);
});

test("no rejection was left unhandled, in all that went before", async () => {
  await new Promise((resolve) => setTimeout(resolve, 200)); // what comes late counts, too
  expect(unhandled).toEqual([]);
});
