import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeFunctionSource } from "../../src/functions/function-source.ts";
import { byRole, byText, selectHaving } from "../../src/targets/selector-text.ts";
import type { Step } from "../../src/task/step.ts";
import type { FunctionRecord } from "../../src/functions/function-record.ts";
import { account, startAutomationSite, type AutomationSite } from "@cloud-browser/testing/automation/site.ts";
import { recordForm, recordLogin, recordSearch, recordShop } from "./recorded.ts";
import { createRecord, TestBrowsers } from "./workplace.ts";

const packageFolder = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(import.meta.url);

let site: AutomationSite;
let browsers: TestBrowsers;
let folder: string;
let records: Readonly<Record<"search" | "login" | "form" | "shop", FunctionRecord>>;

beforeAll(async () => {
  site = await startAutomationSite();
  browsers = await TestBrowsers.start();
  folder = await mkdtemp(join(tmpdir(), "functions-test-"));
  await symlink(join(packageFolder, "node_modules"), join(folder, "node_modules"));
  const record = async (how: typeof recordSearch): Promise<FunctionRecord> => {
    await using place = await browsers.openPlace();
    return await how(place, site.url);
  };
  const [search, login, form, shop] = await Promise.all(
    [recordSearch, recordLogin, recordForm, recordShop].map(record),
  );
  if (!search || !login || !form || !shop) throw new Error("not all were recorded");
  records = { search, login, form, shop };
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await browsers[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** What a source exports. */
type Source = (page: Page, values?: Record<string, string>) => Promise<unknown>;

/** Runs the source of a function as Node runs TypeScript, on a page of its own. */
async function execute(name: string, record: FunctionRecord, values?: Record<string, string>): Promise<unknown> {
  const file = join(folder, `${name}.mjs`);
  await writeFile(file, stripTypeScriptTypes(writeFunctionSource(record)));
  const loaded: Readonly<Record<string, Source>> = await import(/* @vite-ignore */ pathToFileURL(file).href);
  const [run] = Object.values(loaded);
  if (!run) throw new Error("the source exports nothing");
  await using place = await browsers.openPlace();
  return await run(place.page, values);
}

/** Runs a function without its source, and returns its data. */
async function runFunction(record: FunctionRecord, values = {}): Promise<unknown> {
  await using place = await browsers.openPlace();
  return (await place.run(record, values)).data;
}

describe("the source of a function", () => {
  test("does what the function does", async () => {
    const { search, login, form } = records;
    const password = { password: account.password };
    expect(await execute("search", search)).toEqual(await runFunction(search));
    expect(await execute("other", search, { term: "Shelf" })).toEqual(await runFunction(search, { term: "Shelf" }));
    expect(await execute("login", login, password)).toEqual(await runFunction(login, password));
    expect(await execute("form", form)).toEqual(await runFunction(form));
  });

  test("reads tables, lists and links, and what a page declares, as the function does", async () => {
    const steps: Step[] = [
      { action: "open", url: `${site.url}/lists` },
      {
        action: "extract",
        name: "small",
        what: { kind: "table" },
        target: { selectors: ["table >> nth=0"], label: "table" },
      },
      { action: "extract", name: "fruits", what: { kind: "list" } },
      { action: "extract", name: "links", what: { kind: "links" }, target: { selectors: ["main"], label: "main" } },
      {
        action: "extract",
        name: "heading",
        what: { kind: "text" },
        target: { selectors: [byRole("heading")], label: "heading" },
      },
      { action: "open", url: `${site.url}/product` },
      {
        action: "extract",
        name: "data",
        what: { kind: "data", schema: { type: "object", properties: { name: { type: "string" } } } },
      },
    ];
    const record = createRecord(steps, { function_name: "default" });
    await using place = await browsers.openPlace();
    const { data } = await place.run(record);
    expect(data).toMatchObject({ fruits: ["Apple", "Pear"], data: { name: "Blue lamp" } });
    expect(await execute("kinds", record)).toEqual(data);
  });

  test("type-checks, as strictly as this package", async () => {
    const strange = createRecord(
      [
        { action: "open", url: "{{site}}/a?q={{page}}&r=`${x}`" },
        {
          action: "click",
          target: {
            selectors: [
              `iframe >> internal:control=enter-frame >> ${byRole("row")} >> ${selectHaving(byText("{{page}}"))} >> ${byRole("button", 'a "b" \\ `c` ${d}')}`,
            ],
            label: "x",
          },
        },
        { action: "click", target: { selectors: ['internal:control=any-frame >> a[href="{{class}}"]'], label: "x" } },
        { action: "press", key: "Enter" },
        { action: "scroll", to: "down" },
        { action: "scroll", to: { selectors: ['internal:attr=[placeholder="Where"s] >> nth=2'], label: "x" } },
        { action: "wait", for: { seconds: 0.5 } },
        { action: "wait", for: { text: "{{page}}" } },
        { action: "back" },
        {
          action: "extract",
          name: "class",
          what: { kind: "text" },
          nextPage: { target: { selectors: ["#next"], label: "x" }, most: 3 },
        },
        { action: "extract", name: "class", what: { kind: "links" } },
      ],
      {
        function_name: "delete",
        variables: ["site", "page", "class"].map((name) => ({ name, value: name === "page" ? null : 'a"\n\u2028' })),
        query: "a */ b\nc",
      },
    );
    const sources = { ...records, strange };
    const files = await Promise.all(
      Object.entries(sources).map(async ([name, record]) => {
        await writeFile(join(folder, `checked-${name}.ts`), writeFunctionSource(record));
        return join(folder, `checked-${name}.ts`);
      }),
    );
    const flags = [
      "--noEmit",
      "--strict",
      "--noUncheckedIndexedAccess",
      "--exactOptionalPropertyTypes",
      "--erasableSyntaxOnly",
      "--skipLibCheck",
    ];
    const places = [
      "--module",
      "nodenext",
      "--target",
      "es2024",
      "--lib",
      "es2024,dom,dom.iterable",
      "--types",
      "node",
    ];
    const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
    const checked = await promisify(execFile)(process.execPath, [tsc, ...flags, ...places, ...files]).catch(
      (error: unknown) => error,
    );
    expect(checked).toMatchObject({ stdout: "" });
  });

  test("is readable: a line for each step, values as parameters", () => {
    const lines = writeFunctionSource(records.search).split("\n");
    expect(lines.slice(0, 13)).toEqual([
      'import type { Locator, Page, Request } from "playwright-core";',
      "",
      "/**",
      " * Search for Lamp and extract the table of all pages",
      " *",
      " * Function 0f0e0d0c-0b0a-4909-8807-060504030201 of 2026-11-21T10:00:00.000+00:00.",
      " */",
      'export async function search_products(page: Page, { term = "Lamp" }: { term?: string } = {}) {',
      "  const settled = following(page);",
      `  await page.goto("${site.url}/products");`,
      '  await page.getByRole("search").getByRole("textbox", { name: "Search", exact: true }).fill(term);',
      '  page = await settled(page.getByRole("search").getByRole("button", { name: "Search", exact: true }).click());',
      expect.stringMatching(
        /^ {2}const results = await readPages\(page, page\.getByRole\("link", \{ name: "Next", exact: true \}\), 10, /,
      ),
    ]);
  });

  test("asks for secrets, and holds none", () => {
    const source = writeFunctionSource(records.login);
    expect(source).toContain('{ password, user = "ada" }: { password: string; user?: string }');
    expect(source).not.toContain(account.password);
    expect(source).toContain(" * Log in as ada with password •••");
    const otherSource = writeFunctionSource({ ...records.login, query: "Log in with password {{password}}" });
    expect(otherSource).toContain(" * Log in with password {{password}}");
  });
});
