import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { generalize } from "../../src/generalization/generalize.ts";
import { FunctionWorker } from "../../src/functions/run-function.ts";
import { recordTarget } from "../../src/targets/record-target.ts";
import { createModel, type Model } from "@cloud-browser/page-content";
import type { FunctionRecord } from "../../src/functions/function-record.ts";
import { createRecord, TestBrowsers, type Place } from "./workplace.ts";
import { startStubModelServer, type StubModelServer } from "@cloud-browser/testing/model/stub-model-server.ts";
import type { StubTurn } from "@cloud-browser/testing/model/stub-turns.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

const before = page("<label>Term <input></label><button>Search</button>");
/** Names that nobody would take for the old ones, but people who see the page. */
const redesigned = page("<label>What are you after? <input></label><button>Go ahead</button>");
/** Names that say the same. */
const reworded = page("<label>Term <input></label><button>Search now</button>");
const without = page("<p>We have moved.</p>");

const prices = { input: "2", cachedInput: "2", cacheWrite: "2", output: "10" };

let currentPage = before;
let site: Site;
let browsers: TestBrowsers;
let record: FunctionRecord;
let stubs: StubModelServer[] = [];

/** A page that shows what was looked for. */
function page(controls: string): string {
  return `<title>Finder</title><h1>Finder</h1>${controls}<output>nothing yet</output>
    <script>document.querySelector("button")?.addEventListener("click", () => { document.querySelector("output").textContent = "found " + document.querySelector("input").value; });</script>`;
}

beforeAll(async () => {
  site = await startSite({
    "/": (_, response) => void response.setHeader("content-type", "text/html").end(currentPage),
  });
  browsers = await TestBrowsers.start();
  await using place = await browsers.openPlace();
  await place.page.goto(`${site.url}/`);
  const target = async (selector: string) => recordTarget(place.page.locator(selector));
  const generalization = generalize(
    [
      { action: "open", url: `${site.url}/` },
      { action: "fill", target: await target("input"), value: "tea" },
      { action: "click", target: await target("button") },
      { action: "extract", name: "found", what: { kind: "text" }, target: await target("output") },
    ],
    [{ name: "term", value: "tea" }],
  );
  record = createRecord([], generalization);
});

afterEach(async () => {
  currentPage = before;
  await Promise.all(stubs.map((stub) => stub.close()));
  stubs = [];
});

afterAll(async () => {
  await browsers[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** A model that answers with these turns; where they name an element, with its reference on the page that it is shown. */
async function startModel(...elements: readonly (string | null)[]): Promise<{ model: Model; stub: StubModelServer }> {
  const stub = await startStubModelServer((request, number): StubTurn => {
    const prompt = request.body.messages.map(({ content }) => content).join("\n");
    const line = prompt
      .split("\n")
      .find((one) => elements[number] && one.includes(elements[number]) && one.includes("[ref="));
    return { json: { ref: /\[ref=(\w+)\]/.exec(line ?? "")?.[1] ?? null }, usage: { input: 1000, output: 7 } };
  });
  stubs.push(stub);
  return { model: createModel({ baseUrl: stub.baseUrl, name: "stub", prices }), stub };
}

async function run(variables: Record<string, string>, model?: Model, of = record) {
  await using place: Place = await browsers.openPlace();
  const records: FunctionRecord[] = [];
  const worker = new FunctionWorker(of, variables, { model, keep: (healed) => records.push(healed) });
  const work = await worker.work("", place.workplace).catch((error: unknown) => error);
  return {
    result: work && typeof work === "object" && "data" in work ? work.data : work,
    records,
    cost: worker.cost(),
    events: place.events,
  };
}

describe("a step whose part is called a little different", () => {
  test("is done without a model, mended, and kept", async () => {
    currentPage = reworded;
    const { result, records, cost, events } = await run({ term: "coffee" });
    expect(result).toEqual({ found: "found coffee" });
    expect(cost).toBe("0");
    expect(records).toHaveLength(1);
    expect(JSON.stringify(events)).toContain('found as button \\"Search now\\"');
    const [healed] = records;
    const [, , click] = healed?.steps ?? [];
    expect(click).toMatchObject({
      target: {
        selectors: expect.arrayContaining([
          'internal:role=button[name="Search now"s]',
          'internal:role=button[name="Search"s]',
        ]) as unknown,
      },
    });
    expect(healed).toMatchObject({ function_id: record.function_id, variables: record.variables });
    expect(JSON.stringify(healed)).not.toContain("coffee");
    const again = await run({ term: "milk" }, undefined, healed);
    expect(again).toMatchObject({ result: { found: "found milk" }, records: [] });
  });

  test("is not kept when nothing had to be mended", async () => {
    expect(await run({})).toMatchObject({ result: { found: "found tea" }, records: [], cost: "0" });
  });
});

describe("a step whose part can't be recognized", () => {
  test("is healed by one call of the model for it, at its exact cost, and kept", async () => {
    currentPage = redesigned;
    const { model, stub } = await startModel("What are you after?", "Go ahead");
    const { result, records, cost } = await run({ term: "coffee" }, model);
    expect(result).toEqual({ found: "found coffee" });
    expect(stub.requests).toHaveLength(2); // one for the field, one for the button
    expect(cost).toBe("0.00414"); // 2 × (1000 × $2 + 7 × $10) / 1,000,000
    expect(records).toHaveLength(1);
    const again = await run({}, undefined, records[0]);
    expect(again).toMatchObject({ result: { found: "found tea" }, records: [], cost: "0" });
  });

  test("costs nothing while everything fits, though there is a model", async () => {
    const { model, stub } = await startModel();
    expect(await run({}, model)).toMatchObject({ result: { found: "found tea" }, records: [], cost: "0" });
    expect(stub.requests).toHaveLength(0);
  });

  test("fails when the model knows none either, after one call, and nothing is kept", async () => {
    currentPage = without;
    const { model, stub } = await startModel(null);
    const { result, records, cost } = await run({}, model);
    expect(result).toMatchObject({ code: "step_failed" });
    expect(stub.requests).toHaveLength(1);
    expect(records).toEqual([]);
    expect(cost).toBe("0.00207");
  });

  test("fails without a model, saying which step it was and what was seen", async () => {
    currentPage = redesigned;
    const { result, records } = await run({});
    expect(String(result)).toMatch(
      /step "fill textbox "Term"" does not fit the page any more: on the page "Finder" .* no element matches textbox "Term"; seen: .*"What are you after\?"/,
    );
    expect(records).toEqual([]);
  });

  test("keeps nothing when a later step fails all the same", async () => {
    currentPage = page("<label>Term <input></label><button>Search now</button>").replace("<output>", "<output hidden>");
    expect(await run({})).toMatchObject({ result: { code: "step_failed" }, records: [] });
  });
});
