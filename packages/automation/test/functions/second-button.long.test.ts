import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeFunctionSource } from "../../src/functions/function-source.ts";
import { Planner } from "../../src/planner/planner.ts";
import type { FunctionRecord } from "../../src/functions/function-record.ts";
import { createRecord, TestBrowsers } from "./workplace.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let site: Site;
let browsers: TestBrowsers;
let folder: string;
/** What stands before everything else on the pages. */
let before = "";

const form = (says: string, field: string): string =>
  `<form onsubmit="event.preventDefault(); const { elements: e } = this; o.textContent = ${says}">
    <label>Name <input name=${field}1></label> <label>Size <select name=${field}2><option>small<option>large</select></label>
    <label><input type=checkbox name=${field}3>Agree</label> <button>Save</button></form>`;

const pages: Readonly<Record<string, string>> = {
  "/form": `${form("[e[0].value, e[1].value, e[2].checked]", "own")}<output id=o></output>`,
  "/search": `<form onsubmit="event.preventDefault(); o.textContent = this.elements[0].value"><input type=search name=term aria-label=Search></form><output id=o></output>`,
  "/dialog": `<dialog open><p>Sure?</p><button onclick="o.textContent = 'deleted'">Delete</button></dialog><output id=o></output>`,
};

beforeAll(async () => {
  site = await startSite(
    Object.fromEntries(
      Object.entries(pages).map(([path, html]) => [
        path,
        (_, response) => void response.setHeader("content-type", "text/html").end(before + html),
      ]),
    ),
  );
  browsers = await TestBrowsers.start();
  folder = await mkdtemp(join(tmpdir(), "functions-test-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await browsers[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const readOutput = (page: Page): Promise<string | null> => page.locator("#o").textContent();

/** Runs the source of a function, and the function, and reads what the page shows after each. */
async function runBoth(record: FunctionRecord): Promise<readonly (string | null)[]> {
  const file = join(folder, `${crypto.randomUUID()}.mjs`);
  await writeFile(file, stripTypeScriptTypes(writeFunctionSource(record)));
  const loaded: Readonly<Record<string, (page: Page) => Promise<unknown>>> = await import(
    /* @vite-ignore */ pathToFileURL(file).href
  );
  await using place = await browsers.openPlace();
  place.page.context().setDefaultTimeout(5_000);
  await Object.values(loaded)[0]?.(place.page);
  await using other = await browsers.openPlace();
  await other.run(record);
  return [await readOutput(place.page), await readOutput(other.page)];
}

const whole = 'fill Name with "Ada", select "large" from Size, check Agree, click Save';

test.each<[what: string, path: string, task: string, added: string, result: string]>([
  ["button", "/form", whole, "<button onclick=\"o.textContent = 'wrong'\">Save</button>", "Ada,large,true"],
  ["form with the same fields", "/form", whole, form("'wrong'", "other"), "Ada,large,true"],
  [
    "form of another kind with such a button",
    "/form",
    whole,
    "<form onsubmit=\"event.preventDefault(); o.textContent = 'wrong'\"><input aria-label=Email name=email><button>Save</button></form>",
    "Ada,large,true",
  ],
  [
    "field to search in",
    "/search",
    'search for "tea"',
    "<form onsubmit=\"event.preventDefault(); o.textContent = 'wrong'\"><input type=search name=other aria-label=Search></form>",
    "tea",
  ],
  [
    "button, behind a dialog",
    "/dialog",
    "click Delete",
    "<button onclick=\"o.textContent = 'wrong'\">Delete</button>",
    "deleted",
  ],
])("a second %s elsewhere is not taken for the one of the function", async (_, path, task, part, result) => {
  before = "";
  await using place = await browsers.openPlace();
  const record = createRecord([], await new Planner().work(`Open ${site.url}${path}, ${task}`, place.workplace));
  expect(await runBoth(record)).toEqual([result, result]);
  before = part;
  expect(await runBoth(record)).toEqual([result, result]);
});
