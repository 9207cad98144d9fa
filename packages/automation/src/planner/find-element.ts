import type { Frame, Locator, Page } from "playwright-core";
import { sleep } from "../async.ts";
import { AutomationError } from "../automation-error.ts";
import { describePage } from "../snapshot/describe-page.ts";
import { placeOf } from "../targets/not-found.ts";
import { oneOfSeveral } from "./one-of-several.ts";

type Role = Parameters<Page["getByRole"]>[0];

/** Kinds of page parts. */
export type PartKind =
  | "clickable"
  | "field"
  | "choice"
  | "option-list"
  | "search"
  | "password"
  | "user"
  | "submit"
  | "table"
  | "list";

/** How long a part may take to appear, in milliseconds. */
const patienceMs = 5_000;
const everyMs = 150;

/** Ways to find a part, the surest first. Each is tried in every frame before the next one. */
type Ways = (frame: Frame, name: string) => readonly Locator[];

const byRoles = (roles: readonly Role[]) => (frame: Frame, name: string) => [
  ...roles.map((role) => frame.getByRole(role, { name: exactly(name) })),
  ...roles.map((role) => frame.getByRole(role, { name: holding(name) })),
];

/** Roles that can be labelled and filled: buttons and whole forms have labels, too. */
const fields =
  "input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=image]), textarea, select, [contenteditable], [role=textbox], [role=searchbox], [role=combobox], [role=spinbutton]";

const ways: Readonly<Record<PartKind, Ways>> = {
  clickable: (frame, name) => [
    ...byRoles(["button", "link", "tab", "menuitem", "checkbox", "radio", "option", "switch"])(frame, name),
    frame.getByText(exactly(name)),
    frame.getByTitle(holding(name)),
    frame.getByAltText(holding(name)),
    frame.getByLabel(holding(name)),
  ],
  field: (frame, name) => [
    frame.locator(fields).and(frame.getByLabel(exactly(name))),
    ...byRoles(["textbox", "searchbox", "combobox", "spinbutton"])(frame, name),
    frame.getByPlaceholder(holding(name)),
    frame.locator(fields).and(frame.getByLabel(holding(name))),
    frame.locator(`[name=${JSON.stringify(name)} i]`),
  ],
  choice: (frame, name) => [...byRoles(["checkbox", "radio", "switch"])(frame, name), frame.getByLabel(holding(name))],
  "option-list": (frame, name) => [
    frame.locator("select").and(frame.getByLabel(exactly(name))),
    frame.locator("select").and(frame.getByLabel(holding(name))),
    frame.locator(`select[name=${JSON.stringify(name)} i]`),
    ...byRoles(["combobox", "listbox"])(frame, name),
  ],
  search: (frame) => [
    frame.getByRole("searchbox"),
    frame.locator("input[type=search], input[name=q], input[name=query], input[name=search]"),
    frame.getByRole("textbox", { name: /search|find/iu }),
    frame.getByPlaceholder(/search|find/iu),
  ],
  password: (frame) => [frame.locator("input[type=password]")],
  user: (frame) => [
    frame.locator("form:has(input[type=password]) input:is([autocomplete=username], [type=email])"),
    frame.locator("form:has(input[type=password])").getByRole("textbox", { name: /user|e-?mail|login|name|account/iu }),
    frame.locator("form:has(input[type=password]) input:is([type=text], :not([type]))"),
  ],
  submit: (frame) => [
    frame.locator("form:has(input[type=password])").getByRole("button", { name: /log ?in|sign ?in|continue|submit/iu }),
    frame.locator("form button[type=submit], form input[type=submit]"),
    frame.locator("form button:not([type])"),
    frame.getByRole("button", { name: /submit|send|save|continue/iu }),
  ],
  table: (frame, name) => (name === "" ? [frame.getByRole("table")] : byRoles(["table", "grid"])(frame, name)),
  list: (frame, name) => (name === "" ? [frame.getByRole("list")] : byRoles(["list"])(frame, name)),
};

/**
 * Finds a part of a page by what a person calls it. Waits some seconds for it to appear, alone of its name.
 *
 * @param role - When the task says what it is: "the Search button".
 * @throws {AutomationError} `step_failed`, saying what the page shows instead.
 */
export async function findPart(
  page: Page,
  kind: PartKind,
  name: string,
  signal: AbortSignal,
  role?: string,
): Promise<Locator> {
  const ends = performance.now() + patienceMs;
  for (;;) {
    signal.throwIfAborted();
    const found = await look(page, kind, name, role);
    const isSeveral = typeof found === "number";
    if (found !== undefined && !isSeveral) return found;
    if (performance.now() > ends) throw isSeveral ? severalOf(name, found) : await notFound(page, kind, name);
    await sleep(everyMs, signal);
  }
}

/** The part; how many there are when nothing tells which of them is meant. */
async function look(
  page: Page,
  kind: PartKind,
  name: string,
  role: string | undefined,
): Promise<Locator | number | undefined> {
  const all = page.frames().map((frame) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the roles of read-clause.ts
    const first = role === undefined ? [] : byRoles([role as Role])(frame, name);
    return first.concat(ways[kind](frame, name));
  });
  const most = Math.max(0, ...all.map((list) => list.length));
  for (let way = 0; way < most; way++) {
    for (const locators of all) {
      const visible = locators[way]?.filter({ visible: true });
      const count = (await visible?.count().catch(() => 0)) ?? 0;
      if (visible === undefined || count === 0) continue;
      if (count === 1) return visible;
      return name === "" ? visible.first() : ((await oneOfSeveral(visible)) ?? count);
    }
  }
  return undefined;
}

/** The whole name, in any case, with the colon and the star of a label. */
function exactly(name: string): RegExp {
  return new RegExp(`^\\s*${literally(name)}[\\s:*]*$`, "iu");
}

/** The name as words of a longer one: "all" is no part of "Allow". What is written without blanks has no such bounds. */
function holding(name: string): RegExp {
  const letter = String.raw`[\p{Script=Latin}\p{N}]`;
  const isLetter = new RegExp(`^${letter}`, "u");
  const before = isLetter.test(name) ? `(?<!${letter})` : "";
  const behind = isLetter.test(name.slice(-1)) ? `(?!${letter})` : "";
  return new RegExp(`${before}${literally(name)}${behind}`, "iu");
}

/** The name as a pattern, an apostrophe in each of its forms. Playwright would take quotation marks and `>>` for signs of its selectors. */
function literally(name: string): string {
  return name
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/['’]/g, String.raw`[\x27’]`)
    .replaceAll(/["`>]/g, (sign) => String.raw`\x${sign.charCodeAt(0).toString(16)}`);
}

function severalOf(name: string, count: number): AutomationError {
  return new AutomationError("step_failed", `Ambiguous target: ${count} elements called "${name}" on the page.`);
}

async function notFound(page: Page, kind: PartKind, name: string): Promise<AutomationError> {
  const what = name === "" ? `no ${kind.replace("-", " ")}` : `nothing called "${name}"`;
  const { snapshot } = await describePage(page, { maxCharacters: 1_500 });
  return new AutomationError("step_failed", `There is ${what} on ${await placeOf(page)}. It shows:\n${snapshot}`);
}
