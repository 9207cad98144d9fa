import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, key, Place, type Served } from "../command-line.ts";

let place: Place;
let served: Served;

beforeAll(async () => {
  place = new Place();
  served = await place.serving();
});
afterAll(() => place[Symbol.asyncDispose]());

type Line = Readonly<Record<string, unknown>>;

const lines = (): readonly Line[] =>
  served
    .stderr()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): Line => JSON.parse(line));

/** The lines of one request, when there are so many. */
async function readLines(request: string, count: number): Promise<readonly Line[]> {
  const found = (): readonly Line[] => lines().filter((line) => line["request"] === request);
  await expect.poll(() => found().length, { timeout: 30_000 }).toBeGreaterThanOrEqual(count);
  return found();
}

test("lines carry the request, its session and its key, by the id that the client gave", async () => {
  const { key: newKey } = await ask<{ key: string }>(served, "POST", "/control/keys", { name: "team-a" });
  const headers = { authorization: `Bearer ${newKey}` };
  const send = (method: string, path: string, id: string): Promise<Response> =>
    fetch(`${served.url}${path}`, { method, headers: { ...headers, "x-request-id": id } });
  const created = await send("POST", "/control/sessions", "create-1");
  expect(created.headers.get("x-request-id")).toBe("create-1");
  const { session_id: session }: { session_id: string } = await created.json();
  expect(await readLines("create-1", 1)).toMatchObject([{ msg: "request", session, key: "team-a", status: 201 }]);
  await send("DELETE", `/control/sessions/${session}`, "end-1");
  expect(await readLines("end-1", 2)).toMatchObject([
    { msg: "a session has ended", session, key: "team-a", reason: "requested" },
    { msg: "request", session, key: "team-a", status: 200 },
  ]);
  expect(served.stderr()).not.toContain(newKey);
});

test.each([
  ["none", {}],
  ["what is no id", { "x-request-id": `"} {"level":60` }],
  ["a long one", { "x-request-id": "x".repeat(65) }],
])("a request that names %s gets an id, and the service's own key is main", async (_, named) => {
  const headers = { ...named, authorization: `Bearer ${key}` };
  const answer = await fetch(`${served.url}/control/sessions`, { headers });
  await answer.body?.cancel();
  const id = String(answer.headers.get("x-request-id"));
  expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/u);
  const [line] = await readLines(id, 1);
  expect([line?.["msg"], line?.["key"], line?.["path"]]).toEqual(["request", "main", "/control/sessions"]);
});

test("a request without a key is logged without one", async () => {
  const answer = await fetch(`${served.url}/metrics`, { headers: { "x-request-id": "stranger" } });
  expect(answer.status).toBe(401);
  const [line] = await readLines("stranger", 1);
  expect(line).not.toHaveProperty("key");
});
