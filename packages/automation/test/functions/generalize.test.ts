import { describe, expect, test } from "vitest";
import { generalize, type TaskValue } from "../../src/generalization/generalize.ts";
import { byRole, byText, selectHaving } from "../../src/targets/selector-text.ts";
import type { Step } from "../../src/task/step.ts";
import { fillIn, fillInSelector, escapeTemplate } from "../../src/task/template.ts";

const tea: readonly TaskValue[] = [{ name: "term", value: "green tea" }];
const click = (selector: string, label = "link"): Step => ({
  action: "click",
  target: { selectors: [selector], label },
});

/** Generalizes a step, and returns what its only selector, or its only text, becomes. */
function generalizeStep(step: Step, values: readonly TaskValue[] = tea): unknown {
  const [result] = generalize([step], values).steps;
  if (result?.action === "click") return result.target.selectors[0];
  if (result?.action === "fill") return result.value;
  return result?.action === "open" ? result.url : result;
}

const fill = (value: string): Step => ({ action: "fill", target: { selectors: ["input"], label: "textbox" }, value });

describe("a value becomes a variable", () => {
  test.each<[what: string, step: Step, expected: string]>([
    ["where it is the whole text", fill("green tea"), "{{term}}"],
    ["where it stands as words of its own", fill("a cup of green tea, please"), "a cup of {{term}}, please"],
    ["more than once", fill("green tea and green tea"), "{{term}} and {{term}}"],
    ["in the name of a role", click(byRole("link", "Buy green tea")), 'internal:role=link[name="Buy {{term}}"s]'],
    [
      "in what a part holds",
      click(`${byRole("row")} >> ${selectHaving(byText("green tea"))} >> ${byRole("button", "Buy")}`),
      'internal:role=row >> internal:has="internal:text=\\"{{term}}\\"s" >> internal:role=button[name="Buy"s]',
    ],
    [
      "in an address, as it is written there",
      { action: "open", url: "https://a.test/s?q=green%20tea&p=1" },
      "https://a.test/s?q={{term}}&p=1",
    ],
    [
      "in an address with plus signs",
      { action: "open", url: "https://a.test/s?q=green+tea" },
      "https://a.test/s?q={{term}}",
    ],
  ])("%s", (_, step, expected) => {
    expect(generalizeStep(step)).toBe(expected);
  });

  test("when a step names it already, also one that is empty, or the same as another", () => {
    const values = [
      { name: "user", value: "ada" },
      { name: "search_term", value: "ada" },
      { name: "note", value: "" },
    ];
    const { steps, variables } = generalize([fill("{{user}} {{search_term}} {{note}}")], values);
    expect(steps).toEqual([fill("{{user}} {{search_term}} {{note}}")]);
    expect(variables).toEqual(values);
  });

  test("the longest first, and each of several", () => {
    const values = [
      { name: "kind", value: "tea" },
      { name: "term", value: "green tea" },
    ];
    const { steps, variables } = generalize([fill("green tea or tea")], values);
    expect(steps).toEqual([fill("{{term}} or {{kind}}")]);
    expect(variables).toEqual([
      { name: "term", value: "green tea" },
      { name: "kind", value: "tea" },
    ]);
  });
});

describe("a value does not become a variable", () => {
  test.each<[what: string, step: Step, value: string]>([
    ["within a word", fill("steam"), "tea"],
    ["in a text by chance, when it is short", fill("page 2 of 3"), "2"],
    ["in the name of a variable", fill("{{term}} x"), "term"],
    ["in the words of a selector", click("internal:role=table >> td"), "table"],
    ["in a name that only the page's code uses", click('input[name="user"]'), "user"],
    ["in a test id", click('internal:testid=[data-testid="tea"s]'), "tea"],
    ["in percent signs of an address", { action: "open", url: "https://a.test/?q=a%20200" }, "20200"],
  ])("%s", (_, step, value) => {
    expect(generalize([step], [{ name: "value", value }]).steps).toEqual([step]);
  });

  test("in what a field is called that is filled with it", () => {
    const step: Step = {
      action: "fill",
      target: { selectors: [byRole("textbox", "user")], label: 'textbox "user"' },
      value: "user",
    };
    expect(generalize([step], [{ name: "user", value: "user" }]).steps).toEqual([{ ...step, value: "{{user}}" }]);
  });
});

