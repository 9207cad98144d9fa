import { afterAll, beforeAll, expect, test } from "vitest";
import { createMcpServer } from "../src/mcp.ts";
import { injectedPages, order } from "./injected-pages.ts";
import { connectInMemory, type ConnectedClient } from "./mcp-client.ts";
import { readPageText } from "./page-text.ts";
import { startRealService, type RealService } from "./real-service.ts";

let real: RealService;
let connection: ConnectedClient;
beforeAll(async () => {
  real = await startRealService((path) => injectedPages[Number(path.slice(1))]?.html ?? "");
  const { url: baseUrl, apiKey } = real.service;
  connection = await connectInMemory(createMcpServer({ baseUrl, apiKey, allow: ["billed-runs"] }), "2026-07-28");
});
afterAll(async () => {
  await connection[Symbol.asyncDispose]();
  await real[Symbol.asyncDispose]();
});

test("there are enough pages, of all kinds", () => {
  expect(injectedPages.length).toBeGreaterThanOrEqual(30);
  expect(new Set(injectedPages.map(({ name }) => name)).size).toBe(injectedPages.length);
  expect(injectedPages.filter(({ isHidden }) => isHidden).length).toBeGreaterThanOrEqual(20);
});

test.each(injectedPages.map(({ name, isHidden }, index) => [name, index, isHidden] as const))(
  "the order of a page that is %s stays data, or out",
  async (_, index, isHidden) => {
    const session = await connection.call("open_session", { url: `${real.site}/${index}` });
    const { session_id } = session.structured;
    const results = [
      session,
      await connection.call("scrape", { session_id }),
      await connection.call("scrape", { session_id, query: "previous instructions" }),
      await connection.call("scrape", { session_id, outline: true }),
      await connection.call("list_sessions", {}),
      await connection.call("read_timeline", { session_id }),
    ];
    await connection.call("end_session", { session_id });
    for (const { text, structured } of results) {
      const outside = text.includes("[page-text ") ? text.replace(readPageText(text), "") : text;
      expect(outside).not.toMatch(/IGNORE ALL/iu);
      const { page_text: marked = "", ...facts } = structured;
      expect(JSON.stringify(facts)).not.toMatch(/IGNORE ALL/iu);
      expect(String(marked).replace(marked === "" ? "" : readPageText(String(marked)), "")).not.toMatch(/IGNORE ALL/iu);
    }
    const [, page] = results;
    expect(page?.structured["hidden_text"]).toBe("left out");
    const texts = results.slice(1, 4).map(({ text }) => text);
    expect(isHidden && texts.join("\n").includes(order)).toBe(false);
  },
);

test("what is hidden is read when it is asked for, and said to be there", async () => {
  const index = injectedPages.findIndex(({ name }) => name.includes("opacity"));
  const { structured } = await connection.call("open_session", { url: `${real.site}/${index}` });
  const { text, structured: facts } = await connection.call("scrape", {
    session_id: structured["session_id"],
    hidden_text: true,
  });
  expect(readPageText(text)).toContain(order);
  expect(facts["hidden_text"]).toBe("may be in it");
  await connection.call("end_session", { session_id: structured["session_id"] });
});

test("what a run reads of a page is data, too: in its result, in its progress, in the list of runs", async () => {
  const index = injectedPages.findIndex(({ name }) => name === "says it in a heading");
  const query = `Open ${real.site}/${index} and extract the heading`;
  const run = await connection.call("automate", { query });
  const list = await connection.call("follow_run", {});
  for (const { text } of [run, list]) expect(text.replace(readPageText(text), "")).not.toMatch(/IGNORE ALL/u);
  expect(connection.progress.join("\n")).not.toMatch(/IGNORE ALL/u);
});
