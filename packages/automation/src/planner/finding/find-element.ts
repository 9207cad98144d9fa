import type { Frame, Locator, Page } from "playwright-core";
import { sleep } from "../async.ts";
import { AutomationError } from "../automation-error.ts";
import { describePage } from "../snapshot/describe-page.ts";
import { placeOf } from "../targets/not-found.ts";
import { disambiguate } from "./disambiguate.ts";

type Role = Parameters<Page["getByRole"]>[0];

/** Kinds of elements that instructions name. */
export type ElementKind =
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

const pollMs = 150;

/** Locators of an element, the most reliable first. Each is tried in every frame before the next one. */
type Candidates = (frame: Frame, name: string) => readonly Locator[];

const byRoles = (roles: readonly Role[]) => (frame: Frame, name: string) => [
  ...roles.map((role) => frame.getByRole(role, { name: exactName(name) })),
  ...roles.map((role) => frame.getByRole(role, { name: nameWithin(name) })),
];

/** Elements that can be labelled and filled. */
const fields =
  "input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=image]), textarea, select, [contenteditable], [role=textbox], [role=searchbox], [role=combobox], [role=spinbutton]";

const candidates: Readonly<Record<ElementKind, Candidates>> = {
  clickable: (frame, name) => [
    ...byRoles(["button", "link", "tab", "menuitem", "checkbox", "radio", "option", "switch"])(frame, name),
    frame.getByText(exactName(name)),
    frame.getByTitle(nameWithin(name)),
    frame.getByAltText(nameWithin(name)),
    frame.getByLabel(nameWithin(name)),
  ],
  field: (frame, name) => [
    frame.locator(fields).and(frame.getByLabel(exactName(name))),
    ...byRoles(["textbox", "searchbox", "combobox", "spinbutton"])(frame, name),
    frame.getByPlaceholder(nameWithin(name)),
    frame.locator(fields).and(frame.getByLabel(nameWithin(name))),
    frame.locator(`[name=${JSON.stringify(name)} i]`),
  ],
  choice: (frame, name) => [
    ...byRoles(["checkbox", "radio", "switch"])(frame, name),
    frame.getByLabel(nameWithin(name)),
  ],
  "option-list": (frame, name) => [
    frame.locator("select").and(frame.getByLabel(exactName(name))),
    frame.locator("select").and(frame.getByLabel(nameWithin(name))),
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

/** What else is known of an element that is looked for. */
export interface FindOptions {
  /** Its role, if the task names one: "the Search button". */
  readonly role?: string | undefined;
  /** Longest wait until exactly one matches, in milliseconds. Default: 5,000. */
  readonly timeoutMs?: number;
}

/**
 * Finds an element by the name that people use for it. Waits some seconds until exactly one matches.
 *
 * @throws {AutomationError} `step_failed`, with a snapshot of the page.
 */
export async function findElement(
  page: Page,
  kind: ElementKind,
  name: string,
  signal: AbortSignal,
  { role, timeoutMs = 5_000 }: FindOptions = {},
): Promise<Locator> {
  const ends = performance.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    const found = await locateOnce(page, kind, name, role);
    const isAmbiguous = typeof found === "number";
    if (found !== undefined && !isAmbiguous) return found;
    if (performance.now() > ends) throw isAmbiguous ? ambiguous(name, found) : await notFound(page, kind, name);
    await sleep(pollMs, signal);
  }
}

/** Returns the locator; the number of matches when they are ambiguous; undefined when nothing matches. */
async function locateOnce(
  page: Page,
  kind: ElementKind,
  name: string,
  role: string | undefined,
): Promise<Locator | number | undefined> {
  const all = page.frames().map((frame) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the roles of read-clause.ts
    const first = role === undefined ? [] : byRoles([role as Role])(frame, name);
    return first.concat(candidates[kind](frame, name));
  });
  const most = Math.max(0, ...all.map((list) => list.length));
  for (let way = 0; way < most; way++) {
    for (const locators of all) {
      const visible = locators[way]?.filter({ visible: true });
      const count = (await visible?.count().catch(() => 0)) ?? 0;
      if (visible === undefined || count === 0) continue;
      if (count === 1) return visible;
      return name === "" ? visible.first() : ((await disambiguate(visible)) ?? count);
    }
  }
  return undefined;
}

/** Matches the whole name, case-insensitively, with the colon or asterisk of a label. */
function exactName(name: string): RegExp {
  return new RegExp(`^\\s*${regExpSource(name)}[\\s:*]*$`, "iu");
}

/** Matches the name as whole words of a longer one: "all" does not match "Allow". Scripts without spaces have no such bounds. */
function nameWithin(name: string): RegExp {
  const letter = String.raw`[\p{Script=Latin}\p{N}]`;
  const isLetter = new RegExp(`^${letter}`, "u");
  const before = isLetter.test(name) ? `(?<!${letter})` : "";
  const behind = isLetter.test(name.slice(-1)) ? `(?!${letter})` : "";
  return new RegExp(`${before}${regExpSource(name)}${behind}`, "iu");
}

/** Escapes a name for a regular expression; an apostrophe matches both its forms. Playwright needs quotation marks and `>` escaped. */
function regExpSource(name: string): string {
  return name
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/['’]/g, String.raw`[\x27’]`)
    .replaceAll(/["`>]/g, (sign) => String.raw`\x${sign.charCodeAt(0).toString(16)}`);
}

function ambiguous(name: string, count: number): AutomationError {
  return new AutomationError("step_failed", `Ambiguous target: ${count} elements named "${name}" on the page.`);
}

async function notFound(page: Page, kind: ElementKind, name: string): Promise<AutomationError> {
  const what = name === "" ? `no ${kind.replace("-", " ")}` : `no element named "${name}"`;
  const { snapshot } = await describePage(page, { maxCharacters: 1_500 });
  return new AutomationError("step_failed", `There is ${what} on ${await placeOf(page)}. It shows:\n${snapshot}`);
}
