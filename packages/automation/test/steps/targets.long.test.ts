import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { locateTarget } from "../../src/targets/find-target.ts";
import { describePage } from "../../src/snapshot/describe-page.ts";
import { recordTarget, recordTargetByRef } from "../../src/targets/record-target.ts";
import type { StepTarget } from "../../src/task/step.ts";
import type { BrowserPool } from "@cloud-browser/browsers";
import { startAutomationSite, type AutomationSite } from "@cloud-browser/testing/automation/site.ts";
import { shopTargets, findTruth } from "./shop-targets.ts";
import { openStepContext, startBrowsers, type TestStepContext } from "./step-context.ts";

const none = new Map<string, string>();
let site: AutomationSite;
let pool: BrowserPool;
let place: TestStepContext;

beforeAll(async () => {
  site = await startAutomationSite();
  pool = await startBrowsers();
  place = await openStepContext(pool);
}, 60_000);

afterAll(async () => {
  await pool.close();
  await site[Symbol.asyncDispose]();
});

async function open(path: string): Promise<void> {
  await place.page().goto(site.url + path, { waitUntil: "domcontentloaded" });
}

describe("Targets of the original page", () => {
  let targets: [truth: string, target: StepTarget][];
  beforeAll(async () => {
    targets = await shopTargets(place.page(), site.url);
  }, 60_000);

  it("have several selectors, role and name in their form first, and say what they are", () => {
    const search = targets.find(([truth]) => truth === "search")?.[1];
    expect(search?.label).toBe('button "Search"');
    expect(search?.selectors.slice(0, 2)).toEqual([
      'internal:role=search >> internal:role=button[name="Search"s]',
      'internal:role=button[name="Search"s]',
    ]);
    expect(search?.selectors).toContain('internal:testid=[data-testid="search-button"s]');
  });

  it.each(Array.from({ length: 10 }, (_, layout) => layout))(
    "lead to the same elements in layout %i",
    async (layout) => {
      await open(`/shop?layout=${layout}`);
      const [query, search, edit, oak] = ["query", "search", "edit-1", "oak"];
      for (const [truth, target] of targets.filter(([name]) => [query, search, edit, oak].includes(name))) {
        expect(await findTruth(place.page(), target)).toMatchObject({ truth });
      }
    },
    30_000,
  );
});

describe("A target", () => {
  it.each<readonly [sentence: string, path: string, selector: string]>([
    ["of a name with quotes, backslashes, >> and braces", "/names", "button:has-text('Say')"],
    ["of an element that is only text", "/names", "div[onclick]"],
    [
      "of an element in a frame that has a twin in another frame",
      "/frames",
      "iframe >> nth=1 >> internal:control=enter-frame >> button",
    ],
    ["of an element in a shadow root", "/shadow", "x-card button"],
    ["of one of two forms that are the same", "/twins", "button >> nth=1"],
    ["of a field with a label around it", "/form", "[name=terms]"],
  ])(
    "%s leads back to it by each of its selectors",
    async (_, path, selector) => {
      await open(path);
      const element = place.page().locator(selector);
      const target = await recordTarget(element);
      expect(target.selectors.length).toBeGreaterThan(0);
      for (const one of target.selectors) {
        const { locator: match } = await locateTarget(place.page(), { ...target, selectors: [one] }, none, {
          timeoutMs: 0,
        });
        const handle = await element.elementHandle();
        expect(await match.evaluate((node, other) => node === other, handle)).toBe(true);
      }
    },
    30_000,
  );

  it("is made of a reference, and other references stay valid", async () => {
    await open("/form");
    const { snapshot } = await describePage(place.page());
    const getRef = (line: string): string => new RegExp(`${line}.*\\[ref=(\\w+)\\]`).exec(snapshot)?.[1] ?? "";
    expect((await recordTargetByRef(place.page(), getRef('textbox "Full name"'))).label).toBe('textbox "Full name"');
    expect((await recordTargetByRef(place.page(), getRef('button "Send"'))).label).toBe('button "Send"');
    await expect(recordTargetByRef(place.page(), "e9999")).rejects.toMatchObject({
      code: "step_failed",
      message: "no element has the reference e9999 any more; read the page again",
    });
  });

  it("is not made of several elements", async () => {
    await open("/twins");
    await expect(recordTarget(place.page().locator("button"))).rejects.toMatchObject({ code: "step_failed" });
  });

  it("means the one in the open dialog", async () => {
    await open("/dialog");
    const { locator: element } = await locateTarget(place.page(), { selectors: ["button"], label: "button" }, none);
    await element.click();
    expect(await place.page().locator("#out").textContent()).toBe("dialog");
  });

  it("is waited for while the page changes", async () => {
    await open("/late");
    const { locator: element } = await locateTarget(
      place.page(),
      { selectors: ['internal:role=button[name="Late one"s]'], label: 'button "Late one"' },
      none,
    );
    expect(await element.textContent()).toBe("Late one");
  });

  it("with a value that has quotes, backslashes and >> is found", async () => {
    await open("/names");
    const target = {
      selectors: [
        'internal:role=button[name="Say {{what}} {{"{{"}}x}}"s]',
        'internal:role=button[name="Say {{what}} {{\\"{{\\"}}x}}"s]',
      ],
      label: "button",
    };
    const { locator: element } = await locateTarget(
      place.page(),
      { ...target, selectors: target.selectors.slice(1) },
      new Map([["what", `"it's" \\ a >> b`]]),
    );
    expect(await element.textContent()).toContain("Say");
  });

  it.each<readonly [sentence: string, path: string, target: StepTarget, message: string]>([
    [
      "that is not there names what is",
      "/names",
      { selectors: ['internal:role=button[name="Sign in"s]'], label: 'button "Sign in"' },
      'no element matches button "Sign in"; seen: button "Sign up", ',
    ],
    [
      "that two things fit says so",
      "/twins",
      { selectors: ['internal:role=button[name="Go"s]'], label: 'button "Go"' },
      'button "Go" is ambiguous: 2 elements match',
    ],
    [
      "that two things are like says so",
      "/twins",
      { selectors: ['internal:role=button[name="Go there"s]'], label: 'button "Go there"' },
      'no element matches button "Go there"; seen: button "Go"',
    ],
    [
      "does not follow an id that another element has now",
      "/names",
      { selectors: ['internal:role=button[name="Save"s]', "button >> nth=0"], label: 'button "Save"' },
      'no element matches button "Save"',
    ],
    [
      "with a selector that can't be read says so",
      "/names",
      { selectors: ["nope["], label: "x" },
      'malformed selector "nope["',
    ],
    [
      "with a variable that has no value says so",
      "/names",
      { selectors: ['text="{{who}}"'], label: "x" },
      'missing value of variable "who"',
    ],
  ])("%s", async (_, path, target, message) => {
    await open(path);
    await expect(locateTarget(place.page(), target, none, { timeoutMs: 100 })).rejects.toThrow(message);
  });

  it("matches only a similar element, and describes it", async () => {
    await open("/names");
    const changed = { selectors: ['internal:role=button[name="Learn more now"s]'], label: 'button "Learn more now"' };
    const { foundAs } = await locateTarget(place.page(), changed, none, { timeoutMs: 0 });
    expect(foundAs).toBe('link "Learn more"');
    const exactly = locateTarget(place.page(), changed, none, { timeoutMs: 0, allowSimilar: false });
    await expect(exactly).rejects.toMatchObject({ code: "step_failed" });
  });
});
