import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { ask, key, Place, type Served } from "../command-line.ts";

let place: Place;
let served: Served;
let session: { readonly session_id: string; readonly cdp_url: string };

beforeAll(async () => {
  place = new Place();
  served = await place.serving();
  session = await ask(served, "POST", "/control/sessions", {});
});
afterAll(() => place[Symbol.asyncDispose]());

/** Asks for a WebSocket. Resolves with the status of the answer, and the id of the request in it. */
async function upgrade(url: string, headers: Readonly<Record<string, string>> = {}): Promise<[number, unknown]> {
  const socket = new WebSocket(url, { headers });
  const answer = new Promise<[number, unknown]>((resolve) => {
    for (const name of ["upgrade", "unexpected-response"] as const)
      socket.once(name, (...[first, second]: readonly { statusCode?: number; headers?: Record<string, unknown> }[]) => {
        const { statusCode = 0, headers: fields = {} } = second ?? first ?? {};
        resolve([statusCode, fields["x-request-id"]]);
      });
  });
  socket.on("error", () => undefined);
  const result = await answer;
  socket.terminate();
  return result;
}

/** Returns the line of a request, when there is one. */
async function readLine(request: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const find = (): Readonly<Record<string, unknown>> | undefined =>
    served
      .stderr()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line): Readonly<Record<string, unknown>> => JSON.parse(line))
      .find((line) => line["msg"] === "request" && line["request"] === request);
  await expect.poll(find, { timeout: 30_000 }).toBeDefined();
  return find();
}

const ws = (path: string): string => `${served.url.replace("http", "ws")}${path}`;

test.each([
  ["is accepted", () => session.cdp_url, {}, { status: 101, key: undefined }],
  [
    "is accepted by a key",
    () => ws(`/control/sessions/${session.session_id}/live`),
    { authorization: `Bearer ${key}` },
    { status: 101, key: "main" },
  ],
  [
    "has a wrong key",
    () => ws(`/control/sessions/${session.session_id}/cdp`),
    { authorization: "Bearer guess" },
    { status: 401, key: undefined },
  ],
  ["is at another path", () => ws("/control/sessions"), {}, { status: 404, key: undefined }],
  [
    "comes by another name",
    () => ws("/control/sessions/x/cdp"),
    { host: "other.example" },
    { status: 421, key: undefined },
  ],
])(
  "a request for a WebSocket that %s is logged with its client, and without its token",
  async (what, at, headers, line) => {
    const id = what.replaceAll(" ", "-");
    const url = new URL(at());
    expect(await upgrade(url.href, { ...headers, "x-request-id": id })).toEqual([line.status, id]);
    const logged = await readLine(id);
    expect(logged).toMatchObject({ remote: "127.0.0.1", method: "GET", path: url.pathname, status: line.status });
    expect(logged?.["key"]).toBe(line.key);
  },
);

async function readMetrics(): Promise<string> {
  return (await fetch(`${served.url}/metrics`, { headers: { authorization: `Bearer ${key}` } })).text();
}

test("requests for WebSockets are in the metrics, by route and status", async () => {
  await upgrade(session.cdp_url);
  await expect
    .poll(readMetrics)
    .toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/control\/sessions\/:session_id\/cdp",status="101"\} [1-9]/,
    );
});

test("a path that judges credentials itself is logged with the name of the key", async () => {
  const path = `/control/sessions/${session.session_id}/cdp/json/version`;
  const headers = { authorization: `Bearer ${key}`, "x-request-id": "by-key" };
  expect((await fetch(served.url + path, { headers })).status).toBe(200);
  expect(await readLine("by-key")).toMatchObject({ key: "main", status: 200 });
});

const paths = ["/control/sessions", "/control/sessions/x/cdp/json/version", "/control/sessions/x/live/access"];

test("wrong keys are limited together, whichever path and protocol they come by", { timeout: 120_000 }, async () => {
  const headers = { authorization: "Bearer guess" };
  const guesses = [
    ...paths.map((path) => async () => (await fetch(served.url + path, { headers })).status),
    () => upgrade(ws("/control/sessions/x/live"), headers).then(([status]) => status),
  ];
  const rounds = Array.from({ length: 1_100 });
  for (const guess of guesses.slice(0, 3))
    for (let at = 0; at < rounds.length; at += 50) await Promise.all(rounds.slice(at, at + 50).map(guess));
  expect(await Promise.all(guesses.map((guess) => guess()))).toEqual([429, 429, 429, 429]);
  expect(await upgrade(session.cdp_url, headers)).toEqual([101, expect.any(String)]);
  const right = await fetch(`${served.url}/control/sessions`, { headers: { authorization: `Bearer ${key}` } });
  expect(right.status).toBe(200);
});
