import { expect, test } from "vitest";
import { responseSchemas } from "../../src/extraction/response-contract.ts";
import { createCloudBrowser, type CloudBrowser } from "../../src/index.ts";
import { getSchema } from "../response-schemas.ts";

test("the schemas of responses are those of the contract", () => {
  expect(responseSchemas).toEqual({
    page_scrape: getSchema("DataSpace"),
    session_cookies: getSchema("CookiesResponse"),
    session_replay: getSchema("ReplayResponse"),
  });
});

const operations = {
  scrape: (client: CloudBrowser) => client.scrape("s1"),
  cookies: (client: CloudBrowser) => client.cookies("s1"),
  replay: (client: CloudBrowser) => client.replay("s1"),
};
const createClient = (body: unknown, validate?: boolean): CloudBrowser => {
  const fetch = async (): Promise<Response> => Response.json(body);
  return createCloudBrowser({ apiKey: "key", baseUrl: "https://service.example", fetch, validate });
};

const wrong: { operation: keyof typeof operations; body: object; where: string }[] = [
  { operation: "cookies", body: { cookies: [null] }, where: "cookies[0]" },
  { operation: "cookies", body: { cookies: [{}, { name: 5 }] }, where: "cookies[1].name" },
  { operation: "cookies", body: { cookies: [{ httpOnly: "yes" }] }, where: "cookies[0].httpOnly" },
  { operation: "cookies", body: { cookies: [{ expires: "canary" }] }, where: "cookies[0].expires" },
  { operation: "cookies", body: { cookies: ["canary"] }, where: "cookies[0]" },
  { operation: "cookies", body: { cookies: [[]] }, where: "cookies[0]" },
  { operation: "scrape", body: { markdown: "", images: [5] }, where: "images[0]" },
  { operation: "scrape", body: { markdown: "", images: [{ url: 5 }] }, where: "images[0].url" },
  { operation: "scrape", body: { markdown: "", images: [{ category: "canary" }] }, where: "images[0].category" },
  { operation: "scrape", body: { markdown: "", structured: "canary" }, where: "structured" },
  { operation: "scrape", body: { markdown: "", structured: { success: "no" } }, where: "structured.success" },
  { operation: "replay", body: { mp4_url: 7 }, where: "mp4_url" },
  { operation: "replay", body: { mp4_url: ["canary"] }, where: "mp4_url" },
  { operation: "replay", body: { video_duration_ms: 1.5 }, where: "video_duration_ms" },
  { operation: "replay", body: { playlist_content: {} }, where: "playlist_content" },
  { operation: "replay", body: { video_start_ms: "0", expires_at: 5 }, where: "expires_at, video_start_ms" },
];
test.for(wrong)("finds on demand what is wrong, and does not quote it: $where", async ({ operation, body, where }) => {
  await expect(operations[operation](createClient(body))).resolves.toBeDefined();
  const call = operations[operation](createClient(body, true));
  await expect(call).rejects.toMatchObject({
    code: "unexpected-content",
    status: 200,
    body,
    message: expect.stringMatching(/answered with 200 and JSON in which [\w.,[\] ]+ does not match the contract/),
  });
  const message = await call.catch(String);
  for (const path of where.split(", ")) expect(message).toContain(path);
  expect(message).not.toContain("canary");
});

const right: { operation: keyof typeof operations; body: object }[] = [
  { operation: "cookies", body: { cookies: [] } },
  { operation: "cookies", body: { cookies: [{ name: "a", value: null, unknown: 5 }], more: {} } },
  { operation: "scrape", body: { markdown: "" } },
  { operation: "scrape", body: { markdown: "", images: null, structured: null } },
  { operation: "scrape", body: { markdown: "", images: [{ url: null, category: null }, { category: "icon" }] } },
  { operation: "replay", body: {} },
  { operation: "replay", body: { mp4_url: null, expires_at: "soon", video_duration_ms: 0 } },
];
test.for(right)("leaves alone what the interface does not show: $body", async ({ operation, body }) => {
  await expect(operations[operation](createClient(body, true))).resolves.toEqual(body);
});

test("data of an extraction are validated by their own schema alone", async () => {
  const client = createClient({ markdown: "", structured: { success: true, data: { a: 5 } } }, true);
  await expect(client.extract("s1", { response_format: { type: "object" } })).resolves.toEqual({ a: 5 });
});
