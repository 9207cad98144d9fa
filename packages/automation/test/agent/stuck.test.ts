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
const says = (): StubTurn => ({ text: "That is all." });
const finishes = (): StubTurn => call("finish", { answer: "That is all." });

test.each<[what: string, turns: (() => StubTurn)[], succeeded: false | undefined, task?: string]>([
  ["only failed, and then says something", [fails, says], false],
  ["failed and found another way", [fails, opens, says], undefined],
  ["did nothing but answer", [says], false],
  ["did nothing but answer what asks nothing of a page", [says], undefined, "What is 2 + 2?"],
  ["did nothing but finish as one that succeeded", [finishes], false],
  ["failed, and finishes as one that succeeded", [fails, finishes], false],
  ["only looked, and says that it has paid", [opens, finishes], false, "Look at the teas, then pay 5 to Kim."],
])("a model that %s", async (_, turns, succeeded, task) => {
  const { work, error } = await harness.work({ script: turns.map((turn) => turn()), ...(task ? { task } : {}) });
  expect(error).toBeUndefined();
  expect(work?.succeeded).toBe(succeeded);
  expect(work?.steps.length ?? 0).toBeLessThanOrEqual(succeeded === false ? 0 : 2); // what failed makes no function
});
