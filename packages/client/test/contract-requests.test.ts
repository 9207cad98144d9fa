import openapi from "@cloud-browser/spec/openapi.json" with { type: "json" };
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { seed } from "@cloud-browser/testing/seed.ts";
import { createCloudBrowser, type CloudBrowserOptions, type ScrapeRequest } from "../src/index.ts";
import { fitting } from "./calls/fault-server.ts";
import { streamContent } from "./calls/fault-socket.ts";

const baseUrl = "https://service.example/prefix";
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema(openapi, "contract");

/** Judges a value by a schema of the contract; the problems that it has. */
function getProblems(schema: string, value: unknown): unknown {
  const validate = ajv.getSchema(`contract#/components/schemas/${schema}`);
  if (!validate) throw new Error(`the contract has no schema ${schema}`);
  return validate(value) ? [] : validate.errors;
}

/** A client whose requests are kept. */
function createClient(options: CloudBrowserOptions = {}) {
  const requests: Request[] = [];
  const client = createCloudBrowser({
    apiKey: "key",
    baseUrl,
    fetch: async (request) => {
      requests.push(request.clone());
      return request.url.endsWith("/start")
        ? new Response(streamContent.body, { headers: { "content-type": streamContent.type } })
        : new Response(fitting);
    },
    ...options,
  });
  return { client, requests };
}

/** The one request that was sent, in parts. */
async function readParts(requests: readonly Request[]) {
  const [request] = requests;
  if (!request || requests.length > 1) throw new Error(`${requests.length} requests were sent`);
  const { pathname, searchParams } = new URL(request.url);
  const text = await request.text();
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  return { method: request.method, pathname, searchParams, headers: request.headers, body };
}

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
const nullable = <Value>(arbitrary: fc.Arbitrary<Value>) => optional(fc.option(arbitrary));
const anyText = fc.string({ unit: "binary" });
const scrapeRequests: fc.Arbitrary<ScrapeRequest> = fc.record(
  {
    selector: nullable(anyText),
    scrape_links: optional(fc.boolean()),
    scrape_images: optional(fc.boolean()),
    ignored_tags: nullable(fc.array(anyText)),
    only_main_content: optional(fc.boolean()),
    only_images: optional(fc.boolean()),
    response_format: fc.constant(null),
    instructions: nullable(anyText),
    use_link_placeholders: optional(fc.boolean()),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<ScrapeRequest>; // with `undefined`, as callers without exact types pass it
/** Identifiers that a path can hold. */
const ids = fc
  .string({ minLength: 1, unit: "grapheme" })
  .filter((id) => id.trim() !== "" && id !== "." && id !== ".." && !/\p{Surrogate}/u.test(id));
const headerTexts = fc.string({ minLength: 1 }).filter((text) => text.trim() === text);

test("the generator makes every field of the request", () => {
  const fields = new Set(fc.sample(scrapeRequests, 500).flatMap((request) => Object.keys(request)));
  expect([...fields].sort()).toEqual(Object.keys(openapi.components.schemas.ScrapeRequest.properties).sort());
});

test("every scrape that can be sent is valid by the contract", async () => {
  const options = fc.record({
    update_metadata: optional(fc.boolean()),
    requestOrigin: optional(headerTexts),
    sdkVersion: optional(headerTexts),
  });
  const property = fc.asyncProperty(ids, scrapeRequests, options, async (id, request, own) => {
    const { client, requests } = createClient();
    await client.scrape(id, request, own);
    const { method, pathname, searchParams, headers, body } = await readParts(requests);
    expect(getProblems("ScrapeRequest", body)).toEqual([]);
    expect(body).toEqual(JSON.parse(JSON.stringify({ ...request, response_format: undefined })));
    expect([method, pathname]).toEqual(["POST", `/prefix/sessions/${encodeURIComponent(id)}/page/scrape`]);
    const update = own.update_metadata;
    expect([...searchParams]).toEqual(update === undefined ? [] : [["update_metadata", String(update)]]);
    expect(headers.get("x-service-request-origin") ?? undefined).toBe(own.requestOrigin);
    expect(headers.get("x-service-sdk-version") ?? undefined).toBe(own.sdkVersion);
    expect(headers.get("content-type")).toBe("application/json");
  });
  await fc.assert(property, { seed, numRuns: 300 });
});

test("a structure is sent as it is, with every other field", async () => {
  const schemas = fc.dictionary(fc.constantFrom("title", "description", "$comment"), fc.string());
  const property = fc.asyncProperty(scrapeRequests, schemas, async (request, schema) => {
    const { client, requests } = createClient();
    await client.scrape("s1", { ...request, response_format: { type: "object", ...schema } });
    const { body } = await readParts(requests);
    expect(getProblems("ScrapeRequest", body)).toEqual([]);
    const response_format = { type: "object", ...schema };
    expect(body).toEqual(JSON.parse(JSON.stringify({ ...request, response_format })));
  });
  await fc.assert(property, { seed, numRuns: 100 });
});

test("every identifier reaches its place in the path, and no other", async () => {
  const property = fc.asyncProperty(ids, fc.constantFrom("cookies", "replay"), async (id, what) => {
    const { client, requests } = createClient();
    await (what === "cookies" ? client.cookies(id) : client.replay(id));
    const { method, pathname, searchParams, headers, body } = await readParts(requests);
    const segments = pathname.split("/");
    expect([method, segments.length, segments.at(-1), body]).toEqual(["GET", 5, what, undefined]);
    expect(decodeURIComponent(segments[3] ?? "")).toBe(id);
    expect([...searchParams, headers.get("content-type")]).toEqual([null]);
    expect(headers.get("authorization")).toBe("Bearer key");
  });
  await fc.assert(property, { seed, numRuns: 500 });
});

test("identifiers that a path can't hold are refused, and nothing is sent", async () => {
  const blank = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\r") });
  const bad = fc.oneof(blank, fc.constantFrom(".", "..", "\uD800", "a\uDC00"));
  const property = fc.asyncProperty(bad, async (id) => {
    const { client, requests } = createClient();
    for (const calling of [client.scrape(id), client.cookies(id), client.replay(id)]) {
      await expect(calling).rejects.toMatchObject({ code: "misuse" });
    }
    expect(requests).toEqual([]);
  });
  await fc.assert(property, { seed, numRuns: 100 });
});

test("every automation is valid by the contract", async () => {
  const property = fc.asyncProperty(anyText, async (query) => {
    const { client, requests } = createClient({ automationUrl: "https://automations.example" });
    await client.automate({ query });
    const { method, pathname, headers, body } = await readParts(requests);
    expect(getProblems("AutomationRequest", body)).toEqual([]);
    expect([method, pathname, body]).toEqual(["POST", "/api/automation/start", JSON.parse(JSON.stringify({ query }))]);
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("authorization")).toBe("Bearer key");
  });
  await fc.assert(property, { seed, numRuns: 200 });
});

test.each(["", "/", "/v1", "/v1/"])(
  "an address of automations is the same with the path of its operation: %j",
  async (below) => {
    const start = `https://automations.example${below.replace(/\/$/, "")}/api/automation/start`;
    for (const automationUrl of [`https://automations.example${below}`, start, `${start}/`]) {
      const { client, requests } = createClient({ automationUrl });
      await client.automate({ query: "q" });
      expect(requests.map(({ url }) => url)).toEqual([start]);
    }
  },
);
