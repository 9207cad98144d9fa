import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findNextPageLink } from "../../src/planner/next-page.ts";
import { TestBrowsers } from "../functions/workplace.ts";

let browsers: TestBrowsers;
let page: Page;
beforeAll(async () => {
  browsers = await TestBrowsers.start();
  ({ page } = await browsers.openPlace());
});
afterAll(() => browsers[Symbol.asyncDispose]());

test.each([
  ["its name", "<a href=/1>Next steps for you</a><a href=/2>More info</a><a href=/3 id=it>Next</a>"],
  ["a longer name", "<a href=/1 id=it>Next page »</a>"],
  ["what it is called for those who do not see it", "<a href=/1 id=it aria-label='Go to next page'>2</a>"],
  ["older posts", "<a href=/1>Newer posts</a><a href=/2 id=it>Older posts</a>"],
  ["a sign", "<a href=/1>‹</a> <a href=/2 id=it>›</a>"],
  ["what it declares", "<a href=/1>Next</a><a href=/2 rel='nofollow next' id=it>40–60</a>"],
  ["a button", "<button>Next of kin</button><button id=it>Next</button>"],
  ["one that is shown", "<a href=/1 hidden>Next</a><a href=/2 id=it>Next</a>"],
])("the link to the next page is found by %s", async (_, content) => {
  await page.setContent(content);
  const link = await findNextPageLink(page);
  expect(await link?.getAttribute("id")).toBe("it");
});

test.each(["<a href=/1>Next steps for you</a>", "<a href=/1>More about ferries</a>", "<button>Next of kin</button>"])(
  "%s leads elsewhere",
  async (content) => {
    await page.setContent(content);
    expect(await findNextPageLink(page)).toBeUndefined();
  },
);
