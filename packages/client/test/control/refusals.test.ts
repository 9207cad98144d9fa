/** How calls of the control interface fail. */
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { ClientError, NoControlError } from "../../src/index.ts";
import { createControl, type CloudBrowserControl } from "../../src/control.ts";

type Answer = (request: Request) => Response | Promise<Response>;

const key = "sk-a-key-of-the-test";

/** A client of a server that answers as it is said to; and its requests. */
function openControl(answer: Answer): { readonly control: CloudBrowserControl; readonly requests: string[] } {
  const requests: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`);
    return answer(request);
  };
  const retries = { baseMs: 0, max: 2 };
  return { control: createControl({ apiKey: key, baseUrl: "https://service.test/api", fetch, retries }), requests };
}

async function readError(work: Promise<unknown>): Promise<ClientError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ClientError)) throw new Error("it did not fail with a ClientError", { cause: error });
  return error;
}

const document = "GET /api/control/openapi.json";
const isDocument = (request: Request): boolean => request.url.endsWith("/control/openapi.json");
const describeControl = (): Response => Response.json({ paths: {} });

/** Answers of servers that speak the interface only, to a path that they do not have. */
const foreign: Record<string, Answer> = {
  "an empty 404": () => new Response(null, { status: 404 }),
  "a 404 of FastAPI": () => Response.json({ detail: "Not Found" }, { status: 404 }),
  "a 404 of Prism": () =>
    Response.json({ type: "https://stoplight.io/prism/errors#NO_PATH_MATCHED_ERROR", title: "Route not resolved", detail: "no", status: 404 }, { status: 404 }), // prettier-ignore
  "a 404 with a page": () =>
    new Response("<html>Not found</html>", { status: 404, headers: { "content-type": "text/html" } }),
  "a 405": () => new Response("no", { status: 405 }),
  "a 501": () => Response.json({ error: "not implemented" }, { status: 501 }),
  "a page of a site": () => new Response("<html></html>", { headers: { "content-type": "text/html" } }),
};

test.for(Object.keys(foreign))(
  "a server that answers with %s has no control interface, and is said so",
  async (name) => {
    const { control, requests } = openControl((request) => foreign[name]?.(request) ?? new Response());
    for (const call of [
      () => control.sessions.list(),
      () => control.sessions.open({ url: "https://a.example" }),
      () => control.sessions.end("s1"),
      () => control.functions.readSource("f1"),
      () => control.runs.read("r1"),
    ]) {
      const error = await readError(call());
      expect(error).toMatchObject({ code: "no-control", retryable: false });
      expect(error).toBeInstanceOf(NoControlError);
      expect(error.message).toMatch(/^https:\/\/service\.test\/api has no \/control: it speaks the interface only;/);
      expect(error.operation).toMatch(/^control\./);
    }
    expect(requests).toContain(document);
  },
);

test("what a service with a control interface does not find is an ordinary error, which says why", async () => {
  const { control, requests } = openControl((request) =>
    isDocument(request) ? describeControl() : Response.json({ detail: "there is no such session" }, { status: 404 }),
  );
  for (let times = 0; times < 2; times++) {
    const error = await readError(control.sessions.read("s1"));
    expect(error).toMatchObject({ code: "not-found", status: 404 });
    expect(error.message).toBe(
      "https://service.test/api/control/sessions/s1 answered with 404: there is no such session",
    );
  }
  // Once is enough to know.
  expect(requests.filter((each) => each === document)).toHaveLength(1);
});

test.for([401, 403, 429, 500])(
  "a server that answers the question for its document with %i is not judged",
  async (status) => {
    const { control } = openControl((request) =>
      isDocument(request) ? new Response(null, { status }) : Response.json({ detail: "no" }, { status: 404 }),
    );
    expect(await readError(control.sessions.read("s1"))).toMatchObject({ code: "not-found" });
  },
);

test("a call that acts is sent once, and one that reads is retried", async () => {
  const unavailable = openControl(() => Response.json({ detail: "busy" }, { status: 503 }));
  const { control, requests } = unavailable;
  const once = [
    () => control.sessions.open(),
    () => control.sessions.deleteRecording("s1"),
    () => control.functions.run("f1"),
    () => control.functions.delete("f1"),
    () => control.runs.cancel("r1"),
    () => control.keys.create({ name: "k" }),
    () => control.keys.rotate("k"),
    () => control.handovers.answer("s1", "h1", { answer: "done" }),
    () => control.files.upload("s1", "a", "b"),
    () => control.tokens.create("s1", { scope: "watch" }),
    () => control.profiles.importState({ name: "p", cookies_txt: "" }),
  ];
  for (const call of once) {
    requests.length = 0;
    expect(await readError(call())).toMatchObject({ code: "server", attempts: 1, retryable: false });
    expect(requests).toHaveLength(1);
  }
  const often = [
    () => control.sessions.list(),
    () => control.sessions.end("s1"),
    () => control.functions.readSource("f1"),
    () => control.handovers.ask("s1", { message: "m" }),
    () => control.clipboard.write("s1", { text: "" }),
    () => control.files.download("s1", "f1"),
  ];
  for (const call of often) {
    requests.length = 0;
    expect(await readError(call())).toMatchObject({ code: "server", attempts: 3, retryable: true });
    expect(requests).toHaveLength(3);
  }
});

test("a retried request for a person is the same one", async () => {
  const keys: (string | null)[] = [];
  const { control } = openControl((request) => {
    keys.push(request.headers.get("idempotency-key"));
    return keys.length < 3 ? new Response(null, { status: 503 }) : Response.json({ state: "open" });
  });
  await control.handovers.ask("s1", { message: "m" });
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

test("a fault of a field that is named like a secret is told", async () => {
  const detail = [{ loc: ["query", "key"], msg: "no key has the name tema-c", type: "t" }];
  const { control } = openControl((request) =>
    isDocument(request) ? describeControl() : Response.json({ detail }, { status: 422 }),
  );
  const error = await readError(control.sessions.list());
  expect(error.message).toMatch(/ answered with 422: query\.key: no key has the name tema-c$/);
});

test("faults of a request are told with their places, at most three, and without secrets", async () => {
  const faults = ["a", "b", "c", "d"].map((name) => ({
    loc: ["body", name, 0],
    msg: `bad\u001b[2J ${key}`,
    type: "t",
  }));
  const { control } = openControl((request) =>
    isDocument(request) ? describeControl() : Response.json({ detail: faults }, { status: 422 }),
  );
  const error = await readError(control.sessions.open());
  expect(error.code).toBe("validation");
  expect(error.message).toContain("422: body.a.0: bad [2J [redacted]; body.b.0: ");
  expect(error.message).not.toContain("body.d");
  expect(error.problems).toHaveLength(4);
  expect(inspect(error, { depth: 9 }) + JSON.stringify(error)).not.toContain(key);
});

test.for(["", " ", ".", "..", undefined, null, 5])(
  "an identifier that is %j is refused before anything is sent",
  async (id) => {
    const { control, requests } = openControl(() => Response.json({}));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as a caller without types
    const untypedId = id as string;
    for (const work of [
      control.sessions.read(untypedId),
      control.files.download("s1", untypedId),
      control.keys.revoke(untypedId),
    ]) {
      expect(await readError(work)).toMatchObject({ code: "misuse", attempts: 0 });
    }
    expect(requests).toEqual([]);
  },
);

test("an unknown option of a call is refused", async () => {
  const { control, requests } = openControl(() => Response.json({}));
  // @ts-expect-error: there is no such option
  expect(await readError(control.sessions.list({}, { timeout: 5 }))).toMatchObject({ code: "misuse" });
  expect(requests).toEqual([]);
});

test("health is read also when the service is not well", async () => {
  const health = { status: "degraded", checks: { storage: "full" }, sessions: 0, handovers: 0, version: "1" };
  const { control, requests } = openControl(() => Response.json(health, { status: 503 }));
  expect(await control.readHealth()).toEqual(health);
  expect(requests).toHaveLength(1);
  const gateway = openControl(() => Response.json({ message: "no backend" }, { status: 503 }));
  expect(await readError(gateway.control.readHealth())).toMatchObject({ code: "server", status: 503 });
});

test("a server without a control interface is named by its base URL, whatever was asked", async () => {
  const { control } = openControl(() => new Response("<html></html>", { headers: { "content-type": "text/html" } }));
  for (const work of [control.readHealth(), control.readMetrics(), control.sessions.list()]) {
    expect((await readError(work)).message).toMatch(/^https:\/\/service\.test\/api has no \/control:/);
  }
});

test("a file in a bucket is fetched from there without the key; an error has no signature", async () => {
  const requests: { url: string; authorization: string | null }[] = [];
  let status = 200;
  const { control } = openControl((request) => {
    requests.push({ url: request.url, authorization: request.headers.get("authorization") });
    if (request.url.startsWith("https://service.test/")) {
      return new Response(null, { status: 307, headers: { location: "https://bucket.test/f?X-Amz-Signature=abcdef" } });
    }
    return new Response("bytes", { status });
  });
  expect(await (await control.files.download("s1", "f1")).text()).toBe("bytes");
  expect(requests.map(({ authorization }) => authorization)).toEqual([`Bearer ${key}`, null]);
  expect(requests[1]?.url).toBe("https://bucket.test/f?X-Amz-Signature=abcdef");
  status = 403;
  const error = await readError(control.files.download("s1", "f1"));
  expect(error).toMatchObject({ code: "download", status: 403 });
  expect(inspect(error, { depth: 9 })).not.toContain("abcdef");
});

test("a handover is waited for until it has its answer", async () => {
  let times = 0;
  const { control } = openControl(() =>
    Response.json({ state: ++times < 3 ? "open" : "answered", answer: "declined" }),
  );
  expect(await control.handovers.wait("s1", "h1")).toMatchObject({ answer: "declined" });
  expect(times).toBe(3);
});
