import { expect, expectTypeOf, test } from "vitest";
import * as client from "../../src/index.ts";
import { ClientError, createCloudBrowser, type ClientErrorCode, type FailedExtraction } from "../../src/index.ts";
import { startFaultServer } from "../calls/fault-server.ts";

const codes: Readonly<Record<ClientErrorCode, keyof typeof client>> = {
  validation: "ValidationError",
  "bad-request": "BadRequestError",
  authentication: "AuthenticationError",
  "not-found": "NotFoundError",
  "rate-limited": "RateLimitError",
  upstream: "UpstreamError",
  server: "ServerError",
  redirect: "RedirectError",
  "unexpected-status": "UnexpectedStatusError",
  "unexpected-content": "UnexpectedContentError",
  "too-large": "TooLargeError",
  network: "NetworkError",
  timeout: "TimeoutError",
  aborted: "AbortedError",
  misuse: "MisuseError",
  extraction: "ExtractionError",
  budget: "BudgetError",
  "replay-unavailable": "ReplayUnavailableError",
  download: "DownloadError",
  "no-control": "NoControlError",
};
const kinds = Object.values(codes);
const exported = new Map<string, unknown>(Object.entries(client));

/** Names of the classes of codes that a value is an instance of. */
function listKinds(value: unknown): string[] {
  return kinds.filter((name) => {
    const kind = exported.get(name);
    return typeof kind === "function" && value instanceof kind;
  });
}

test("an error is an instance of ClientError and of the class of its code, and of no other", () => {
  for (const [code, name] of Object.entries(codes)) {
    const error = new ClientError(code as ClientErrorCode, "x"); // oxlint-disable-line typescript/no-unsafe-type-assertion -- a key of the record
    expect(listKinds(error)).toEqual([name]);
  }
});

test("nothing else is an instance of any class of a code", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const others = [undefined, null, 5, "validation", {}, { code: "validation" }, new Error("validation"), proxy];
  expect(others.flatMap(listKinds)).toEqual([]);
});

test("an error that a caller creates has the code of its class", () => {
  const error = new client.RateLimitError("later", { retryable: true });
  expect(error).toMatchObject({ name: "ClientError", code: "rate-limited", message: "later", retryable: true });
  expect(listKinds(error)).toEqual(["RateLimitError"]);
  expect(error).toBeInstanceOf(ClientError);
});

test("calls throw what the classes recognize", async () => {
  for (const [status, name] of [
    [400, "BadRequestError"],
    [401, "AuthenticationError"],
    [404, "NotFoundError"],
    [409, "UnexpectedStatusError"],
    [422, "ValidationError"],
    [429, "RateLimitError"],
    [500, "ServerError"],
    [502, "UpstreamError"],
  ] as const) {
    await using server = await startFaultServer({ status });
    const browser = createCloudBrowser({ apiKey: "key", baseUrl: server.url, retries: 0 });
    const error: unknown = await browser.cookies("s1").catch((thrown: unknown) => thrown);
    expect(listKinds(error)).toEqual([name]);
  }
});

test("the compiler knows what an error of each class has", () => {
  const error: unknown = new ClientError("misuse", "x");
  if (error instanceof client.ExtractionError) expectTypeOf(error.extraction).toEqualTypeOf<FailedExtraction>();
  if (error instanceof client.TimeoutError) expectTypeOf(error.phase).toEqualTypeOf<client.TimeoutPhase>();
  if (error instanceof client.ServerError) expectTypeOf(error.status).toEqualTypeOf<number>();
  if (error instanceof client.ValidationError) expectTypeOf(error.code).toEqualTypeOf<"validation">();
  if (error instanceof client.NetworkError) expectTypeOf(error.status).toEqualTypeOf<number | undefined>();
  expect(error).toBeInstanceOf(client.MisuseError);
});
