import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { BrowserPool } from "@cloud-browser/browsers";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { performStep } from "../../src/steps/perform-step.ts";
import type { Step } from "../../src/task/step.ts";
import { openStepContext, startBrowsers, type TestStepContext } from "./step-context.ts";
import { click, fill, take, the } from "./steps.ts";

let pool: BrowserPool;
let place: TestStepContext;
let site: Site;

const events = JSON.stringify(["click", "input", "change", "keydown", "scroll"]);
const shop = `<title>Shop</title>
  <button>Buy</button> <input aria-label="Name"> <label><input type="checkbox">Gift</label>
  <select aria-label="Size"><option>S</option><option>L</option></select>
  <table><tr><th>Tea</th><th>Price</th></tr><tr><td>Green</td><td>3</td></tr></table>
  <a href="/next">Next</a> <div style="height: 3000px"></div> <button>Far</button>
  <script>acted = []; for (const name of ${events}) addEventListener(name, () => acted.push(name), true)</script>`;

beforeAll(async () => {
  pool = await startBrowsers();
  place = await openStepContext(pool);
  site = await startSite({ "/before": "<title>Before</title>", "/shop": shop });
});
afterAll(async () => {
  await pool.close();
  await site[Symbol.asyncDispose]();
});

const pages: Step = take({ kind: "table" }, { nextPage: { target: the("link", "Next"), most: 3 } });

test.each<[string, () => Step]>([
  ["open", () => ({ action: "open", url: `${site.url}/next` })],
  ["back", () => ({ action: "back" })],
  ["click", () => click("button", "Buy")],
  ["fill", () => fill("Name", "Ada")],
  ["select", () => ({ action: "select", target: the("combobox", "Size"), option: "L" })],
  ["check", () => ({ action: "check", target: the("checkbox", "Gift"), checked: true })],
  ["press", () => ({ action: "press", key: "a", target: the("textbox", "Name") })],
  ["press on the page", () => ({ action: "press", key: "a" })],
  ["scroll", () => ({ action: "scroll", to: "bottom" })],
  ["scroll to", () => ({ action: "scroll", to: the("button", "Far") })],
  ["extract from the next page", () => pages],
])("%s does not happen when the run may not act any more", async (_, step) => {
  site.requests.length = 0;
  await performStep({ action: "open", url: `${site.url}/before` }, place.context);
  await performStep({ action: "open", url: `${site.url}/shop` }, place.context);
  const over = new Error("the run is over");
  const run = new AbortController();
  const onAction = (): void => {
    run.abort(over);
    throw over;
  };
  await expect(performStep(step(), { ...place.context, signal: run.signal, onAction })).rejects.toBe(over);
  expect(site.requests).not.toContain("/next");
  expect(await place.page().evaluate("[document.title, acted.join()]")).toEqual(["Shop", ""]);
});

test("a popup that has no page before it stays open when the run may not act any more", async () => {
  await using own = await openStepContext(pool);
  await performStep({ action: "open", url: `${site.url}/shop` }, own.context);
  const opener = own.page();
  const [popUp] = await Promise.all([opener.waitForEvent("popup"), opener.evaluate("void open('/before')")]);
  await popUp.waitForLoadState();
  await vi.waitFor(() => expect(own.page()).toBe(popUp), { timeout: 20_000 });
  const over = new Error("the run is over");
  let actions = 0;
  const onAction = (): void => {
    actions += 1;
    if (actions < 2) return;
    own.abort.abort(over);
    throw over;
  };
  await expect(performStep({ action: "back" }, { ...own.context, onAction })).rejects.toBe(over);
  expect(popUp.isClosed()).toBe(false);
});
