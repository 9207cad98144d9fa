import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeFunctionSource } from "../../src/functions/function-source.ts";
import { byRole } from "../../src/targets/selector-text.ts";
import { Planner } from "../../src/planner/planner.ts";
import type { Step } from "../../src/task/step.ts";
import type { FunctionRecord } from "../../src/functions/function-record.ts";
import { createRecord, TestBrowsers } from "./workplace.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

const packageFolder = fileURLToPath(new URL("../..", import.meta.url));

let site: Site;
let browsers: TestBrowsers;
let folder: string;

beforeAll(async () => {
  site = await startSite({
    "/": `<title>First</title><h1>First</h1><a href="/new" target="_blank">pop</a><a href="/slow" target="_blank">slow</a>
      <button onclick="window.open('/new')">window</button><button onclick="setTimeout(() => window.open('/new'), 60)">late</button>
      <button onclick="setTimeout(() => window.open('/new'), 1200)">later</button><a href="/plain">plain</a>
      <form action="/new" target="_blank"><label>Term <input name="q"></label></form>`,
    "/new": `<title>New</title><h1>New</h1><label>Note <input oninput="document.querySelector('h1').textContent = this.value"></label>
      <a href="/third" target="_blank">third</a><button onclick="window.close()">close</button>
      <label>Code <input onkeydown="if (event.key === 'Enter') window.close()"></label>
      <label><input type="checkbox" onclick="window.close()"> Read</label>
      <label>Size <select onchange="window.close()"><option>S</option><option>L</option></select></label>
      <button disabled onclick="window.close()">never</button><button onclick="setTimeout(() => window.close(), 3000)">soon</button>`,
    "/endless": `<title>Endless</title><h1>20</h1><div style="height:3000px"></div><script>
      addEventListener("scroll", async () => { document.querySelector("h1").textContent = await (await fetch("/more")).text() }, { once: true })</script>`,
    "/more": (_request, response) => void setTimeout(() => response.end("40"), 300),
    "/third": "<title>Third</title><h1>Third</h1>",
    "/plain": "<title>Plain</title><h1>Plain</h1>",
    "/slow": (_request, response) => {
      response.setHeader("content-type", "text/html");
      setTimeout(() => response.end("<title>Slow</title><h1>Slow</h1>"), 1_500);
    },
  });
  browsers = await TestBrowsers.start();
  folder = await mkdtemp(join(tmpdir(), "functions-test-"));
  await symlink(join(packageFolder, "node_modules"), join(folder, "node_modules"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await browsers[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Runs the printed program of a function as Node runs TypeScript; beside it a page that is none of its own is open. */
async function execute(record: FunctionRecord): Promise<unknown> {
  const file = join(folder, `${crypto.randomUUID()}.mjs`);
  await writeFile(file, stripTypeScriptTypes(writeFunctionSource(record)));
  const loaded: Readonly<Record<string, (page: Page) => Promise<unknown>>> = await import(
    /* @vite-ignore */ pathToFileURL(file).href
  );
  const [run] = Object.values(loaded);
  await using place = await browsers.openPlace();
  const { page } = place;
  await page.context().newPage();
  page.setDefaultTimeout(5_000);
  return await run?.(page);
}

/** Runs a function without its source, and returns its data. */
async function runFunction(record: FunctionRecord): Promise<unknown> {
  await using place = await browsers.openPlace();
  return (await place.run(record)).data;
}

const target = (role: string, name: string) => ({ target: { selectors: [byRole(role, name)], label: name } });
const open = (): Step => ({ action: "open", url: `${site.url}/` });
const click = (name: string, role = "button"): Step => ({ action: "click", ...target(role, name) });
const extract: Step = {
  action: "extract",
  name: "heading",
  what: { kind: "text" },
  target: { selectors: [byRole("heading")], label: "heading" },
};

describe("the source of a function continues, as the function does,", () => {
  const cases: readonly [string, () => readonly Step[], string][] = [
    ["on the page that a link opens", () => [open(), click("pop", "link"), extract], "New"],
    ["on a page that comes slowly", () => [open(), click("slow", "link"), extract], "Slow"],
    ["on a window", () => [open(), click("window"), extract], "New"],
    ["on a window that is opened some time after the click", () => [open(), click("late"), extract], "New"],
    [
      "on a window that is opened while it waits",
      () => [open(), click("later"), { action: "wait", for: { seconds: 2 } }, extract],
      "New",
    ],
    [
      "on the page that a key opens",
      () => [open(), { action: "press", key: "Enter", ...target("textbox", "Term") }, extract],
      "New",
    ],
    ["from page to page", () => [open(), click("pop", "link"), click("third", "link"), extract], "Third"],
    [
      "on the page before when one closes itself",
      () => [open(), click("pop", "link"), click("close"), extract],
      "First",
    ],
    [
      "on the page before when a key closes one",
      () => [open(), click("pop", "link"), { action: "press", key: "Enter", ...target("textbox", "Code") }, extract],
      "First",
    ],
    [
      "on the page before when a tick closes one",
      () => [open(), click("pop", "link"), { action: "check", checked: true, ...target("checkbox", "Read") }, extract],
      "First",
    ],
    [
      "on the page before when what is selected closes one",
      () => [open(), click("pop", "link"), { action: "select", option: "L", ...target("combobox", "Size") }, extract],
      "First",
    ],
    [
      "on the page before when it goes back",
      () => [open(), click("pop", "link"), { action: "back" }, extract],
      "First",
    ],
    ["back within a page", () => [open(), click("plain", "link"), { action: "back" }, extract], "First"],
    [
      "with what a page loads when it is scrolled",
      () => [{ action: "open", url: `${site.url}/endless` }, { action: "scroll", to: "bottom" }, extract],
      "40",
    ],
    ["on the same page", () => [open(), click("plain", "link"), extract], "Plain"],
  ];
  test.for(cases)("%s", async ([, steps, heading]) => {
    const record = createRecord(steps());
    expect(await runFunction(record)).toEqual({ heading });
    expect(await execute(record)).toEqual({ heading });
  });

  test("not when a page is closed before it could be acted on", async () => {
    const record = createRecord([open(), click("pop", "link"), click("soon"), click("never"), extract]);
    await expect(runFunction(record)).rejects.toMatchObject({ code: "step_failed" });
    await expect(execute(record)).rejects.toThrow(/has been closed/);
  });

  test("and acts there", async () => {
    const fill: Step = { action: "fill", ...target("textbox", "Note"), value: "written" };
    const record = createRecord([open(), click("pop", "link"), fill, extract]);
    expect(await runFunction(record)).toEqual({ heading: "written" });
    expect(await execute(record)).toEqual({ heading: "written" });
  });

  test("when the planner made it of a task", async () => {
    await using place = await browsers.openPlace();
    const { data, steps, variables } = await new Planner().work(
      `Open ${site.url}/, click pop, extract the text`,
      place.workplace,
    );
    expect(data).toEqual({ text: expect.stringContaining("New") });
    expect(await execute(createRecord(steps, { variables: [...variables] }))).toEqual({
      text: expect.stringContaining("New"),
    });
  });
});

test("a source whose steps open no page needs no helper for it", () => {
  const plain = [
    [open(), extract],
    [open(), click("pop", "link")],
    [{ action: "back" } as const, extract],
  ];
  for (const steps of plain)
    expect(writeFunctionSource(createRecord(steps))).not.toMatch(/following|settled|goBack\(page/);
});
