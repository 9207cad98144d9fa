import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { startSite } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FunctionRecord } from "../../src/functions/function-record.ts";
import { writeFunctionSource } from "../../src/functions/function-source.ts";
import { byRole } from "../../src/targets/selector-text.ts";
import type { Step } from "../../src/task/step.ts";
import { createRecord, TestBrowsers } from "./workplace.ts";

let browsers: TestBrowsers;
beforeAll(async () => {
  browsers = await TestBrowsers.start();
});
afterAll(() => browsers?.[Symbol.asyncDispose]());

const values = { name: "Ada" };

/** Runs the source of a function as Node runs TypeScript, on a page of its own. */
async function execute(record: FunctionRecord): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), "functions-test-"));
  try {
    const file = join(folder, "tabs.mjs");
    await writeFile(file, stripTypeScriptTypes(writeFunctionSource(record)));
    const loaded: { go_on: (page: Page, variables: typeof values) => Promise<unknown> } = await import(
      /* @vite-ignore */ pathToFileURL(file).href
    );
    await using place = await browsers.openPlace();
    return await loaded.go_on(place.page, values);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs a function without its source, and returns its data. */
async function perform(record: FunctionRecord): Promise<unknown> {
  await using place = await browsers.openPlace();
  return (await place.run(record, values)).data;
}

const at = (selector: string): Extract<Step, { action: "click" }>["target"] => ({
  selectors: [selector],
  label: "the part",
});

/** Creates a function that answers dialogs, goes on in another tab and back, and scrolls. */
function createTabsRecord(url: string): FunctionRecord {
  const extract = (name: string, selector: string): Step => ({
    action: "extract",
    name,
    what: { kind: "text" },
    target: at(selector),
  });
  return createRecord(
    [
      { action: "open", url },
      {
        action: "click",
        target: at(byRole("button", "Ask")),
        dialogs: [
          { type: "confirm", message: "Sure?", accept: true },
          { type: "prompt", message: "Name?", accept: true, text: "{{name}}" },
        ],
      },
      { action: "click", target: at(byRole("link", "New")) },
      { action: "tab", tab: 2, does: "choose" },
      extract("other", byRole("heading", "Other")),
      { action: "tab", tab: 2, does: "close" },
      { action: "tab", tab: 1, does: "choose" },
      extract("said", "#said"),
      { action: "scroll", to: { x: 0, y: 300 } },
      { action: "wait", for: { text: "300" } },
      extract("at", "#at"),
    ],
    { function_name: "go_on", variables: [{ name: "name", value: null }] },
  );
}

test("answers dialogs, goes on in other tabs and scrolls, as the function does", async () => {
  await using pages = await startSite({
    "/": `<button onclick="said.textContent = confirm('Sure?') + ' ' + prompt('Name?')">Ask</button><p id="said">nothing</p>
      <a href="/other" target="_blank">New</a><div style="height:3000px"></div><script>onscroll = () => (at.textContent = scrollY)</script><p id="at" style="position:fixed;top:0"></p>`,
    "/other": "<h1>Other</h1>",
  });
  const record = createTabsRecord(`${pages.url}/`);
  const data = { other: "Other", at: "300" };
  // A value that is not stored is a secret, and told of nowhere.
  expect(await perform(record)).toEqual({ ...data, said: "true •••" });
  expect(await execute(record)).toEqual({ ...data, said: "true Ada" });
  const wrong = record.steps.map((step) =>
    step.dialogs ? { ...step, dialogs: step.dialogs.map((one) => ({ ...one, message: "Really?" })) } : step,
  );
  await expect(perform({ ...record, steps: wrong })).rejects.toThrow(/Sure\?/);
});
