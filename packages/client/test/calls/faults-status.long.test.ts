import { expect, onTestFinished, test, vi } from "vitest";
import { ClientError, createCloudBrowser, type CloudBrowser } from "../../src/index.ts";
import { fitting, startFaultServer } from "./fault-server.ts";
import { getHead, startSocketServer, type SocketFault } from "./fault-socket.ts";

const apiKey = "key-of-mine";
const operations: { operation: string; call: (client: CloudBrowser) => Promise<unknown> }[] = [
  { operation: "page_scrape", call: (client) => client.scrape("s1") },
  { operation: "session_cookies", call: (client) => client.cookies("s1") },
  { operation: "session_replay", call: (client) => client.replay("s1") },
  { operation: "automation_start", call: (client) => client.automate({ query: "q" }) },
];

/** The error of a call that must fail. */
async function readError(calling: Promise<unknown>): Promise<ClientError> {
  const error: unknown = await calling.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ClientError)) throw new Error("it did not throw a ClientError", { cause: error });
  return error;
}

/** What a status means, in the words of the documentation. */
function getErrorCode(status: number): string {
  const codes: Record<number, string> = {
    400: "bad-request",
    401: "authentication",
    403: "authentication",
    404: "not-found",
    422: "validation",
    429: "rate-limited",
    502: "upstream",
  };
  if ([301, 302, 303, 307, 308].includes(status)) return "redirect";
  return codes[status] ?? (status < 500 ? "unexpected-status" : "server");
}

test.for(operations)("every status from 300 to 599 has its code: $operation", async ({ operation, call }) => {
  let status = 300;
  await using server = await startFaultServer((_, response) => void response.writeHead(status).end());
  const client = createCloudBrowser({ apiKey, baseUrl: server.url, retries: 0 });
  for (; status <= 599; status++) {
    const error = await readError(call(client));
    const isPassing = (status === 408 || status === 429 || status >= 500) && operation !== "automation_start";
    // `fetch` itself makes a lost connection of a 407.
    const want =
      status === 407
        ? ["network", undefined, operation !== "automation_start"]
        : [getErrorCode(status), status, isPassing];
    expect([error.operation, error.code, error.status, error.retryable, error.attempts]).toEqual([
      operation,
      ...want,
      1,
    ]);
  }
  // `fetch` itself repeats what was answered with 421; an automation goes out in a form that prevents it.
  expect(server.requests).toHaveLength(operation === "automation_start" ? 300 : 301);
});

test("every status from 200 to 299 but those without a body gives the result", async () => {
  let status = 200;
  await using server = await startFaultServer((_, response) => void response.writeHead(status).end(fitting));
  const client = createCloudBrowser({ apiKey, baseUrl: server.url, retries: 0 });
  for (; status <= 299; status++) {
    const result = await client.cookies("s1").catch((error: ClientError) => error.code);
    expect(result).toEqual([204, 205].includes(status) ? "unexpected-content" : JSON.parse(fitting));
  }
});

const targets = ["same origin", "other origin", "other origin, without protocol", "no location"] as const;
const redirects = [301, 302, 303, 307, 308].flatMap((status) =>
  targets.flatMap((target) => operations.map((row) => Object.assign({ status, target }, row))),
);
test.for(redirects)("$status to $target is not followed, with no key: $operation", async (row) => {
  await using other = await startFaultServer({});
  const locations = {
    "same origin": "/elsewhere",
    "other origin": `${other.url}/elsewhere`,
    "other origin, without protocol": `${other.url.slice("http:".length)}/elsewhere`,
    "no location": undefined,
  };
  const location = locations[row.target];
  await using server = await startFaultServer({ status: row.status, headers: { ...(location && { location }) } });
  const error = await readError(row.call(createCloudBrowser({ apiKey, baseUrl: server.url })));
  expect(error).toMatchObject({ code: "redirect", status: row.status, attempts: 1, retryable: false });
  expect(error.headers?.get("location") ?? undefined).toBe(location);
  expect([server.requests.length, other.requests.length]).toEqual([1, 0]);
});

test("a redirect whose body never ends is reported at once, and its connection is freed", async () => {
  let closed = false;
  await using server = await startSocketServer({
    onRequest(socket) {
      socket.on("close", () => (closed = true));
      socket.write(getHead(302, { location: "/", "content-length": 1000 }));
    },
  });
  const error = await readError(createCloudBrowser({ apiKey, baseUrl: server.url }).cookies("s1"));
  expect(error.code).toBe("redirect");
  await expect.poll(() => closed).toBe(true);
});

