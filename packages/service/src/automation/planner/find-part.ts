import { setTimeout as pause } from "node:timers/promises";
import type { Frame, Locator, Page } from "playwright-core";
import { AutomationError } from "../automation-error.ts";
import { describePage } from "../page/describe-page.ts";

type Role = Parameters<Page["getByRole"]>[0];

/** What kind of part is looked for. Source: ours. */
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
  ...roles.map((role) => frame.getByRole(role, { name })),
];

const ways: Readonly<Record<PartKind, Ways>> = {
  clickable: (frame, name) => [
    ...byRoles(["button", "link", "tab", "menuitem", "checkbox", "radio", "option", "switch"])(frame, name),
    frame.getByText(exactly(name)),
    frame.getByTitle(name),
    frame.getByAltText(name),
    frame.getByLabel(name),
  ],
  field: (frame, name) => [
    frame.getByLabel(exactly(name)),
    ...byRoles(["textbox", "searchbox", "combobox", "spinbutton"])(frame, name),
    frame.getByPlaceholder(name),
    frame.getByLabel(name),
    frame.locator(`[name=${JSON.stringify(name)} i]`),
  ],
  choice: (frame, name) => [...byRoles(["checkbox", "radio", "switch"])(frame, name), frame.getByLabel(name)],
  "option-list": (frame, name) => [
    frame.locator("select").and(frame.getByLabel(exactly(name))),
    frame.locator("select").and(frame.getByLabel(name)),
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
 * Finds a part of a page by what a person calls it. Waits some seconds for it to appear.
 *
 * Source: ours.
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
    if (found) return found;
    if (performance.now() > ends) throw await notFound(page, kind, name);
    await pause(everyMs, undefined, { signal });
  }
}

async function look(page: Page, kind: PartKind, name: string, role: string | undefined): Promise<Locator | undefined> {
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
      if (visible && count > 0) return count === 1 ? visible : visible.first();
    }
  }
  return undefined;
}

/** The whole name, in any case, with the colon and the star of a label. */
function exactly(name: string): RegExp {
  return new RegExp(`^\\s*${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}[\\s:*]*$`, "iu");
}

async function notFound(page: Page, kind: PartKind, name: string): Promise<AutomationError> {
  const what = name === "" ? `no ${kind.replace("-", " ")}` : `nothing called "${name}"`;
  const { title, url, snapshot } = await describePage(page, { maxCharacters: 1_500 });
  return new AutomationError("step_failed", `There is ${what} on the page "${title}" (${url}). It shows:\n${snapshot}`);
}
