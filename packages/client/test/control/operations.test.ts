/** Every operation of the control interface has a method, which sends what its document describes. */
import { expect, test } from "vitest";
import document from "@cloud-browser/spec/control.openapi.json" with { type: "json" };
import { createControl, type CloudBrowserControl } from "../../src/control.ts";

/** Operations that are no calls of a program: sockets, their addresses, probes of an orchestrator, streams, the thumbnails of the console, and what `cloud-browser backup` asks for. */
const others = [
  "drive_session",
  "find_websocket",
  "find_websocket_by_token",
  "watch_session",
  "get_live_access",
  "follow_changes",
  "get_image",
  "copy_records",
  "livez",
  "readyz",
];

/** Operations by method and path, each parameter a `*`. */
const operations = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, { operationId }]) => [`${method.toUpperCase()} ${path.replace(/\{[^}]+\}/g, "*")}`, operationId]),
  ),
);

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A client whose requests are kept, and answered with an object that has everything. */
function recordRequests(): { readonly control: CloudBrowserControl; readonly requests: SentRequest[] } {
  const requests: SentRequest[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    requests.push({ method, path: pathname, query: search, headers, body: await request.text() });
    if (pathname.endsWith("/events")) return new Response(null, { status: 204 });
    return Response.json({ state: "answered" });
  };
  return { control: createControl({ apiKey: "key", baseUrl: "https://service.test", fetch, retries: 0 }), requests };
}

/** A call of each method, with the request that it sends. */
const calls: readonly [
  call: (control: CloudBrowserControl) => Promise<unknown>,
  request: string,
  more?: Partial<Pick<SentRequest, "query" | "body">>,
][] = [
  [(c) => c.sessions.open({ url: "https://a.example" }), "POST /control/sessions", { body: '{"url":"https://a.example"}' }],
  [(c) => c.sessions.open(), "POST /control/sessions", { body: "{}" }],
  [(c) => c.sessions.list({ state: "active", limit: 5 }), "GET /control/sessions", { query: "?state=active&limit=5" }],
  [(c) => c.sessions.read("s/1"), "GET /control/sessions/s%2F1"],
  [(c) => c.sessions.end("s1"), "DELETE /control/sessions/s1"],
  [(c) => c.sessions.deleteRecording("s1"), "DELETE /control/sessions/s1/recording"],
  [(c) => c.tokens.create("s1", { scope: "watch" }), "POST /control/sessions/s1/tokens", { body: '{"scope":"watch"}' }],
  [(c) => c.tokens.list("s1"), "GET /control/sessions/s1/tokens"],
  [(c) => c.tokens.withdraw("s1", "t1"), "DELETE /control/sessions/s1/tokens/t1"],
  [(c) => c.runs.list({ state: "ended" }), "GET /control/runs", { query: "?state=ended" }],
  [(c) => c.runs.read("r1"), "GET /control/runs/r1"],
  [async (c) => (await c.runs.follow("r1")).stream.outcome(), "GET /control/runs/r1/events"],
  [(c) => c.runs.cancel("r1"), "POST /control/runs/r1/cancel"],
  [(c) => c.functions.list(), "GET /control/functions"],
  [(c) => c.functions.read("f1"), "GET /control/functions/f1"],
  [(c) => c.functions.readSource("f1"), "GET /control/functions/f1/source"],
  [(c) => c.functions.run("f1", { variables: { a: "b" } }), "POST /control/functions/f1/run", { body: '{"variables":{"a":"b"}}' }],
  [(c) => c.functions.makeOfActs("s1", { from: 2 }), "POST /control/sessions/s1/function", { body: '{"from":2}' }],
  [(c) => c.functions.delete("f1"), "DELETE /control/functions/f1"],
  [(c) => c.keys.list(), "GET /control/keys"],
  [(c) => c.keys.create({ name: "k1" }), "POST /control/keys", { body: '{"name":"k1"}' }],
  [(c) => c.keys.change("k1", { expires_at: null }), "PATCH /control/keys/k1", { body: '{"expires_at":null}' }],
  [(c) => c.keys.rotate("k1", { overlap_s: 60 }), "POST /control/keys/k1/rotate", { body: '{"overlap_s":60}' }],
  [(c) => c.keys.revoke("k1"), "DELETE /control/keys/k1"],
  [(c) => c.profiles.list({ key: "team" }), "GET /control/profiles", { query: "?key=team" }],
  [(c) => c.profiles.read("p1"), "GET /control/profiles/p1"],
  [(c) => c.profiles.importState({ name: "p1", cookies_txt: "" }), "POST /control/profiles", { body: '{"name":"p1","cookies_txt":""}' }],
  [(c) => c.profiles.exportState("p1"), "GET /control/profiles/p1/storage-state"],
  [(c) => c.profiles.delete("p1", { key: "team" }), "DELETE /control/profiles/p1", { query: "?key=team" }],
  [(c) => c.profiles.reencrypt(), "POST /control/profiles/reencrypt"],
  [(c) => c.files.list("s1"), "GET /control/sessions/s1/files"],
  [(c) => c.files.upload("s1", "a b.txt", "käse"), "POST /control/sessions/s1/files", { query: "?name=a%20b.txt", body: "käse" }],
  [(c) => c.files.upload("s1", "a", new Blob(["x"])), "POST /control/sessions/s1/files", { query: "?name=a", body: "x" }],
  [(c) => c.files.download("s1", "f1"), "GET /control/sessions/s1/files/f1"],
  [(c) => c.handovers.ask("s1", { message: "log in" }), "POST /control/sessions/s1/handover", { body: '{"message":"log in"}' }],
  [(c) => c.handovers.list({ state: "open" }), "GET /control/handovers", { query: "?state=open" }],
  [(c) => c.handovers.listOfSession("s1"), "GET /control/sessions/s1/handovers"],
  [(c) => c.handovers.read("s1", "h1"), "GET /control/sessions/s1/handovers/h1"],
  [(c) => c.handovers.wait("s1", "h1"), "GET /control/sessions/s1/handovers/h1", { query: "?wait_s=30" }],
  [(c) => c.handovers.answer("s1", "h1", { answer: "done" }), "POST /control/sessions/s1/handovers/h1/answer", { body: '{"answer":"done"}' }],
  [(c) => c.timeline.read("s1", { after: 3 }), "GET /control/sessions/s1/timeline", { query: "?after=3&format=json" }],
  [(c) => c.timeline.readMarkdown("s1"), "GET /control/sessions/s1/timeline", { query: "?format=markdown" }],
  [(c) => c.console.read("s1"), "GET /control/sessions/s1/console"],
  [(c) => c.clipboard.read("s1", { copy: false }), "GET /control/sessions/s1/clipboard", { query: "?copy=false" }],
  [(c) => c.clipboard.write("s1", { text: "t" }), "PUT /control/sessions/s1/clipboard", { body: '{"text":"t"}' }],
  [(c) => c.readHealth(), "GET /health"],
  [(c) => c.readMetrics(), "GET /metrics"],
]; // prettier-ignore