const inTenSeconds = (): string => new Date(Date.now() + 10_999).toUTCString();
const untilFar = Date.UTC(2999, 11, 1, 23, 59, 59) - Date.now();
const waits: { headers: () => Record<string, string>; least?: number; most?: number }[] = [
  { headers: () => ({}) },
  { headers: () => ({ "retry-after": "7" }), least: 7000 },
  { headers: () => ({ "retry-after": "0" }), least: 0 },
  { headers: () => ({ "retry-after": "1.5" }), least: 1500 },
  { headers: () => ({ "retry-after": inTenSeconds() }), least: 8900, most: 11_000 },
  { headers: () => ({ "retry-after": inTenSeconds().replace("GMT", "+0000") }), least: 8900, most: 11_000 },
  { headers: () => ({ "retry-after": "Sun Dec  1 23:59:59 2999" }), least: untilFar - 3_600_000, most: untilFar },
  { headers: () => ({ "retry-after": "Sun, 06 Nov 1994 08:49:37 GMT" }), least: 0 },
  { headers: () => ({ "retry-after-ms": "250" }), least: 250 },
  { headers: () => ({ "retry-after-ms": "250", "retry-after": "7" }), least: 250 },
  { headers: () => ({ "retry-after-ms": "soon", "retry-after": "7" }), least: 7000 },
  { headers: () => ({ "retry-after-ms": "-1", "retry-after": "7" }), least: 7000 },
  { headers: () => ({ "retry-after-ms": "", "retry-after": "7" }), least: 7000 },
  { headers: () => ({ "retry-after": "-7" }) },
  { headers: () => ({ "retry-after": "soon" }) },
  { headers: () => ({ "retry-after": "soon, 5" }) },
  { headers: () => ({ "retry-after": "5, 5" }) },
  { headers: () => ({ "retry-after": "nonsense: 5" }) },
  { headers: () => ({ "retry-after": "" }) },
  { headers: () => ({ "retry-after": "1e999" }) },
  { headers: () => ({ "retry-after": "31536000000" }), least: 31_536_000_000_000 },
];
test("the wait that an answer asks for, in its three forms, and no nonsense", async () => {
  vi.stubEnv("TZ", "America/New_York"); // a date without a zone is UTC all the same
  onTestFinished(() => void vi.unstubAllEnvs());
  let headers: Record<string, string> = {};
  await using server = await startFaultServer((_, response) => void response.writeHead(429, headers).end());
  const client = createCloudBrowser({ apiKey, baseUrl: server.url, retries: 0 });
  for (const { headers: getHeaders, least, most = least } of waits) {
    headers = getHeaders();
    const { retryAfterMs } = await readError(client.cookies("s1"));
    const name = JSON.stringify(headers);
    const isInRange = least !== undefined && most !== undefined && retryAfterMs !== undefined;
    const wait = isInRange && retryAfterMs >= least && retryAfterMs <= most ? "in range" : retryAfterMs;
    expect([name, wait]).toEqual([name, least === undefined ? undefined : "in range"]);
  }
});

/** Failures one after the other, and what the caller gets in the end. */
const series: { name: string; answers: readonly (number | "reset" | "stall")[]; want: object; requests: number }[] = [
  { name: "503, and then 401", answers: [503, 401], want: { code: "authentication", attempts: 2 }, requests: 2 },
  { name: "a reset, and then 422", answers: ["reset", 422], want: { code: "validation", attempts: 2 }, requests: 2 },
  { name: "429, and then a redirect", answers: [429, 307], want: { code: "redirect", attempts: 2 }, requests: 2 },
  { name: "503, a reset, 200", answers: [503, "reset", 200], want: { cookies: [] }, requests: 3 },
  { name: "a stall, and then 200", answers: ["stall", 200], want: { cookies: [] }, requests: 2 },
  { name: "three times 500", answers: [500, 500, 500, 200], want: { code: "server", attempts: 3 }, requests: 3 },
  { name: "three different ones", answers: [500, "reset", 502], want: { code: "upstream", attempts: 3 }, requests: 3 },
];
test.for(series)("what follows a failure decides: $name", async ({ answers, want, requests }) => {
  const onRequest: SocketFault["onRequest"] = (socket, { body }, nth) => {
    const answer = answers[nth - 1];
    if (answer === "reset") socket.resetAndDestroy();
    else if (answer !== "stall") socket.write(getHead(answer ?? 200, { "content-length": body.length }) + body);
  };
  await using server = await startSocketServer({ onRequest });
  const timeouts = { headersMs: answers.includes("stall") ? 200 : 20_000 };
  const client = createCloudBrowser({ apiKey, baseUrl: server.url, timeouts, retries: { max: 2, baseMs: 5 } });
  expect(await client.cookies("s1").catch((error: unknown) => error)).toMatchObject(want);
  expect(server.requests).toHaveLength(requests);
});

test("a connection that was kept open and is gone costs a second attempt, and never a second run", async () => {
  await using server = await startSocketServer({
    onRequest(socket, { body }, nth) {
      if (nth % 2 === 0) socket.resetAndDestroy();
      else socket.write(getHead(200, { "content-length": body.length }) + body);
    },
  });
  const client = createCloudBrowser({ apiKey, baseUrl: server.url, retries: { baseMs: 5 } });
  await client.cookies("s1");
  await client.cookies("s1");
  expect(server.requests).toHaveLength(3);
  expect(await readError(client.automate({ query: "q" }))).toMatchObject({ code: "network", retryable: false });
  expect(server.requests).toHaveLength(4);
});
