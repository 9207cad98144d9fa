// oxlint-disable typescript/unbound-method, typescript/no-base-to-string, oxc/no-map-spread -- the client's functions need no `this`
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCloudBrowser } from "../../src/index.ts";
import { downloadHls, downloadReplay, waitForReplay } from "../../src/replay.ts";
import { valuesOfEachKind } from "./values-of-each-kind.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

const values = valuesOfEachKind(["a"]);

let sent = 0;
const fetch = async (): Promise<Response> => {
  sent++;
  return Response.json({ markdown: "", cookies: [] });
};
const good = { apiKey: "key", baseUrl: "https://service.example", fetch };

/** Calls a function as a caller without types does. */
async function untyped(act: unknown, ...given: unknown[]): Promise<unknown> {
  if (typeof act !== "function") throw new Error("no function");
  return Reflect.apply(act, undefined, given);
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
const operations: { operation: string; options: typeof options; call: (given: unknown) => Promise<unknown> }[] = [
  { operation: "scrape", options, call: (given) => untyped(client.scrape, "s1", {}, given) },
  { operation: "extract", options, call: (given) => untyped(client.extract, "s1", { response_format: {} }, given) },
  { operation: "cookies", options, call: (given) => untyped(client.cookies, "s1", given) },
  { operation: "replay", options, call: (given) => untyped(client.replay, "s1", given) },
  { operation: "automate", options: [...options, ...only], call: (given) => untyped(client.automate, { query: "q" }, given) },
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
  ].map((given, at) => ({ operation, what: `wrong options, case ${at + 1}`, call: () => call(given) })),
);
const notObject = values.filter(({ kind }) => !/^(?:object|array|function)$/.test(kind));
const requests = notObject.flatMap(({ kind, value }) => [
  { operation: "scrape", what: `${kind} as request`, call: () => untyped(client.scrape, "s1", value) },
  { operation: "extract", what: `${kind} as request`, call: () => untyped(client.extract, "s1", value) },
  { operation: "automate", what: `${kind} as request`, call: () => untyped(client.automate, value) },
]);
const sessions = values
  .filter(({ kind }) => kind !== "string")
  .flatMap(({ kind, value }) =>
    ["scrape", "cookies", "replay"].map((operation) => ({
      operation,
      what: `${kind} as session`,
      call: () => untyped(Reflect.get(client, operation), value),
    })),
  );
const formats = [/x/, new Date(), new Map(), new Set(), Promise.resolve({}), 5, "x", true].map((response_format) => ({
  operation: "extract",
  what: `${Object.prototype.toString.call(response_format)} as response_format`,
  call: () => untyped(client.extract, "s1", { response_format }),
}));
const missing = [undefined, {}, { response_format: null }, { instructions: "x" }].map((request, at) => ({
  operation: "extract",
  what: `no schema, case ${at + 1}`,
  call: () => untyped(client.extract, "s1", request),
}));
const replays = [null, 5, "x", {}].flatMap((wrong) => [
  { operation: "waitForReplay", what: `${String(wrong)} as client`, call: () => untyped(waitForReplay, wrong, "s1") },
  {
    operation: "downloadReplay",
    what: `${String(wrong)} as client`,
    call: () => untyped(downloadReplay, wrong, "s1", "x"),
  },
  { operation: "downloadHls", what: `${String(wrong)} as client`, call: () => untyped(downloadHls, wrong, "s1", "x") },
]);
const downloads = [null, 5, "x", true, { signal: {} }, { signal: null }, { fetch: 5 }, { stallMs: "1" }, { replay: null }].flatMap(
  (wrong, at) => [
    { operation: "waitForReplay", what: `wrong options, case ${at + 1}`, call: () => untyped(waitForReplay, client, "s1", wrong) },
    { operation: "downloadReplay", what: `wrong options, case ${at + 1}`, call: () => untyped(downloadReplay, client, "s1", new WritableStream(), wrong) },
    { operation: "downloadHls", what: `wrong options, case ${at + 1}`, call: () => untyped(downloadHls, client, "s1", "/nowhere/x", wrong) },
  ],
); // prettier-ignore
const targets = [null, undefined, 5, {}].map((target) => ({
  operation: "downloadReplay",
  what: `${String(target)} as destination`,
  call: () => untyped(downloadReplay, client, "s1", target),
}));
const tables = [wrongOptions, deep, requests, sessions, formats, missing, replays, downloads, targets];
test.for(tables.flat())("$operation calls it misuse, and sends nothing: $what", async ({ call }) => {
  sent = 0;
  await expect(call()).rejects.toMatchObject({ name: "ClientError", code: "misuse" });
  expect({ sent, unhandled }).toEqual({ sent: 0, unhandled: [] });
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
