import { afterAll, beforeAll, expect, test } from "vitest";
import { startSite } from "@cloud-browser/testing/site.ts";
import { Planner } from "../../src/planner/planner.ts";
import { choiceCases } from "./choice-cases.ts";
import { moreChoiceCases } from "./more-choice-cases.ts";
import { createRecord, TestBrowsers } from "./workplace.ts";

let browsers: TestBrowsers;

beforeAll(async () => {
  browsers = await TestBrowsers.start();
});

afterAll(async () => {
  await browsers[Symbol.asyncDispose]();
});

/** Tells in the title what was clicked. */
const teller = `<script>document.addEventListener("click", ({ target }) => {
  const part = target.closest("[aria-label], li, [role], button, a, td, div, span");
  if (part) document.title = part.getAttribute("aria-label") || part.textContent;
})</script>`;

test.each([...choiceCases, ...moreChoiceCases])(
  "what a task names is a variable, what a page always has is none: %s",
  async (...row) => {
    const [, html, task, value, other] = row;
    await using site = await startSite({ "/": `<!doctype html><main>${html}</main>${teller}` });
    await using place = await browsers.openPlace();
    const work = await new Planner().work(`Open ${site.url}, ${task}`, place.workplace);
    const typed = new Set([...task.matchAll(/ with "([^"]*)"/g)].map(([, text]) => text));
    const choices = work.variables.filter((one) => one.value !== null && !typed.has(one.value));
    expect(choices.map((one) => one.value)).toEqual(value === undefined ? [] : [value]);
    const [variable] = choices;
    if (variable === undefined || other === "") return;
    await using again = await browsers.openPlace();
    await again.run(createRecord([], work), { [variable.name]: other });
    const boxes = await again.page
      .locator("input:checked")
      .evaluateAll((found) => found.map((box) => box.closest("label")?.textContent ?? box.getAttribute("aria-label")));
    expect([await again.page.title(), ...boxes].join("|")).toContain(other);
  },
);
