import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTools, type PlainTool } from "../src/json-schema.ts";
import { createMcpServer } from "../src/mcp.ts";
import { findPassages } from "../src/page/passages.ts";
import { readOutline } from "../src/page/outline.ts";
import { splitPages } from "../src/page/pages.ts";
import { secrets, startCannedService, type CannedService } from "./canned-service.ts";
import { connectInMemory } from "./mcp-client.ts";
import { readPageText } from "./page-text.ts";
import { startRealService } from "./real-service.ts";

let service: CannedService;
beforeAll(async () => {
  service = await startCannedService();
});
afterAll(async () => service[Symbol.asyncDispose]());

const prepareTools = (options: Parameters<typeof createTools>[0]): ((name: string) => PlainTool["call"]) => {
  const tools = createTools({ baseUrl: service.url, apiKey: service.apiKey, ...options });
  return (name) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return tool.call;
  };
};

describe("A page of many megabytes", () => {
  test.each<[string, string]>([
    ["of 50 MB of paragraphs", "The quick brown fox. ".repeat(30).concat("\n\n").repeat(80_000)],
    ["of one line", "word ".repeat(1_000_000)],
    ["of headings", "# A heading of a page\n".repeat(230_000)],
    ["of number signs and spaces", `# ${" ".repeat(990)}x ${"# ".repeat(4)}\n`.repeat(5_000)],
    ["of line feeds", "\n".repeat(5_000_000)],
    ["of white space between line feeds", `\n${" ".repeat(1_000)}`.repeat(5_000)],
    ["of fences", "```\n".repeat(1_000_000)],
    ["of pairs of surrogates", "😀".repeat(1_000_000)],
    ["without a place to cut", "x".repeat(5_000_000)],
  ])("%s is read in results that are bounded", async (_, markdown) => {
    service.markdown = markdown;
    const tool = prepareTools({});
    const before = process.cpuUsage();
    for (const args of [{}, { outline: true }, { query: "fox word heading" }, { page: 2 }]) {
      const { text } = await tool("scrape")({ session_id: "s-1", ...args });
      expect(text.length).toBeLessThan(17_500);
      expect(text.isWellFormed()).toBe(true);
    }
    const { user } = process.cpuUsage(before);
    // Some seconds for four readings, with their transport: what is not linear takes minutes.
    expect(user / 1e6).toBeLessThan(60);
    service.markdown = "# Page";
  });

  test("that is larger than the client takes is refused with what to do", async () => {
    service.markdown = "x".repeat(70_000_000);
    const { isError, text } = await prepareTools({})("scrape")({ session_id: "s-1" });
    expect(isError && text).toMatch(/selector or only_main_content/u);
    service.markdown = "# Page";
  });

  test("of the real service is read on to its end", async () => {
    await using real = await startRealService(
      () => `<h1>Big</h1>${`<p>${"All about foxes. ".repeat(60)}</p>`.repeat(5_000)}<h2>End</h2>`,
    );
    const tool = prepareTools({ baseUrl: real.service.url, apiKey: real.service.apiKey, maxPageChars: 200_000 });
    const session = await tool("open_session")({ url: real.site });
    const { session_id } = session.structured;
    const { structured, text } = await tool("scrape")({ session_id });
    expect(structured["pages"]).toBeGreaterThan(10);
    expect(readPageText(text)).toMatch(/^# Big/u);
    const last = await tool("scrape")({ session_id, page: structured["pages"] });
    expect(last.isError).toBe(false);
  });
});

test("parts of a text are all of it, cut inside of no character", () => {
  for (const text of [
    "",
    "a",
    "a\n\nb",
    "😀".repeat(500),
    "é ".repeat(999),
    "x".repeat(5_000),
    `${"a b\n".repeat(700)}\n\n`,
  ]) {
    for (const size of [1, 2, 3, 7, 1_000]) {
      const parts = splitPages(text, size);
      expect(parts.join("")).toBe(text);
      expect(parts.every((part) => part.length <= Math.max(size, 2))).toBe(true);
      expect(size < 2 || parts.every((part) => part.isWellFormed())).toBe(true);
    }
  }
});

test("headings have numbers without gaps, and sections are what they head", () => {
  const markdown =
    "intro\n# A\na\n### A-deep\nd\n## A-sub\ns\n# B #\n```\n# no heading\n```\nb\n~~~\n```\n# none\n~~~\n## B-sub\n";
  const outline = readOutline(markdown);
  expect(outline.map(({ number, title }) => `${number} ${title}`)).toEqual([
    "1 A",
    "1.1 A-deep",
    "1.2 A-sub",
    "2 B",
    "2.1 B-sub",
  ]);
  expect(outline.map(({ start, end }) => markdown.slice(start, end).trim().split("\n")[0])).toEqual([
    "# A",
    "### A-deep",
    "## A-sub",
    "# B #",
    "## B-sub",
  ]);
  expect(markdown.slice(outline[3]?.start, outline[3]?.end)).toContain("# none");
});

test("passages are those with the rarest words first, with the heading above them", () => {
  const markdown = "# One\n\nthe the the\n\nthe warranty\n\n# Two\n\nthe warranty lasts 27 months\n\nthe end";
  expect(findPassages(markdown, "Warranty MONTHS?", 1_000)).toEqual([
    { under: "2 Two", text: "the warranty lasts 27 months" },
    { under: "1 One", text: "the warranty" },
  ]);
  expect(findPassages(markdown, "…", 1_000)).toEqual([]);
});

test("a run that never ends gives results that end, and a call that is cancelled leaves it alone", async () => {
  const server = createServer((request, response) => {
    if (request.url?.includes("/start") !== true)
      return void response.writeHead(404, { "content-type": "text/html" }).end();
    response.writeHead(200, { "content-type": "text/event-stream" });
    const write = (): void => {
      if (response.destroyed) return;
      response.write(`data: ${JSON.stringify({ type: "text_delta", delta: "on and on ".repeat(100) })}\n\n`, () =>
        setImmediate(write),
      );
    };
    write();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = Number(Object(server.address()).port);
  await using connection = await connectInMemory(
    createMcpServer({ baseUrl: `http://127.0.0.1:${port}`, apiKey: secrets.key, allow: ["billed-runs"] }),
    "2026-07-28",
  );
  const first = await connection.call("automate", { query: "for ever" });
  expect(first.structured).toMatchObject({ state: "active", next: expect.stringContaining("has more") });
  expect(first.text.length).toBeLessThan(19_000);
  const { run_id, after } = first.structured;
  const second = await connection.call("follow_run", { run_id, after });
  expect(Number(second.structured["after"])).toBeGreaterThan(Number(after));
  const cancelled = new AbortController();
  const call = connection.call("follow_run", { run_id, after: "999999999", wait_s: 600 }, { signal: cancelled.signal });
  cancelled.abort();
  await expect(call).rejects.toThrow();
  expect((await connection.call("follow_run", { run_id, wait_s: 0 })).isError).toBe(false);
  server.close();
  server.closeAllConnections();
});

describe("What can't work says what to do", () => {
  test("a service that is not there", async () => {
    const former = createServer().listen(0, "127.0.0.1");
    await once(former, "listening");
    const port = Number(Object(former.address()).port);
    former.close();
    await once(former, "close");
    await using connection = await connectInMemory(
      createMcpServer({ baseUrl: `http://127.0.0.1:${port}`, apiKey: secrets.key }),
      "2025",
    );
    const { tools } = await connection.client.listTools();
    expect(tools).toHaveLength(13);
    const { isError, text } = await connection.call("open_session", { url: "https://shop.example" });
    expect(isError && text).toMatch(/can't be reached.*CLOUD_BROWSER_BASE_URL/u);
  });

  test("a key that is wrong", async () => {
    const { isError, text } = await prepareTools({ apiKey: "cb_key_that_is_wrong_0000" })("open_session")({
      url: "https://shop.example",
    });
    expect(isError && text).toMatch(/CLOUD_BROWSER_API_KEY/u);
    expect(text).not.toContain("cb_key_that_is_wrong");
  });

  test.each<[string, readonly [number, unknown], RegExp]>([
    ["a limit", [429, { detail: "10 sessions are open" }], /end_session what is not needed/u],
    ["a failure of the service", [503, { detail: "draining" }], /Call again in a while/u],
    [
      "a page that can't be opened",
      [422, { detail: [{ loc: ["body", "url"], msg: "must be http", type: "x" }] }],
      /url.*must be http.*correct the arguments/u,
    ],
    ["something else at the base URL", [200, "<html>"], /may not be this service/u],
    ["a profile that is in use", [409, { detail: "the profile shop is in use" }], /in use/u],
  ])("%s", async (_, refusal, expected) => {
    service.refusals.set("POST /control/sessions", refusal);
    const { isError, text } = await prepareTools({})("open_session")({ url: "https://shop.example" });
    service.refusals.clear();
    expect(isError && text).toMatch(expected);
  });

  test.each<[string, unknown]>([
    ["no object", "session"],
    ["a list", ["s-1"]],
    ["another prototype", JSON.parse('{"session_id":"s-1","__proto__":{"a":1}}')],
    ["names of all objects", { session_id: "s-1", constructor: 1 }],
    ["a path", { session_id: "../control/keys" }],
    ["a number", { session_id: 12 }],
    ["a text of a megabyte", { session_id: "x".repeat(1_000_000) }],
    ["a schema that is none", { session_id: "s-1", response_format: { type: "nothing" } }],
  ])("arguments that are %s", async (_, args) => {
    const before = service.requests.length;
    const { text } = await prepareTools({})("scrape")(args);
    expect(text.length).toBeLessThan(5_000);
    expect(service.requests.slice(before).every((one) => one.startsWith("POST /sessions/"))).toBe(true);
  });
});
