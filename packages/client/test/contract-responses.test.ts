import openapi from "@cloud-browser/spec/openapi.json" with { type: "json" };
import { expect, test } from "vitest";
import { ClientError, createCloudBrowser, type CloudBrowser } from "../src/index.ts";
import { startFaultServer } from "./calls/fault-server.ts";

/** The caller's view of each operation: the data of a good answer. */
const calls: Record<string, (client: CloudBrowser) => Promise<unknown>> = {
  page_scrape: (client) => client.scrape("s1"),
  session_cookies: (client) => client.cookies("s1"),
  session_replay: (client) => client.replay("s1"),
  async automation_start(client) {
    const events: unknown[] = [];
    for await (const event of await client.automate({ query: "q" })) events.push(event);
    return events;
  },
};

/** What each status that the contract names means to the caller. */
const codes: Record<string, string> = {
  "400": "bad-request",
  "401": "authentication",
  "422": "validation",
  "502": "upstream",
};
/** Statuses that the contract leaves to `default`, one of each kind. */
const undescribed: Record<string, string> = {
  "302": "redirect",
  "403": "authentication",
  "404": "not-found",
  "409": "unexpected-status",
  "429": "rate-limited",
  "500": "server",
  "503": "server",
};

interface Described {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly examples?: Readonly<Record<string, Example>> }>>;
}

/** JSON is the value itself, and a stream its text. */
interface Example {
  readonly value?: unknown;
  readonly serializedValue?: string;
}

interface Reference {
  readonly $ref: string;
}

/** An answer of the contract, and whether it is referred to. */
function resolveReference(response: Described | Reference): Described {
  if (!("$ref" in response)) return response;
  const name = response.$ref.slice("#/components/responses/".length);
  const description: Described | undefined = Object.entries(openapi.components.responses).find(
    ([key]) => key === name,
  )?.[1];
  if (!description) throw new Error(`the contract has no answer ${name}`);
  return description;
}

/** Every example of every status of every operation. */
const rows = Object.values(openapi.paths).flatMap((path) =>
  Object.values(path)
    .filter((operation) => "operationId" in operation)
    .flatMap(({ operationId, responses }) =>
      Object.entries<Described | Reference>(responses).flatMap(([status, response]) =>
        Object.entries(resolveReference(response).content ?? {}).flatMap(([type, { examples = {} }]) =>
          Object.entries(examples).map(([name, { value, serializedValue }]) => ({
            operationId,
            status,
            type,
            name,
            value: serializedValue ?? value,
          })),
        ),
      ),
    ),
);

test("every operation and every status of the contract has an example here", () => {
  const described = Object.values(openapi.paths).flatMap((path) =>
    Object.values(path).flatMap((operation) =>
      "operationId" in operation
        ? Object.keys(operation.responses).map((status) => `${operation.operationId} ${status}`)
        : [],
    ),
  );
  expect(described).toHaveLength(13);
  expect(new Set(rows.map(({ operationId, status }) => `${operationId} ${status}`))).toEqual(new Set(described));
  expect(new Set(rows.map(({ operationId }) => operationId))).toEqual(new Set(Object.keys(calls)));
  expect(rows.length).toBeGreaterThanOrEqual(25);
  expect(rows.filter(({ value }) => value === undefined)).toEqual([]);
});

/** The example as it comes over the wire. */
function serialize(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

test.for(rows.filter(({ status }) => status === "200"))("decodes $operationId 200 $name", async (row) => {
  const body = serialize(row.value);
  await using server = await startFaultServer({ headers: { "content-type": row.type }, body });
  const result = await calls[row.operationId]?.(createCloudBrowser({ apiKey: "key", baseUrl: server.url }));
  const lines = body.split("\n").filter((line) => line.startsWith("data:"));
  const want: unknown = row.type.includes("stream")
    ? lines.map((line): unknown => JSON.parse(line.slice("data:".length)))
    : JSON.parse(body);
  expect(result).toEqual(want);
});

const refusals = rows
  .filter(({ status }) => status !== "200")
  .flatMap((row) =>
    row.status === "default"
      ? Object.entries(undescribed).map(([status, code]) => Object.assign({}, row, { status, code }))
      : [{ ...row, code: codes[row.status] }],
  );
test.for(refusals)("decodes $operationId $status $name", async ({ operationId, status, code, type, value }) => {
  const body = serialize(value);
  await using server = await startFaultServer({ status: Number(status), headers: { "content-type": type }, body });
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url, retries: 0 });
  const error = await calls[operationId]?.(client).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ClientError);
  const errorFields = { code, status: Number(status), operation: operationId, attempts: 1 };
  // The body of a redirect is not read.
  expect(error).toMatchObject(code === "redirect" ? errorFields : { ...errorFields, body: value });
  const { problems = [] } = { ...(error instanceof ClientError && { problems: error.problems }) };
  const detail = code === "validation" && typeof value === "object" && value && "detail" in value ? value.detail : [];
  expect(problems.map(({ path: _, ...problem }) => problem)).toEqual(detail);
});
