import { startSite } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, refIn, AgentHarness } from "./agent-harness.ts";

let harness: AgentHarness;
beforeAll(async () => {
  harness = await AgentHarness.open();
}, 60_000);
afterAll(() => harness.close());

const options = `<ul role=listbox aria-label=City><li role=option>Berlin<li role=option>Paris</ul>`;
const days = Array.from({ length: 28 }, (_, at) => `<td role=gridcell onclick=1>${at + 1}</td>`).join("");

/** A tool, the element it is called for, and its other arguments. */
type Action = readonly [tool: string, element: string, given?: Readonly<Record<string, unknown>>];

test.each<
  [what: string, html: string, task: string, actions: readonly Action[], values: Readonly<Record<string, string>>]
>([
  ["an option", options, "Choose Paris.", [["click", 'option "Paris"']], { city: "Paris" }],
  ["an option in another case", options, "choose paris", [["click", 'option "Paris"']], { city: "Paris" }],
  ["an option that the task does not say", options, "Choose any city.", [["click", 'option "Paris"']], {}],
  ["a part of a word", options, "Choose what Parisians like.", [["click", 'option "Paris"']], {}],
  [
    "a day",
    `<div role=grid aria-label=May><div role=row>${days.replaceAll("td", "div")}</div></div>`,
    "Take the 15 of May.",
    [["click", 'gridcell "15"']],
    { day: "15" },
  ],
  [
    "a suggestion for what was typed",
    `<label>City <input></label><ul><li onclick=1><button>Bergamo</button><li onclick=1><button>Bergen</button></ul>`,
    "Type Berg as the city, and take Bergamo.",
    [
      ["fill", 'textbox "City"', { text: "Berg" }],
      ["click", 'button "Bergamo"'],
    ],
    { city: "Berg", suggestion: "Bergamo" },
  ],
  [
    "the row of a button",
    `<table><tr><td>Kim Lee<td><button>Remove Kim</button><tr><td>Bob<td><button>Remove Bob</button></table>`,
    "Remove Kim",
    [["click", 'button "Remove Kim"']],
    { row: "Kim" },
  ],
  [
    "a box of several",
    `<fieldset><legend>Toppings</legend><label><input type=checkbox>Olives</label><label><input type=checkbox>Capers</label></fieldset>`,
    "I want Capers",
    [["set_checked", 'checkbox "Capers"', { checked: true }]],
    { toppings: "Capers" },
  ],
  [
    "what is filled and selected",
    `<label>Name <input></label><label>Size <select><option>S<option>L</select></label>`,
    "Order size L for Ada",
    [
      ["fill", 'textbox "Name"', { text: "Ada" }],
      ["select_option", 'combobox "Size"', { option: "L" }],
    ],
    { name: "Ada", size: "L" },
  ],
  [
    "a value in a script without spaces",
    `<label>都市 <input></label>`,
    "都市に東京を入力",
    [["fill", 'textbox "都市"', { text: "東京" }]],
    { 都市: "東京" },
  ],
  [
    "a button that does the same whatever the task is about",
    `<button>Save</button><button>Cancel</button>`,
    "Click Save",
    [["click", 'button "Save"']],
    {},
  ],
])("%s is a variable if the task says it, also when the model names none", async (_, html, task, actions, values) => {
  await using site = await startSite({ "/": `<!doctype html><meta charset=utf-8><main>${html}</main>` });
  const { work, error } = await harness.work({
    task,
    script: (request, number) => {
      const action = actions[number - 1];
      if (number === 0) return call("open_page", { url: site.url });
      if (action === undefined) return call("finish", { answer: "Done." });
      const [tool, element, args = {}] = action;
      return call(tool, { ref: refIn(request, element), ...args });
    },
  });
  expect(error).toBeUndefined();
  const steps = JSON.stringify(work?.steps);
  expect(Object.fromEntries((work?.variables ?? []).map(({ name, value }) => [name, value]))).toEqual(values);
  for (const name of Object.keys(values)) expect(steps).toContain(`{{${name}}}`);
});
