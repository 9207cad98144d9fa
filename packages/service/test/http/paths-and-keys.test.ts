/** What an operator's tools ask of the HTTP beside the interface: methods, codings, probes, wrong keys. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { SessionTokens } from "../../src/control/session-tokens.ts";
import { WrongKeys } from "../../src/keys/wrong-keys.ts";
import { ask, key, Place, type Served } from "../command-line.ts";

let place: Place;
let served: Served;
beforeAll(async () => {
  place = new Place();
  const docs = { CLOUD_BROWSER_DOCS_URL: "https://docs.example/cb/" };
  served = await place.serving([], { CLOUD_BROWSER_MAX_SESION: "3", ...docs });
});
afterAll(() => place[Symbol.asyncDispose]());

const authorization = `Bearer ${key}`;
const send = (
  path: string,
  { headers = {}, ...init }: { method?: string; body?: string; headers?: Record<string, string> } = {},
): Promise<Response> => fetch(`${served.url}${path}`, { ...init, headers: { authorization, ...headers } });

test.for<[method: string, path: string, allow: string]>([
  ["PUT", "/control/sessions", "GET, HEAD, POST"],
  ["GET", "/sessions/x/page/scrape", "POST"],
  ["DELETE", "/sessions/x/cookies", "GET, HEAD"],
  ["GET", "/api/automation/start", "POST"],
  ["POST", "/health", "GET, HEAD"],
])("%s %s is 405, and the answer says what is allowed", async ([method, path, allow]) => {
  const answer = await send(path, { method });
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
});

test("an unknown path stays 404", async () => {
  expect((await send("/control/nothing", { method: "PUT" })).status).toBe(404);
});

test.for(["gzip", "br", "GZIP"])(
  "a body in the coding %s is refused, and not read as if it had none",
  async (coding) => {
    const answer = await send("/control/sessions", {
      method: "POST",
      body: "{}",
      headers: { "content-encoding": coding },
    });
    expect([answer.status, answer.headers.get("accept-encoding")]).toEqual([415, "identity"]);
  },
);

const nobody = "5e55104e-0000-4000-8000-000000000000";

test.for([
  ["GET", `/sessions/${nobody}/cookies`, undefined, 404, "unknown-session"],
  ["POST", `/sessions/${nobody}/page/scrape`, "{}", 404, "unknown-session"],
  ["POST", "/control/sessions", '{"url":"ftp://x"}', 422, "address-refused"],
  ["GET", "/control/profiles", undefined, 501, "profiles-disabled"],
] as const)("an error leads to the page of its code: %s %s", async ([method, path, body, status, code]) => {
  const headers = { "content-type": "application/json" };
  const answer = await send(path, { method, headers, ...(body === undefined ? {} : { body }) });
  expect([answer.status, answer.headers.get("link")]).toEqual([
    status,
    `<https://docs.example/cb/errors/service/#${code}>; rel="help"`,
  ]);
});

test("what is no error with a code leads nowhere", async () => {
  for (const path of ["/health", "/control/nothing", "/control/sessions"]) {
    expect((await send(path)).headers.get("link")).toBeNull();
  }
});

test("probes need no key, and tell the version", async () => {
  for (const path of ["/livez", "/readyz", "/health"]) {
    const probe = async (): Promise<unknown> => {
      const answer = await fetch(`${served.url}${path}`);
      return [answer.status, await answer.json()];
    };
    await expect.poll(probe).toMatchObject([200, { status: "ok", version: expect.any(String) }]);
  }
});

test("a connection is kept for longer than load balancers keep it", async () => {
  expect((await fetch(`${served.url}/livez`)).headers.get("keep-alive")).toBe("timeout=75");
});

test("the life of the service is in its log, in the log's own form", async () => {
  await ask(served, "POST", "/control/keys", { name: "made-here" });
  await ask(served, "DELETE", "/control/keys/made-here");
  const lines = (): Record<string, unknown>[] =>
    served
      .stderr()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  await expect.poll(() => lines().map(({ msg }) => msg)).toContain("a key was revoked");
  const [unknown] = lines();
  expect(unknown).toMatchObject({
    level: "warn",
    msg: expect.stringContaining("did you mean CLOUD_BROWSER_MAX_SESSIONS?"),
  });
  expect(lines()).toContainEqual(expect.objectContaining({ level: "info", msg: "started", url: served.url }));
  expect(lines()).toContainEqual(
    expect.objectContaining({ key: "main", name: "made-here", roles: ["use"], msg: "a key was made" }),
  );
  const requests = lines().filter(({ msg, path }) => msg === "request" && path === "/control/keys");
  expect(requests).toMatchObject([{ remote: "127.0.0.1", key: "main", time: expect.stringMatching(/^\d{4}-.*Z$/) }]);
  expect(lines().filter(({ path, status }) => path === "/health" && status === 200)).toEqual([]);
});

test("a key that is not allowed is refused with what is", async () => {
  const answer = await send("/control/keys", {
    method: "POST",
    body: JSON.stringify({ name: "a b", roles: ["admin"], quota: { cost_usd_per_day: "-1" } }),
  });
  const { detail }: { detail: { msg: string }[] } = await answer.json();
  expect(detail.map(({ msg }) => msg)).toEqual([
    expect.stringContaining("should be: Letters, digits,"),
    'Input should be one of "use", "operate", "control", "metrics"',
    expect.stringContaining("should be: Decimal in US dollars"),
  ]);
});

test("wrong keys are counted for each address, and a right one is taken all the same", async () => {
  const wrong = new WrongKeys(2);
  const counts = [await wrong.count("a"), await wrong.count("a"), await wrong.count("a"), await wrong.count("b")];
  expect(counts).toEqual([undefined, undefined, expect.any(Number), undefined]);
});

test("a token has one spelling", () => {
  const tokens = new SessionTokens(Buffer.alloc(32, 7));
  const token = tokens.sign("drive", "s-1");
  const last = token.at(-1) ?? "";
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const usable = Array.from(alphabet).filter(
    (letter) => tokens.findSession("drive", token.slice(0, -1) + letter) === "s-1",
  );
  expect(usable).toEqual([last]);
});
