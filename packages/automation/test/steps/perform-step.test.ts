import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describePage } from "../../src/snapshot/describe-page.ts";
import type { Step } from "../../src/task/step.ts";
import { fillIn, escapeTemplate, listVariables } from "../../src/task/template.ts";
import type { BrowserPool } from "@cloud-browser/browsers";
import { account, startAutomationSite, type AutomationSite } from "@cloud-browser/testing/automation/site.ts";
import { products } from "@cloud-browser/testing/automation/product-pages.ts";
import { tableCases } from "@cloud-browser/testing/table-cases.ts";
import { openStepContext, startBrowsers, type TestStepContext } from "./step-context.ts";
import { click, fill, performAll, take, the } from "./steps.ts";

let site: AutomationSite;
let pool: BrowserPool;
let place: TestStepContext;

beforeAll(async () => {
  site = await startAutomationSite();
  pool = await startBrowsers();
  place = await openStepContext(pool, { secret: account.password, who: account.user, words: "lamp" });
});

afterAll(async () => {
  await pool.close();
  await site[Symbol.asyncDispose]();
});

async function perform(...steps: Step[]) {
  return performAll(place.context, ...steps);
}

const open = (path: string): Step => ({ action: "open", url: site.url + path });

describe("Steps", () => {
  it("sign in with variables, and never reveal the password", async () => {
    const filled = await perform(open("/login"), fill("User", "{{who}}"), fill("Password", "{{secret}}"));
    expect(filled.summary).toBe('Filled textbox "Password" with [redacted].');
    const { snapshot } = await describePage(place.page());
    expect(snapshot).not.toContain(account.password);
    expect(snapshot).toContain('textbox "User"');
    const { summary } = await perform(click("button", "Sign in"));
    expect(summary).toBe(`Clicked button "Sign in". Now on the page "Account" (${site.url}/account).`);
  });

  it("fill a long form", async () => {
    await perform(
      open("/form"),
      fill("Full name", 'Ada "L" {{who}}'),
      fill("E-mail", "ada@example.org"),
      { action: "fill", target: the("spinbutton", "Age"), value: "36" },
      fill("First day", "2026-12-01"),
      { action: "select", target: the("combobox", "Country"), option: "france" },
      { action: "check", target: the("radio", "Phone"), checked: true },
      { action: "check", target: the("checkbox", "I accept the terms"), checked: true },
      fill("About you", "Two\nlines"),
      { action: "press", key: "Tab" },
      click("button", "Send"),
    );
    const fields = await place.page().locator("dd").allTextContents();
    expect(fields).toEqual([
      'Ada "L" ada',
      "ada@example.org",
      "36",
      "2026-12-01",
      "fr",
      "phone",
      "yes",
      "Two\nlines",
      "(received)",
      "F-1",
    ]);
  });

  it("search by the Enter key, go back, and report the page", async () => {
    await perform(open("/"), open("/products"), fill("Search", "{{words}}"), {
      action: "press",
      key: "Enter",
      target: the("textbox", "Search"),
    });
    expect(place.page().url()).toContain("q=lamp");
    const { summary } = await perform({ action: "back" });
    expect(summary).toBe(`Went back to the page "Products" (${site.url}/products).`);
  });

  it("go on in the page that a link opens, and back from it", async () => {
    const { summary } = await perform(open("/popup"), click("link", "Open a tab"));
    expect(summary).toContain(`Now on another page of the session: the page "Opened" (${site.url}/opened).`);
    expect((await perform({ action: "back" })).summary).toContain('went back to the page "Popup"');
  });

  it("act in frames and shadow roots", async () => {
    await perform(open("/frames"), {
      action: "click",
      target: {
        selectors: ['iframe[title="Second"] >> internal:control=enter-frame >> internal:role=button[name="Press"s]'],
        label: "button",
      },
    });
    expect(await place.page().frames()[2]?.locator("button").textContent()).toBe("Done");
    await perform(open("/shadow"), fill("Note", "x"), click("button", "Keep"));
    expect(await place.page().locator("#out").textContent()).toBe("kept x");
  });

  it("check boxes and select in lists that a page draws itself", async () => {
    const { summary } = await perform(
      open("/boxes"),
      { action: "check", target: the("checkbox", "Drawn"), checked: true },
      { action: "select", target: the("combobox", "Colour"), option: "blue" },
    );
    expect(summary).toBe('Selected "Blue" in combobox "Colour".');
    expect(await place.page().getByRole("checkbox").isChecked()).toBe(true);
    expect(await place.page().title()).toBe("blue");
  });

  it("scroll, and report how far", async () => {
    expect((await perform(open("/long"), { action: "scroll", to: "down" })).summary).toMatch(
      /^Scrolled down: \d+ % of it is above\.$/,
    );
    expect((await perform({ action: "scroll", to: "bottom" })).summary).toBe("Scrolled bottom: the end is reached.");
    expect((await perform({ action: "scroll", to: "down" })).summary).toBe("The page can't be scrolled further down.");
    expect((await perform({ action: "scroll", to: the("button", "At the end") })).summary).toBe(
      'Scrolled to button "At the end".',
    );
  });

  it("wait for texts, parts and times", async () => {
    expect((await perform(open("/late"), { action: "wait", for: { text: "and words" } })).summary).toBe(
      'The text "and words" appeared.',
    );
    expect((await perform(open("/late"), { action: "wait", for: the("button", "Late one") })).summary).toBe(
      'button "Late one" appeared.',
    );
    expect((await perform({ action: "wait", for: { seconds: 0.01 } })).summary).toBe("Waited for 0.01 s.");
  });

  it("wait for the answers to what they set off", async () => {
    await perform(open("/fetches"), click("button", "Fetch"));
    expect(await place.page().title()).toBe("Fetched");
  });

  it("take no similar element where the name is all that is known", async () => {
    await place.page().setContent("<button onclick='document.title = 1'>Order now</button>");
    const context = { ...place.context, allowSimilar: false };
    await expect(performAll(context, click("button", "Order"))).rejects.toMatchObject({ code: "step_failed" });
    expect(await place.page().title()).toBe("");
  });

  it("report when they found an element by similarity", async () => {
    const { summary } = await perform(open("/names"), click("button", "Learn more now"));
    expect(summary).toBe(
      `Clicked button "Learn more now". It was found as link "Learn more". Now on the page "Opened" (${site.url}/opened).`,
    );
  });
});

