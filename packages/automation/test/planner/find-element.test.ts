import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findElement, type ElementKind } from "../../src/planner/finding/find-element.ts";
import { TestBrowsers } from "../functions/workplace.ts";

let browsers: TestBrowsers;
let page: Page;
beforeAll(async () => {
  browsers = await TestBrowsers.start();
  ({ page } = await browsers.openPlace());
});
afterAll(() => browsers[Symbol.asyncDispose]());

/** Looks once: the page does not change any more. */
async function find(content: string, kind: ElementKind, name: string): Promise<string | null> {
  await page.setContent(content);
  const element = await findElement(page, kind, name, new AbortController().signal, { timeoutMs: 0 });
  return element.getAttribute("id");
}

describe("a name that fits several parts of a page", () => {
  const unclear: readonly [string, string, ElementKind, string][] = [
    ["buttons of one name", "<p>Ann <button>Delete</button><p>Bob <button>Delete</button>", "clickable", "Delete"],
    ["names with icons", "<button>Save ✓</button><button>→ Save</button>", "clickable", "Save"],
    ["fields", "<label>Name <input></label><label>Name <input></label>", "field", "Name"],
    [
      "choices",
      "<form><label><input type=radio>Red</label></form><form><label><input type=radio>Red</label></form>",
      "choice",
      "Red",
    ],
    [
      "links to several places",
      "<a href=http://a.example/1>More</a><a href=http://a.example/2>More</a>",
      "clickable",
      "More",
    ],
  ];
  test.each(unclear)("does not say which is meant: %s", async (_, content, kind, name) => {
    await expect(find(content, kind, name)).rejects.toThrow(`ambiguous target: 2 elements named "${name}" on the page`);
  });

  const clear: readonly [string, string, ElementKind, string][] = [
    ["the whole name", "<button>Save draft</button><button id=it>Save</button>", "clickable", "Save"],
    [
      "a dialog in front",
      "<button>Delete</button><dialog open><button id=it>Delete</button></dialog>",
      "clickable",
      "Delete",
    ],
    ["what can be used", "<button disabled>Buy</button><button id=it>Buy</button>", "clickable", "Buy"],
    [
      "what takes a text",
      "<form aria-label=Search><input id=it aria-label=Search><button aria-label=Search>?</button></form>",
      "field",
      "Search",
    ],
    [
      "links to one place",
      "<a id=it href=http://a.example/2>Next</a><p>…</p><a href=http://a.example/2>Next</a>",
      "clickable",
      "Next",
    ],
    ["an apostrophe", "<button>Do ask</button><button id=it>Don't ask</button>", "clickable", "Don't ask"],
    [
      "an apostrophe of another form",
      "<label><input type=checkbox id=it>I don’t agree</label>",
      "choice",
      "I don't agree",
    ],
    ["quotation marks", '<button id=it>Say "hi", `you`</button>', "clickable", 'Say "hi", `you`'],
    ["signs of selectors", "<a href=/2 id=it>Next &gt;&gt;</a>", "clickable", "Next >>"],
  ];
  test.each(clear)("means one of them: %s", async (_, content, kind, name) => {
    expect(await find(content, kind, name)).toBe("it");
  });
});

test("a name is neither a part of a word nor a part of a longer name", async () => {
  const choices = "<label><input type=checkbox id=it>Allow 推送通知</label>";
  for (const name of ["all", "allow", "通知"]) {
    await expect(find(choices, "choice", name)).rejects.toThrow(
      `no checkbox or radio button named "${name}" on the page "" (about:blank); there is checkbox "Allow 推送通知"`,
    );
  }
  expect(await find(choices, "choice", "allow 推送通知")).toBe("it");
});
