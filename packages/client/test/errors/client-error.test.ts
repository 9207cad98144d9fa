import { inspect } from "node:util";
import { expect, test } from "vitest";
import { ClientError, createCloudBrowser } from "../../src/index.ts";
import { startFaultServer, type Fault } from "../calls/fault-server.ts";

/** A canary for keys, cookies, presigned URLs and all that an answer may quote. */
const secret = "s3cr3t";
const headers = { "set-cookie": `sid=${secret}`, location: `https://other.example/?signature=${secret}` };
const body = JSON.stringify({
  detail: [{ loc: ["body", secret], msg: secret, type: "x", input: secret }],
  url: secret,
});

const faults: { name: string; fault: Fault }[] = [
  ...[302, 400, 401, 404, 422, 429, 500, 502].map((status) => ({
    name: `${status}`,
    fault: { status, headers, body },
  })),
  { name: "content that is not JSON", fault: { headers, body: `<p>${secret}` } },
  { name: "a lost connection", fault: (request) => request.socket.destroy() },
];
test.for(faults)("shows no secret in message, inspection or JSON: $name", async ({ fault }) => {
  await using server = await startFaultServer(fault);
  const client = createCloudBrowser({ apiKey: secret, baseUrl: server.url });
  const error: unknown = await client.cookies(secret).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ClientError);
  for (const text of [String(error), inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error)]) {
    expect(text).not.toContain(secret);
  }
  expect(inspect(client, { depth: 9, showHidden: true })).not.toContain(secret);
});

test("lists only well-formed problems, and only of a 422", () => {
  const problem = { loc: ["body", 1], msg: "m", type: "t" };
  const mixed = { detail: [problem, null, "x", { msg: "m" }] };
  const errors = [
    new ClientError("validation", "x", { response: new Response(null, { status: 422 }), body: mixed }),
    new ClientError("validation", "x", { response: new Response(null, { status: 422 }), body: { detail: "text" } }),
    new ClientError("validation", "x", { response: new Response(null, { status: 422 }), body: "text" }),
    new ClientError("not-found", "x", { response: new Response(null, { status: 404 }), body: mixed }),
  ];
  expect(errors.map(({ problems }) => problems)).toEqual([[{ ...problem, path: "body[1]" }], [], [], []]);
});

const steps: { step: unknown }[] = [
  { step: { toString: 1 } },
  { step: {} },
  { step: null },
  { step: true },
  { step: ["a"] },
];
test.for(steps)("a location that is neither text nor number is not a problem: $step", ({ step }) => {
  const mixed = {
    detail: [
      { loc: ["body", step], msg: "m" },
      { loc: [], msg: "m" },
    ],
  };
  expect(new ClientError("validation", "x", { body: mixed }).problems).toEqual([{ loc: [], msg: "m", path: "" }]);
});

test("has no status, headers, body or cause when there is none", () => {
  const error = new ClientError("misuse", "x");
  expect([error.status, error.headers, error.body, "cause" in error]).toEqual([undefined, undefined, undefined, false]);
  expect("cause" in new ClientError("misuse", "x", { cause: undefined })).toBe(false);
});

test("has no status when a browser keeps the answer to itself", () => {
  const error = new ClientError("redirect", "x", { response: Response.error() });
  expect(JSON.parse(JSON.stringify(error))).not.toHaveProperty("status");
  expect("status" in error).toBe(false);
});
