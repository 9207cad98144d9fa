import { afterAll, beforeAll, expect, test } from "vitest";
import { call, AgentHarness } from "./agent-harness.ts";
import type { StubTurn } from "@cloud-browser/testing/model/stub-turns.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let harness: AgentHarness;
let site: Site;

beforeAll(async () => {
  harness = await AgentHarness.open();
  site = await startSite({ "/": "<h1>Teas</h1><p>Green tea</p>" });
}, 60_000);

afterAll(async () => {
  await harness.close();
  await site[Symbol.asyncDispose]();
});

const opens = (): StubTurn => call("open_page", { url: site.url });
const fails = (): StubTurn => call("click", { ref: "e999" });
const isNoTool = (): StubTurn => call("teleport", {});
const reads = (): StubTurn => call("read_page");
const extracts = (): StubTurn => call("extract", { name: "teas", kind: "text" });
const says = (): StubTurn => ({ text: "That is all." });
const finishes = (): StubTurn => call("finish", { answer: "That is all." });

test.each<[what: string, turns: (() => StubTurn)[], succeeded: false | undefined]>([
  ["only failed, and then says something", [fails, says], false],
  ["called tools that there are not, and then says something", [isNoTool, says], false],
  ["failed at last, and then says something", [opens, fails, says], false],
  ["failed, looked at the page, and then says something", [opens, fails, reads, says], false],
  ["failed and found another way", [fails, opens, says], undefined],
  ["failed after it had extracted data", [opens, extracts, fails, says], undefined],
  ["did nothing but answer", [says], false],
  ["failed, and finishes as one that succeeded", [fails, finishes], false],
])("a model that %s", async (_, turns, succeeded) => {
  const { work, error } = await harness.work({ script: turns.map((turn) => turn()) });
  expect(error).toBeUndefined();
  expect(work?.succeeded).toBe(succeeded);
  expect(work?.steps.length ?? 0).toBeLessThanOrEqual(succeeded === false ? 0 : 2); // what failed makes no function
});
