import { afterAll, beforeAll, expect, test } from "vitest";
import type { Step } from "../../src/task/step.ts";
import type { BrowserPool } from "@cloud-browser/browsers";
import { startAutomationSite, type AutomationSite } from "@cloud-browser/testing/automation/site.ts";
import { products } from "@cloud-browser/testing/automation/product-pages.ts";
import { openStepContext, startBrowsers, type TestStepContext } from "./step-context.ts";
import { click, performAll, take, the } from "./steps.ts";

let site: AutomationSite;
let pool: BrowserPool;
let place: TestStepContext;

beforeAll(async () => {
  site = await startAutomationSite();
  pool = await startBrowsers();
  place = await openStepContext(pool);
});

afterAll(async () => {
  await pool.close();
  await site[Symbol.asyncDispose]();
});

async function perform(...steps: Step[]) {
  return performAll(place.context, ...steps);
}

const open = (path: string): Step => ({ action: "open", url: site.url + path });

test("steps go on in the page that a button opens, and back from it", async () => {
  const { summary } = await perform(open("/popup"), click("button", "Open a window"));
  expect(summary).toContain(`Now on another page of the session: the page "Opened" (${site.url}/opened).`);
  expect((await perform({ action: "back" })).summary).toContain('went back to the page "Popup"');
});

test.each<readonly [sentence: string, path: string, step: Step, data: unknown]>([
  [
    "take the table of that name",
    "/lists",
    { action: "extract", name: "small", what: { kind: "table" } },
    [{ A: "1", B: "2" }],
  ],
  ["take a list in a shadow root", "/shadow", take({ kind: "list" }), ["shaded one", "shaded two"]],
  ["take the text of a target", "/names", take({ kind: "text" }, { target: the("button", "Sign up") }), "Sign up"],
])("an extraction can %s", async (_, path, step, data) => {
  expect((await perform(open(path), step)).data).toEqual(data);
});

test("an extraction follows links to the next page as far as it goes", async () => {
  const { data, summary } = await perform(
    open("/products"),
    take({ kind: "table" }, { nextPage: { target: the("link", "Next"), most: 9 } }),
  );
  expect(data).toEqual(products);
  expect(summary).toBe("Extracted result: 23 rows of 5 pages. These are all 23 rows of 5 pages.");
});

test("an extraction ends when a page repeats itself", async () => {
  const next = { target: the("link", "Next"), most: 9 };
  expect((await perform(open("/repeats"), take({ kind: "table" }, { nextPage: next }))).data).toEqual([
    { Name: "Same" },
  ]);
});
