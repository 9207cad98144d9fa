import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { CostLedger } from "../../src/agent/cost-ledger.ts";
import { healStep, type HealRequest } from "../../src/agent/heal-step.ts";
import { Secrets } from "../../src/task/redaction.ts";
import { locateTarget } from "../../src/targets/find-target.ts";
import type { Step } from "../../src/task/step.ts";
import type { PooledContext } from "@cloud-browser/browsers";
import { createModel } from "@cloud-browser/page-content";
import { prices, refIn, AgentHarness } from "./agent-harness.ts";
import { startStubModelServer, type StubRequest } from "@cloud-browser/testing/model/stub-model-server.ts";
import type { StubTurn } from "@cloud-browser/testing/model/stub-turns.ts";

let harness: AgentHarness;
let pooled: PooledContext;
let page: Page;

beforeAll(async () => {
  harness = await AgentHarness.open();
  pooled = await harness.openContext();
  page = await pooled.context.newPage();
}, 60_000);

afterAll(async () => {
  await pooled.close();
  await harness.close();
});

beforeEach(async () => {
  await page.setContent(
    `<h1>Shop</h1><label>Look for <input></label><button>Go</button><a href="#">All lanterns now</a><input type="password" value="hunter2"><a href="/?p=hunter2">Home</a>`,
  );
});

const clickFind: Step = {
  action: "click",
  target: { selectors: ['internal:role=button[name="Find"s]'], label: 'button "Find"' },
};
const fillSearch: Step = {
  action: "fill",
  target: { selectors: ['internal:label="Search"s'], label: 'textbox "Search"' },
  value: "{{query}}",
};
const clickAll: Step = {
  action: "click",
  target: { selectors: ['internal:role=link[name="Every {{query}}"s]'], label: 'link "Every {{query}}"' },
};

/** Heals with a model that answers once. */
async function heal(step: Step, turn: (request: StubRequest) => StubTurn, change: Partial<HealRequest> = {}) {
  const server = await startStubModelServer((request) => turn(request));
  const ledger = new CostLedger(prices, "1");
  const model = createModel({ baseUrl: server.baseUrl, name: "stub", prices, limits: { retries: 0 } });
  const variables = new Map([
    ["query", "lanterns"],
    ["password", "hunter2"],
  ]);
  const secrets = new Secrets("");
  secrets.add("hunter2");
  try {
    const request = { step, variables, secrets, page, model, ledger, signal: new AbortController().signal, ...change };
    return { healed: await healStep(request), requests: server.requests, cost: ledger.spentUsd };
  } finally {
    await server.close();
  }
}

const picks = (element: string) => (request: StubRequest) => ({ json: { ref: refIn(request, element) } });

test("gives the step the element that the model picks, and adds up the cost", async () => {
  const { healed, requests, cost } = await heal(clickFind, picks('button "Go"'));
  expect(healed).toMatchObject({ action: "click", target: { label: 'button "Go"' } });
  const target = healed?.action === "click" ? healed.target : clickFind.target;
  expect(await (await locateTarget(page, target, new Map())).locator.textContent()).toBe("Go");
  expect(requests).toHaveLength(1);
  expect(cost).toBe("0.00045000000000000000001");
  expect(JSON.stringify(requests)).not.toContain("hunter2");
});

test("keeps the variables of the step and of its target", async () => {
  const { healed, requests } = await heal(clickAll, picks("lanterns now"));
  expect(healed).toMatchObject({ target: { label: 'link "All {{query}} now"' } });
  expect(requests[0]?.body.messages[1]?.content).toContain('Its element was: link "Every lanterns"');
  expect((await heal(fillSearch, picks('textbox "Look for"'))).healed).toMatchObject({
    value: "{{query}}",
    target: { label: 'textbox "Look for"' },
  });
});

test("mends the part of an extraction that is lost, and leaves the other", async () => {
  const target = { selectors: ["h1"], label: "heading" };
  const nextPage = { target: { selectors: ["#gone"], label: 'link "Next"' }, most: 3 };
  const step: Step = { action: "extract", name: "all", what: { kind: "text" }, target, nextPage };
  const { healed } = await heal(step, picks("lanterns now"));
  expect(healed).toMatchObject({ target, nextPage: { most: 3, target: { label: 'link "All lanterns now"' } } });
});

test.each<[string, Step, (request: StubRequest) => StubTurn]>([
  ["the model sees no such element", clickFind, () => ({ json: { ref: null } })],
  ["the model makes a reference up", clickFind, () => ({ json: { ref: "e999" } })],
  ["the model answers something else", clickFind, () => ({ text: "I think it is the button." })],
  ["the model picks what a text can't be filled into", fillSearch, picks('button "Go"')],
  ["the provider fails", clickFind, () => ({ failure: { kind: "status", status: 500 } })],
])("gives nothing when %s", async (_, step, turn) => {
  const { healed, requests } = await heal(step, turn);
  expect(healed).toBeUndefined();
  expect(requests).toHaveLength(1);
});

test("does not call the model if no element is missing, a value is missing, or the budget is spent", async () => {
  const fits: Step = { action: "click", target: { selectors: ["button"], label: "button" } };
  const noMoney = new CostLedger(prices, "0");
  const all = [
    await heal(fits, picks("button")),
    await heal({ action: "back" }, picks("button")),
    await heal(clickFind, picks("button"), { ledger: noMoney }),
  ];
  expect(all.map(({ healed, requests }) => [healed, requests.length])).toEqual(all.map(() => [undefined, 0]));
  await expect(heal(clickAll, picks("button"), { variables: new Map() })).rejects.toMatchObject({
    code: "unknown_variable",
  });
});

test("ends at once when it is aborted", async () => {
  const abort = new AbortController();
  const began = performance.now();
  const turn = (): StubTurn => {
    abort.abort(new Error("called off"));
    return { failure: { kind: "hang", afterBytes: -1 } };
  };
  await expect(heal(clickFind, turn, { signal: abort.signal })).rejects.toThrow("called off");
  expect(performance.now() - began).toBeLessThan(4_000);
});