test.each<[what: string, url: string, value: string, task: string, expected: string]>([
  ["a path", "https://a.test/admin", "admin", "Open a.test/admin, log in as admin", "https://a.test/admin"],
  ["a host", "https://tea.test/", "tea", "Open https://tea.test and search for tea", "https://tea.test/"],
  ["what only it holds", "https://a.test/s?q=tea", "tea", "Open https://a.test/s?q=tea", "https://a.test/s?q={{v}}"],
  ["the whole of it", "https://a.test", "https://a.test", "Open https://a.test, note https://a.test", "{{v}}"],
  [
    "one that it does not spell out",
    "https://a.test/tea",
    "tea",
    "Open the page of tea on a.test",
    "https://a.test/{{v}}",
  ],
])("an address that the task spells out is not made of what it names besides: %s", (_, url, value, task, expected) => {
  const { steps } = generalize([{ action: "open", url }], [{ name: "v", value }], task);
  expect(steps).toEqual([{ action: "open", url: expected }]);
});

test("whatever signs a value has, filling it in gives the same text again", () => {
  const values = ['it\'s "here" \\ `x` ${y}', "{{a}} b", "a>>b", "тест 日本", "$& $1"];
  for (const value of values) {
    const [template] = generalize(
      [fill(escapeTemplate(value)), click(byRole("link", value))],
      [{ name: "v", value }],
    ).steps;
    const filled = template?.action === "fill" ? fillIn(template.value, new Map([["v", value]])) : "";
    expect(template).toEqual(fill("{{v}}"));
    expect(filled).toBe(value);
    const selector = String(generalizeStep(click(byRole("link", value)), [{ name: "v", value }]));
    expect(selector).toBe('internal:role=link[name="{{v}}"s]');
    expect(fillInSelector(selector, new Map([["v", value]]))).toBe(fillInSelector(byRole("link", value), new Map()));
  }
});

test("a secret leaves no trace, not even within words", () => {
  const values = [{ name: "password", value: "hunter-2 é", isSecret: true }];
  const { steps, variables } = generalize(
    [
      fill("hunter-2 é"),
      fill("xhunter-2 éy"),
      click(byRole("link", "hunter-2 é")),
      click('a[href="/next?p=hunter-2%20%C3%A9&q=1"]', 'link "http://a.test/?p=hunter-2+%C3%A9"'),
    ],
    values,
  );
  expect(JSON.stringify({ steps, variables })).not.toContain("hunter-2");
  expect(variables).toEqual([{ name: "password", value: null }]);
});

test("only variables that the steps hold are kept, under names that are words", () => {
  const { variables } = generalize(
    [fill("tea")],
    [
      { name: "the kind!", value: "tea" },
      { name: "other", value: "coffee" },
    ],
  );
  expect(variables).toEqual([{ name: "the_kind", value: "tea" }]);
});

const open = (path: string): Step => ({ action: "open", url: `https://a.test/${path}` });

describe("steps", () => {
  const scroll: Step = { action: "scroll", to: "bottom" };
  const wait: Step = { action: "wait", for: { text: "Done" } };
  const pause: Step = { action: "wait", for: { seconds: 1 } };
  const buy = click(byRole("button", "Buy"));
  const extract: Step = { action: "extract", name: "all", what: { kind: "text" } };

  test.each<[what: string, steps: readonly Step[], remaining: readonly Step[]]>([
    [
      "without effect are left out: a page that was left without a look",
      [open("a"), scroll, open("b"), extract],
      [open("b"), extract],
    ],
    ["that repeat the one before are left out", [fill("x"), fill("x"), wait, wait, buy], [fill("x"), wait, buy]],
    ["that scroll at the end are left out", [open("a"), buy, scroll], [open("a"), buy]],
    ["that scroll before something is read stay", [open("a"), scroll, extract], [open("a"), scroll, extract]],
    ["that click stay, even twice", [buy, buy], [buy, buy]],
    ["that wait stay", [buy, pause, open("b"), wait], [buy, pause, open("b"), wait]],
    [
      "that open an address with a query stay: it may do something",
      [open("in?token=1"), open("b")],
      [open("in?token=1"), open("b")],
    ],
    ["that fill a field again after others stay", [fill("x"), buy, fill("x")], [fill("x"), buy, fill("x")]],
  ])("%s", (_, steps, remaining) => {
    expect(generalize(steps, []).steps).toEqual(remaining);
  });
});
