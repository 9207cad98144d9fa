import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FunctionRecord } from "../../src/functions/function-record.ts";
import { startAutomationSite, type AutomationSite } from "@cloud-browser/testing/automation/site.ts";
import { recordShop } from "./recorded.ts";
import { TestBrowsers } from "./workplace.ts";

/** How many changed pages there are; a measurement takes 100. */
const count = Number(process.env["FUNCTION_LAYOUTS"] ?? 16);

let site: AutomationSite;
let browsers: TestBrowsers;
let shop: FunctionRecord;

beforeAll(async () => {
  site = await startAutomationSite();
  browsers = await TestBrowsers.start();
  await using place = await browsers.openPlace();
  shop = await recordShop(place, site.url);
});

afterAll(async () => {
  await browsers[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Reads what was done on the page to which elements, whatever they look like now. */
async function readChoices(page: Page): Promise<Record<string, unknown>> {
  return page.evaluate(() => {
    const find = (root: Document | ShadowRoot, selector: string): Element | undefined =>
      root.querySelector(selector) ??
      [...root.querySelectorAll("*")].flatMap((host) =>
        host.shadowRoot ? (find(host.shadowRoot, selector) ?? []) : [],
      )[0];
    const value = (truth: string): string | boolean | undefined => {
      const field = find(document, `[data-truth="${truth}"]`);
      if (field instanceof HTMLInputElement && field.type === "checkbox") return field.checked;
      return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field.value : undefined;
    };
    return {
      query: value("query"),
      category: value("category"),
      mail: value("mail"),
      remember: value("remember"),
      clicked: document.documentElement.dataset["clicked"],
    };
  });
}

/** Runs the function on a page that was changed; tells whether it did the same there, and how not. */
async function fits(seed: number): Promise<string> {
  await using place = await browsers.openPlace();
  await place.pooled.context.addInitScript(() => {
    addEventListener(
      "click",
      (event) => {
        const [element] = event.composedPath();
        const truth =
          element instanceof Element ? element.closest("[data-truth]")?.getAttribute("data-truth") : undefined;
        if (truth && truth !== "remember") {
          const { dataset } = document.documentElement;
          dataset["clicked"] = `${dataset["clicked"] ?? ""} ${truth}`;
        }
      },
      true,
    );
  });
  try {
    const open = { action: "open", url: `${site.url}/shop?seed=${seed}` } as const;
    const { data } = await place.run({ ...shop, steps: [open, ...shop.steps.slice(1)] });
    const choices = await readChoices(place.page);
    const expected = {
      query: "reading lamp",
      category: "Books",
      mail: "ada@example.org",
      remember: true,
      clicked: " search edit-1 oak",
    };
    expect(choices).toEqual(expected);
    expect(JSON.stringify(data["customers"])).toMatch(/(?=.*"Alice Moore")(?=.*"Bob Stone")(?=.*"Carol White")/);
    return "fits";
  } catch (error) {
    return `${seed}: ${String(error).slice(0, 300)}`;
  }
}

test(
  "a function fits at least 90 of 100 pages that were changed by chance, without a model",
  { timeout: 3_600_000 },
  async () => {
    const seeds = Array.from({ length: count }, (_, index) => index + 1);
    const results: string[] = [];
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) results.push(await fits(seed));
      }),
    );
    const wrong = results.filter((result) => result !== "fits");
    console.info(`${count - wrong.length} of ${count} changed pages fit`);
    expect(wrong.slice(Math.floor(count / 10))).toEqual([]);
  },
);