describe("Extractions", () => {
  it.each(tableCases)("take $about", async ({ html, headers, rows }) => {
    await place.page().setContent(html);
    const { data } = await perform(take({ kind: "table" }));
    const columns = headers.map((header, column) => header || `Column ${column + 1}`);
    expect(data).toEqual(rows.map((row) => Object.fromEntries(columns.map((header, at) => [header, row[at]]))));
  });

  it("take a table of a page that lets nothing be evaluated", async () => {
    await place.page().route("**/strict", async (route) =>
      route.fulfill({
        contentType: "text/html",
        headers: { "content-security-policy": "default-src 'none'; require-trusted-types-for 'script'" },
        body: "<table><tr><th>Pier<th>Boat</tr><tr><td>3<td>Ada</tr></table>",
      }),
    );
    const { data } = await perform(open("/strict"), take({ kind: "table" }));
    expect(data).toEqual([{ Pier: "3", Boat: "Ada" }]);
  });

  it.each<readonly [sentence: string, path: string, step: Step, data: unknown]>([
    [
      "take the largest table, with headers over several rows, without its sums",
      "/lists",
      take({ kind: "table" }),
      [
        { Town: "Rome", "People Old": "1", "People Old 2": "2" },
        { Town: "Oslo", "People Old": "3", "People Old 2": "3" },
      ],
    ],
    [
      "take the table of a target",
      "/lists",
      take({ kind: "table" }, { target: the("table", "Small") }),
      [{ A: "1", B: "2" }],
    ],
    [
      "wait for a table that comes late",
      "/products-app",
      take({ kind: "table" }),
      [{ Name: "Thing 1" }, { Name: "Thing 2" }],
    ],
    ["take the list of the main content", "/lists", take({ kind: "list" }), ["Apple", "Pear"]],
    ["take a list in a frame", "/frames", take({ kind: "list" }), ["in frame one", "in frame two"]],
    ["take the text of the page as Markdown", "/opened", take({ kind: "text" }), "# Opened\n\nA page of its own."],
    [
      "take data that a page declares",
      "/product",
      take({
        kind: "data",
        schema: {
          type: "object",
          properties: { name: { type: "string" }, price: { type: "number" } },
          required: ["name", "price"],
        },
      }),
      { name: "Blue lamp", price: 49.9 },
    ],
  ])("%s", async (_, path, step, data) => {
    expect((await perform(open(path), step)).data).toEqual(data);
  });

  it("take all elements of a kind, in their order, and not what is hidden", async () => {
    await place
      .page()
      .setContent(
        "<header><h1>Tea</h1></header><main><h2>Green <b>tea</b></h2><p>4.20</p><h2 hidden>Gone</h2><h3>Mint</h3><p>3.10</p><button>Buy</button><input type=submit value=Send></main><iframe srcdoc='<h2>News</h2>'></iframe>",
      );
    for (const [of, texts] of [
      ["headings", ["Tea", "Green tea", "Mint", "News"]],
      ["paragraphs", ["4.20", "3.10"]],
      ["buttons", ["Buy", "Send"]],
    ] as const) {
      const { data, summary } = await perform(take({ kind: "elements", of }));
      expect(data).toEqual(texts);
      expect(summary).toContain(`: ${texts.length} ${of}. These are all ${texts.length} ${of} of the page.`);
    }
  });

  it("take links with absolute addresses", async () => {
    expect((await perform(open("/lists"), take({ kind: "links" }))).data).toEqual([
      { text: "this page", url: `${site.url}/opened?x=1` },
    ]);
  });

  it("follow no more pages than asked for, and report that there are more", async () => {
    const { data, summary } = await perform(
      open("/products"),
      take({ kind: "table" }, { nextPage: { target: the("link", "Next"), most: 2 } }),
    );
    expect(data).toEqual(products.slice(0, 10));
    expect(summary).toContain('Page limit of the step (2) reached; there are more pages: link "Next" is still shown.');
  });

  it("follow a button until it is disabled, where the address stays", async () => {
    const next = { target: the("button", "Next"), most: 9 };
    const { data } = await perform(open("/products-app"), take({ kind: "table" }, { nextPage: next }));
    expect(data).toEqual([1, 2, 3, 4, 5, 6].map((number) => ({ Name: `Thing ${number}` })));
  });

  it("end when pages come again", async () => {
    const next = { target: the("link", "Next"), most: 9 };
    expect((await perform(open("/circle"), take({ kind: "list" }, { nextPage: next }))).data).toEqual(["one", "two"]);
  });
});

