import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeFunctionSource } from "../../src/functions/function-source.ts";
import type { FunctionRecord } from "../../src/functions/function-record.ts";
import { anyNextPageTarget } from "../../src/planner/next-page.ts";
import { Planner } from "../../src/planner/planner.ts";
import { click, take, the } from "../steps/steps.ts";
import { createRecord, TestBrowsers } from "./workplace.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let site: Site;
let browsers: TestBrowsers;
let folder: string;

/** A page that shows something some time after it was asked to. */
const late = (html: string): string =>
  `<title>Late</title><button onclick="setTimeout(() => o.innerHTML = '${html}', 1500)">Load</button><div id=o></div>`;

beforeAll(async () => {
  site = await startSite({
    "/select": `<label>Country <select onchange="o.textContent = value"><option value=none>Choose<option value=de>Germany<option value=fr>France</select></label>
      <output id=o aria-label=Chosen></output>`,
    "/drawn": `<button id=b role=combobox aria-label=Country aria-expanded=false onclick="l.hidden = false">Choose</button>
      <ul id=l role=listbox hidden onclick="o.textContent = event.target.id; hidden = true"><li role=option id=de>Germany<li role=option id=fr>France</ul>
      <output id=o aria-label=Chosen></output>`,
    "/several": `<label>Tags <select multiple onchange="o.textContent = [...selectedOptions].map(({ label }) => label)">
      <option>red<option>green<option>blue</select></label><output id=o aria-label=Chosen></output>`,
    "/table": late("<table><tr><th>A<th>B<tr><td>1<td>2</table>"),
    "/list": late("<ul><li>x<li>y</ul>"),
    "/links": late("<a href=/list>x</a>"),
    "/more-rows": `<title>More</title><table><tr><th>A<th>B<tr><td>1<td>2<tr><td colspan=2>… and 12 more rows</table>`,
    "/more-cells": `<title>More</title><table><tr><th>A<th>B<tr><td>1<td>2<tr><td>and ninety more<td></table>`,
    "/more-items": `<title>More</title><ul><li>x<li>y<li>+ 3 weitere</ul>`,
  });
  browsers = await TestBrowsers.start();
  folder = await mkdtemp(join(tmpdir(), "functions-test-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await browsers[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** What the source of a function gives, on a page of its own, and what the function gives. */
async function both(record: FunctionRecord, values: Record<string, string> = {}): Promise<readonly [unknown, unknown]> {
  const file = join(folder, `${crypto.randomUUID()}.mjs`);
  await writeFile(file, stripTypeScriptTypes(writeFunctionSource(record)));
  const loaded: Readonly<Record<string, (page: Page, values: Record<string, string>) => Promise<unknown>>> =
    await import(/* @vite-ignore */ pathToFileURL(file).href);
  await using place = await browsers.openPlace();
  const [run] = Object.values(loaded);
  const bySource = await run?.(place.page, values);
  await using other = await browsers.openPlace();
  return [bySource, (await other.run(record, values)).data];
}

test.each([
  ["in another case", "/select", "france"],
  ["by its value", "/select", "fr"],
  ["with white space around it", "/select", " France "],
  ["of a list that the page draws", "/drawn", "France"],
  ["of such a list, in another case", "/drawn", "france"],
])("the source of a function selects an option %s", async (_, path, country) => {
  const steps = [
    { action: "open", url: site.url + path } as const,
    { action: "select", target: the("combobox", "Country"), option: "{{country}}" } as const,
    take({ kind: "text" }, { target: the("status", "Chosen") }),
  ];
  const record = createRecord(steps, { variables: [{ name: "country", value: "Germany" }] });
  expect(await both(record)).toEqual([{ result: "de" }, { result: "de" }]);
  expect(await both(record, { country })).toEqual([{ result: "fr" }, { result: "fr" }]);
});

const selectTag = (option: string) => ({ action: "select", target: the("listbox", "Tags"), option }) as const;

test("of a list of several, a function and its source select one after the other", async () => {
  const record = createRecord([
    { action: "open", url: `${site.url}/several` },
    selectTag("red"),
    selectTag("blue"),
    selectTag("blue"),
    take({ kind: "text" }, { target: the("status", "Chosen") }),
  ]);
  expect(await both(record)).toEqual([{ result: "red,blue" }, { result: "red,blue" }]);
});

test("the source of a function selects nothing that is not there", async () => {
  const steps = [
    { action: "open", url: `${site.url}/select` } as const,
    { action: "select", target: the("combobox", "Country"), option: "Spain" } as const,
  ];
  await expect(both(createRecord(steps))).rejects.toThrow('no option "Spain"');
});

test.each(["table", "list", "links"] as const)(
  "the source of a function waits for what it reads: a %s",
  async (kind) => {
    const steps = [{ action: "open", url: `${site.url}/${kind}` } as const, click("button", "Load"), take({ kind })];
    const [bySource, byFunction] = await both(createRecord(steps));
    expect(bySource).toEqual(byFunction);
    expect(bySource).not.toEqual({ result: [] });
  },
);

test.each([
  ["table", "/more-rows", [{ A: "1", B: "2" }]],
  ["table", "/more-cells", [{ A: "1", B: "2" }]],
  ["list", "/more-items", ["x", "y"]],
] as const)("the source of a function leaves out of a %s that there is more: %s", async (kind, path, result) => {
  const steps = [{ action: "open", url: site.url + path } as const, take({ kind })];
  expect(await both(createRecord(steps))).toEqual([{ result }, { result }]);
});

const items = (from: number, to: number, height = 20): string =>
  Array.from({ length: to - from + 1 }, (_, at) => `<li style=height:${height}px>Item ${from + at}</li>`).join("");
const onward = (html: string): string => `<ul>${items(1, 2)}</ul>${html}`;
const last = `<ul>${items(3, 4)}</ul>`;

test.each<[how: string, pages: Readonly<Record<string, string>>, count: number]>([
  ["a link in another language", { "/": onward("<a href=/2>Następna strona</a>"), "/2": last }, 4],
  ["numbers", { "/": onward("<p><b>1</b> <a href=/2>2</a></p>"), "/2": `${last}<p><a href=/>1</a> <b>2</b></p>` }, 4],
  [
    "a button that loads more",
    {
      "/": `<ul id=l>${items(1, 3)}</ul><button onclick="l.innerHTML += '${items(4, 6)}'; this.remove()">Mehr laden</button>`,
    },
    6,
  ],
  [
    "scrolling",
    {
      "/": `<ul id=l>${items(1, 20, 60)}</ul><script>let n = 20; onscroll = () => { if (n < 60 && scrollY + innerHeight > document.body.scrollHeight - 40) for (let i = 0; i < 20; i++) l.insertAdjacentHTML("beforeend", "<li style=height:60px>Item " + ++n + "</li>") }</script>`,
    },
    60,
  ],
  ["nothing, as there is one page only", { "/": `<ul>${items(1, 3)}</ul>` }, 3],
])("the source of a function reads all pages as the function does: by %s", async (_, pages, count) => {
  const own = Object.fromEntries(
    Object.entries(pages).map(([path, html]) => [
      path,
      `<!doctype html><meta charset=utf-8><title>Paged</title>${html}`,
    ]),
  );
  await using paged = await startSite(own);
  await using place = await browsers.openPlace();
  const work = await new Planner().work(`Open ${paged.url}, extract the list from all pages`, place.workplace);
  const [bySource, byFunction] = await both(createRecord([], work));
  expect(bySource).toEqual({ list: Array.from({ length: count }, (_one, at) => `Item ${at + 1}`) });
  expect(bySource).toEqual(byFunction);
});

test("the source of a function refuses a list that draws only what is shown", async () => {
  await using virtual = await startSite({
    "/": `<ul style="height:200px;overflow:auto;position:relative;margin:0" id=u onscroll="draw()"></ul><script>const draw = () => { const at = Math.floor(u.scrollTop / 40); u.innerHTML = "<div style=height:800px></div>" + Array.from({ length: 6 }, (_, i) => "<li style='position:absolute;top:" + 40 * (at + i) + "px;height:40px'>Item " + (at + i) + "</li>").join("") }; draw()</script>`,
  });
  const nextPage = { target: anyNextPageTarget, most: 5 };
  const record = createRecord([{ action: "open", url: virtual.url }, take({ kind: "list" }, { nextPage })]);
  await expect(both(record)).rejects.toThrow("draws only the rows that are shown");
});
