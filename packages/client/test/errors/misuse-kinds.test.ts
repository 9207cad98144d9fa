// oxlint-disable typescript/unbound-method, typescript/no-base-to-string, oxc/no-map-spread -- the client's functions need no `this`
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCloudBrowser } from "../../src/index.ts";
import { downloadHls, downloadReplay, waitForReplay } from "../../src/replay.ts";
import { listValuesOfEachKind } from "./values-of-each-kind.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

const values = listValuesOfEachKind(["a"]);

let requestCount = 0;
const fetch = async (): Promise<Response> => {
  requestCount++;
  return Response.json({ markdown: "", cookies: [] });
};
const good = { apiKey: "key", baseUrl: "https://service.example", fetch };

/** Calls a function as a caller without types does. */
async function callUntyped(act: unknown, ...args: unknown[]): Promise<unknown> {
  if (typeof act !== "function") throw new Error("no function");
  return Reflect.apply(act, undefined, args);
}

/** What every option of a call may be. */
const options: { name: string; fine: RegExp }[] = [
  { name: "fetch", fine: /^function$/ },
  { name: "headers", fine: /^(?:object|array)$/ },
  { name: "requestOrigin", fine: /^string$/ },
  { name: "sdkVersion", fine: /^(?:string|boolean)$/ },
  { name: "allowInsecureHttp", fine: /^boolean$/ },
  { name: "timeouts", fine: /^(?:object|array)$/ },
  { name: "retries", fine: /^(?:object|array)$/ },
  { name: "maxBodyBytes", fine: /^$/ },
  { name: "logger", fine: /^$/ },
  { name: "hooks", fine: /^(?:object|array|function)$/ },
  { name: "signal", fine: /^$/ },
];
const only: { name: string; fine: RegExp }[] = [
  { name: "ledger", fine: /^$/ },
  { name: "onOutcome", fine: /^function$/ },
  { name: "onReport", fine: /^function$/ },
  { name: "maxEventBytes", fine: /^$/ },
];
const client = createCloudBrowser(good);
const operations: { operation: string; options: typeof options; call: (value: unknown) => Promise<unknown> }[] = [
  { operation: "scrape", options, call: (value) => callUntyped(client.scrape, "s1", {}, value) },
  { operation: "extract", options, call: (value) => callUntyped(client.extract, "s1", { response_format: {} }, value) },
  { operation: "cookies", options, call: (value) => callUntyped(client.cookies, "s1", value) },
  { operation: "replay", options, call: (value) => callUntyped(client.replay, "s1", value) },
  { operation: "automate", options: [...options, ...only], call: (value) => callUntyped(client.automate, { query: "q" }, value) },
]; // prettier-ignore
const wrongOptions = operations.flatMap((operation) =>
  operation.options.flatMap(({ name, fine }) =>
    values
      .filter(({ kind }) => !fine.test(kind))
      .map(({ kind, value }) => ({
        what: `${kind} as ${name}`,
        call: () => operation.call({ [name]: value }),
        ...pick(operation),
      })),
  ),
);
function pick({ operation }: { operation: string }): { operation: string } {
  return { operation };
}
const deep = operations.flatMap(({ operation, call }) =>
  [
    { retries: { max: "3" } },
    { retries: { baseMs: null } },
    { retries: -1 },
    { retries: NaN },
    { timeouts: { headersMs: "5" } },
    { timeouts: { totalMs: null } },
    { hooks: { onRetry: "x" } },
    { logger: { debug() {} } },
    null,
    5,
    "x",
  ].map((value, at) => ({ operation, what: `wrong options, case ${at + 1}`, call: () => call(value) })),
);
const notObject = values.filter(({ kind }) => !/^(?:object|array|function)$/.test(kind));
const requests = notObject.flatMap(({ kind, value }) => [
  { operation: "scrape", what: `${kind} as request`, call: () => callUntyped(client.scrape, "s1", value) },
  { operation: "extract", what: `${kind} as request`, call: () => callUntyped(client.extract, "s1", value) },
  { operation: "automate", what: `${kind} as request`, call: () => callUntyped(client.automate, value) },
]);
const sessions = values
  .filter(({ kind }) => kind !== "string")
  .flatMap(({ kind, value }) =>
    ["scrape", "cookies", "replay"].map((operation) => ({
      operation,
      what: `${kind} as session`,
      call: () => callUntyped(Reflect.get(client, operation), value),
    })),
  );
const formats = [/x/, new Date(), new Map(), new Set(), Promise.resolve({}), 5, "x", true].map((response_format) => ({
  operation: "extract",
  what: `${Object.prototype.toString.call(response_format)} as response_format`,
  call: () => callUntyped(client.extract, "s1", { response_format }),
}));
const missing = [undefined, {}, { response_format: null }, { instructions: "x" }].map((request, at) => ({
  operation: "extract",
  what: `no schema, case ${at + 1}`,
  call: () => callUntyped(client.extract, "s1", request),
}));
const replays = [null, 5, "x", {}].flatMap((wrong) => [
  {
    operation: "waitForReplay",
    what: `${String(wrong)} as client`,
    call: () => callUntyped(waitForReplay, wrong, "s1"),
  },
  {
    operation: "downloadReplay",
    what: `${String(wrong)} as client`,
    call: () => callUntyped(downloadReplay, wrong, "s1", "x"),
  },
  {
    operation: "downloadHls",
    what: `${String(wrong)} as client`,
    call: () => callUntyped(downloadHls, wrong, "s1", "x"),
  },
]);
const downloads = [null, 5, "x", true, { signal: {} }, { signal: null }, { fetch: 5 }, { stallMs: "1" }, { replay: null }].flatMap(
  (wrong, at) => [
    { operation: "waitForReplay", what: `wrong options, case ${at + 1}`, call: () => callUntyped(waitForReplay, client, "s1", wrong) },
    { operation: "downloadReplay", what: `wrong options, case ${at + 1}`, call: () => callUntyped(downloadReplay, client, "s1", new WritableStream(), wrong) },
    { operation: "downloadHls", what: `wrong options, case ${at + 1}`, call: () => callUntyped(downloadHls, client, "s1", "/nowhere/x", wrong) },
  ],
); // prettier-ignore
const targets = [null, undefined, 5, {}].map((target) => ({
  operation: "downloadReplay",
  what: `${String(target)} as destination`,
  call: () => callUntyped(downloadReplay, client, "s1", target),
}));
const tables = [wrongOptions, deep, requests, sessions, formats, missing, replays, downloads, targets];
test.for(tables.flat())("$operation calls it misuse, and sends nothing: $what", async ({ call }) => {
  requestCount = 0;
  await expect(call()).rejects.toMatchObject({ name: "ClientError", code: "misuse" });
  expect({ requestCount, unhandled }).toEqual({ requestCount: 0, unhandled: [] });
});

test.for(notObject)("createCloudBrowser calls it misuse: $kind as options", ({ value }) => {
  expect(() => void Reflect.apply(createCloudBrowser, undefined, [value])).toThrow(
    expect.objectContaining({ name: "ClientError", code: "misuse" }),
  );
});

test.for(values.filter(({ kind }) => kind !== "string"))(
  "createCloudBrowser calls it misuse: $kind as baseUrl",
  ({ value }) => {
    expect(() => void Reflect.apply(createCloudBrowser, undefined, [{ ...good, baseUrl: value }])).toThrow(
      expect.objectContaining({ name: "ClientError", code: "misuse" }),
    );
  },
);