describe("Templates", () => {
  it("hold variables and braces", () => {
    expect(fillIn('{{a}} {{"{{"}}a}} {{ a }}', new Map([["a", "{{b}}"]]))).toBe("{{b}} {{a}} {{ a }}");
    expect(fillIn(escapeTemplate("{{a}} {{{"), new Map())).toBe("{{a}} {{{");
    expect(listVariables('{{a}} {{b}} {{a}} {{"{{"}}c}}')).toEqual(["a", "b"]);
    expect(() => fillIn("{{c}}", new Map([["a", "secret"]]))).toThrow(
      expect.objectContaining({ code: "unknown_variable" }),
    );
  });
});

describe("A description of a page", () => {
  it("is cut by depth when it is too long, and says so", async () => {
    await perform(open("/long"));
    const whole = await describePage(place.page());
    expect(whole).toMatchObject({ title: "Long", url: `${site.url}/long`, cut: undefined });
    const short = await describePage(place.page(), { maxCharacters: 500 });
    expect(short.snapshot.length).toBeLessThanOrEqual(500);
    expect(short.cut).toMatch(/^\d+ lines were omitted; /);
  });

  it("is of one part, when asked for", async () => {
    await perform(open("/frames"));
    const { snapshot } = await describePage(place.page());
    const ref = /list \[ref=(\w+)\]/.exec(snapshot)?.[1] ?? "";
    const part = await describePage(place.page(), { scope: ref });
    expect(part.snapshot.split("\n").map((line) => line.replace(/ \[ref=\w+\]/, ""))).toEqual([
      "- list:",
      "  - listitem: in frame one",
      "  - listitem: in frame two",
    ]);
  });
});
