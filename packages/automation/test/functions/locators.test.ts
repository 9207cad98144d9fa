import { expect, test } from "vitest";
import { writeLocator } from "../../src/functions/locator-source.ts";
import { selectAlso, byAttribute, byLabel, byRole, byText, selectHaving } from "../../src/targets/selector-text.ts";

const visible = ".filter({ visible: true })";
const save = byRole("button", "Save");

test.each<[what: string, selectors: readonly string[], source: string]>([
  ["by role and name", [save], `page.getByRole("button", { name: "Save", exact: true })`],
  ["by role", [byRole("table")], `page.getByRole("table")`],
  ["by label", [byLabel("Term")], `page.getByLabel("Term", { exact: true })${visible}`],
  ["by text", [byText("A b")], `page.getByText("A b", { exact: true })${visible}`],
  ["by placeholder", [byAttribute("placeholder", "Name")], `page.getByPlaceholder("Name", { exact: true })${visible}`],
  ["by test id", ['internal:testid=[data-testid="save"s]'], `page.getByTestId("save")${visible}`],
  ["by structure", ["main > a"], `page.locator("main > a")${visible}`],
  [
    "by a pattern",
    ['a[rel] >> internal:or="internal:role=link[name=/^(?:next|»)\\\\s[›>]*/iu]" >> visible=true >> nth=0'],
    `page.locator("a[rel]").or(page.getByRole("link", { name: /^(?:next|»)\\s[›>]*/iu }))${visible}.first()${visible}`,
  ],
  ["by place", [`${save} >> nth=0`], `page.getByRole("button", { name: "Save", exact: true }).first()`],
  [
    "within a part that holds something",
    [`${byRole("row")} >> ${selectHaving(byText("Ada"))} >> ${save}`],
    `page.getByRole("row").filter({ has: page.getByText("Ada", { exact: true }) }).getByRole("button", { name: "Save", exact: true })`,
  ],
  [
    "that is something else, too",
    [`a >> ${selectAlso(byRole("link"))}`],
    `page.locator("a").and(page.getByRole("link"))${visible}`,
  ],
  [
    "in a frame",
    [`iframe >> internal:control=enter-frame >> ${save}`],
    `page.locator("iframe").contentFrame().getByRole("button", { name: "Save", exact: true })`,
  ],
  [
    "with variables",
    [byRole("link", "x").replace("x", "Buy {{term}}"), "a"],
    'page.getByRole("link", { name: `Buy ${what}`, exact: true })',
  ],
  [
    "with variables within quotes",
    ['a[title="{{term}}"]'],
    `page.locator(\`a[title="\${quotable(what)}"]\`)${visible}`,
  ],
  [
    "with quotes and braces",
    [byRole("link", '"{{a}}" \\')],
    String.raw`page.getByRole("link", { name: "\"{{a}}\" \\", exact: true })`,
  ],
  [
    "by the next selector when the first can't be said",
    ["internal:control=any-frame >> a", save],
    `page.getByRole("button", { name: "Save", exact: true })`,
  ],
  [
    "as it is when none can be said",
    ["internal:control=any-frame >> a"],
    `page.locator("internal:control=any-frame >> a")${visible}`,
  ],
])("a target is found %s", (_, selectors, source) => {
  expect(writeLocator({ selectors, label: "x" }, new Map([["term", "what"]]))).toBe(source);
});