test("each method sends one request, with the key and what it was given", async () => {
  for (const [call, request, more = {}] of calls) {
    const { control, requests } = recordRequests();
    await call(control);
    expect(requests).toHaveLength(1);
    const [one] = requests;
    expect(`${one?.method} ${one?.path}`).toBe(request);
    expect({ query: one?.query, body: one?.body }).toEqual({ query: "", body: "", ...more });
    expect(one?.headers.get("authorization")).toBe("Bearer key");
    const type = request.endsWith("/files") ? "application/octet-stream" : "application/json";
    expect(one?.headers.get("content-type")).toBe(more.body === undefined ? null : type);
  }
});

test("a run of a function is detached, and a request for a person has an idempotency key of its own", async () => {
  const { control, requests } = recordRequests();
  await control.functions.run("f1");
  await control.handovers.ask("s1", { message: "m" });
  await control.handovers.ask("s1", { message: "m" });
  await control.handovers.ask("s1", { message: "m" }, { idempotencyKey: "mine" });
  await control.functions.makeOfActs("s1");
  const [run, ...later] = requests;
  expect(run?.headers.get("prefer")).toBe("respond-async");
  const keys = later.map(({ headers }) => headers.get("idempotency-key"));
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  expect(new Set(keys).size).toBe(4);
  expect(keys[2]).toBe("mine");
});

test("every operation of the document is one that a method sends, but for those that are listed", () => {
  const covered = calls.map(([, request]) => {
    const [method, path = ""] = request.split(" ");
    const like = [...operations.keys()].find((each) =>
      new RegExp(`^${method} ${path.replace(/(?<=\/)(?:\w|%2F)*\d(?=\/|$)/g, "\\*")}$`).test(each.replaceAll("*", "*")),
    );
    return operations.get(like ?? "") ?? `no operation: ${request}`;
  });
  expect(new Set([...covered, ...others])).toEqual(new Set(operations.values()));
});
