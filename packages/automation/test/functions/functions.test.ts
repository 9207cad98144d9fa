import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AutomationError } from "../../src/automation-error.ts";
import type { Step } from "../../src/task/step.ts";
import type { FunctionRecord } from "../../src/functions/function-record.ts";
import { account, startAutomationSite, type AutomationSite } from "@cloud-browser/testing/automation/site.ts";
import { products } from "@cloud-browser/testing/automation/product-pages.ts";
import { recordForm, recordLogin, recordSearch } from "./recorded.ts";
import { Place, createRecord, TestBrowsers } from "./workplace.ts";

let site: AutomationSite;
let browsers: TestBrowsers;
let session: Place;
/** A session that the tests of the file share, with the events of the current test. */
let place: Place;
let search: FunctionRecord;
let login: FunctionRecord;
let form: FunctionRecord;

beforeAll(async () => {
  site = await startAutomationSite();
  browsers = await TestBrowsers.start();
  const record = async (how: (where: Place, url: string) => Promise<FunctionRecord>): Promise<FunctionRecord> => {
    await using recordingPlace = await browsers.openPlace();
    return await how(recordingPlace, site.url);
  };
  [search, login, form] = await Promise.all([record(recordSearch), record(recordLogin), record(recordForm)]);
  session = await browsers.openPlace();
});

beforeEach(() => {
  place = new Place(session.pooled, session.activePage);
});

afterAll(async () => {
  await browsers[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("a function", () => {
  test("fills what it was given and what it was recorded with literally, whatever signs are in it", async () => {
    const name = "{{about}} <b> $& `${x}`";
    const { data } = await place.run(form, { name, country: "Germany" });
    expect(data["received"]).toEqual(
      [
        `fullName: ${name}`,
        "mail:",
        "age:",
        "day: 2026-12-01",
        "country: de",
        "contact: phone",
        "terms: yes",
        'about: Says "hello" to {{you}} & \\ others',
        "code:",
        "locked:",
      ].map((line) => expect.stringContaining(line) as unknown),
    );
  });

  test("reads all pages of a table again with another value, and emits each step as it happens, then the answer", async () => {
    const work = await place.run(search, { term: "Shelf" });
    expect(work).toMatchObject({
      data: { results: products.filter(({ Name }) => Name.startsWith("Shelf")) },
      name: "search_products",
      steps: search.steps,
      variables: search.variables,
      task: search.query,
    });
    const events = place.events.map((event) => (event.type === "tool_start" ? event.name : event.type));
    const tools = ["open_page", "fill", "click", "extract"].flatMap((name) => [name, "tool_result"]);
    expect(events).toEqual([...tools, "text_delta", "message_complete"]);
    expect(place.events.at(-2)).toEqual({ type: "text_delta", delta: work.answer });
  });

  test("encodes values in addresses behind the host only", async () => {
    const steps: Step[] = [
      { action: "open", url: "{{site}}/products?q={{term}}&page=1" },
      { action: "extract", name: "results", what: { kind: "table" } },
    ];
    const variables = [
      { name: "site", value: site.url },
      { name: "term", value: "a&page=2" },
    ];
    await place.run(createRecord(steps, { variables }));
    expect(site.requests.at(-1)).toBe("GET /products?q=a%26page%3D2&page=1");
  });

  test("ends promptly when it is aborted", async () => {
    const record = createRecord([{ action: "wait", for: { seconds: 3_600 } }]);
    const run = place.run(record);
    await expect.poll(() => place.events.length).toBe(1);
    place.stop.abort(new Error("called off"));
    await expect(run).rejects.toThrow("called off");
  });
});

/** Finds how a run fails before anything is done. */
async function findFailure(record: FunctionRecord, variables: Record<string, string>): Promise<AutomationError> {
  const error: unknown = await place.run(record, variables).catch((thrown: unknown) => thrown);
  expect(place.events).toEqual([]);
  if (!(error instanceof AutomationError)) throw new Error("it did not fail as it should", { cause: error });
  return error;
}

describe("variables", () => {
  test("that are missing are named before anything is done", async () => {
    const error = await findFailure(login, {});
    expect(error.code).toBe("unknown_variable");
    expect(error.message).toMatch(/missing value for "password"/);
  });

  test("that it does not have are named, with those that it has", async () => {
    const error = await findFailure(search, { trem: "tea" });
    expect(error.code).toBe("unknown_variable");
    expect(error.message).toMatch(/unknown variable "trem"; it has "term"/);
  });

  test("that only its steps name are needed, too", async () => {
    const record = createRecord([{ action: "open", url: "{{somewhere}}" }]);
    expect((await findFailure(record, {})).message).toContain('"somewhere"');
  });
});

describe("a secret", () => {
  test("is not in the record, and works when it is given", async () => {
    expect(JSON.stringify(login.steps)).not.toContain(account.password);
    expect(login.variables).toEqual([
      { name: "password", value: null },
      { name: "user", value: "ada" },
    ]);
    const { data } = await place.run(login, { password: account.password });
    expect(data["orders"]).toEqual(["Order 17: two lamps", "Order 23: one chair"]);
    expect(JSON.stringify(place.events)).not.toContain(account.password);
  });

  test("is redacted when a field shows it, a page repeats it, or a step fails on it", async () => {
    const secret: FunctionRecord = {
      ...form,
      steps: form.steps.map((step) =>
        step.action === "fill" && step.value === "{{about}}" ? { ...step, value: "{{code}}" } : step,
      ),
      variables: [...form.variables.filter(({ name }) => name !== "about"), { name: "code", value: null }],
    };
    const { data, answer } = await place.run(secret, { code: "hunter-2" });
    expect(site.requests).toContain("POST /form/sent");
    expect(data["received"]).toContain("about: •••");
    expect(JSON.stringify([data, answer, place.events])).not.toContain("hunter-2");
    const missing: Step = {
      action: "click",
      target: { selectors: ['internal:role=button[name="{{code}}"s]'], label: 'button "{{code}}"' },
    };
    const failing = place.run({ ...secret, steps: [missing] }, { code: "hunter-2" });
    const error: unknown = await failing.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "step_failed", message: expect.stringContaining('button "•••"') as unknown });
    expect(inspect(error, { depth: null })).not.toContain("hunter-2");
  });
});
