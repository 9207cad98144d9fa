import type { Frame, Locator, Page } from "playwright-core";
import { sleep } from "../../async.ts";
import { StepError } from "../../automation-error.ts";
import { readFrames } from "../../page/frames.ts";
import { describeTitleAndUrl } from "../../targets/not-found.ts";
import { findNameIndex, compileNamePatterns } from "../../targets/same-name.ts";

/** Returns whether an element is a field to fill, a list to select from, or a group of choices. */
export async function classifyField(element: Locator): Promise<"field" | "list" | "group"> {
  return element.evaluate((one) => {
    if (one.matches("select, [role=listbox], button[aria-haspopup=listbox], [role=button][aria-haspopup=listbox]"))
      return "list";
    if (one.matches("[role=combobox]:not(input, textarea, [contenteditable])")) return "list";
    return one.matches("fieldset, [role=group], [role=radiogroup]") ? "group" : "field";
  });
}

/** Finds the visible lists that have an option of that name, by the closest tier of all. */
export async function findListsWith(page: Page, option: string): Promise<readonly Locator[]> {
  const all = await readFrames(page, async (frame) => {
    const lists = frame.locator("select").filter({ visible: true });
    const labels = await lists.evaluateAll((found) =>
      found.map((list) => (list instanceof HTMLSelectElement ? [...list.options].map(({ label }) => label) : [])),
    );
    return labels.map((options, index) => ({ list: lists.nth(index), options }));
  });
  return all
    .flat()
    .flatMap(({ list, options }) => (findNameIndex(options, option, "option") === undefined ? [] : [list]));
}

const searchWords = String.raw`\b(?:search|find)\b|\bsuch(?:e|en|begriff)\b|recherche|buscar|búsqueda|\bcerca\b|ricerca|pesquisa|zoeken|\bsök|\bsøg|\bsøk|\bhae\b|szukaj|hledat|keres|поиск|пошук|検索|搜索|搜尋|검색|بحث|\bara\b`;
const pollMs = 150;
const timeoutMs = 5_000;
const searchName = new RegExp(searchWords, "iu");

/** Ways to locate fields to search in, the most reliable first. */
const searchWays: readonly ((frame: Frame) => Locator)[] = [
  (frame) =>
    frame
      .getByRole("searchbox")
      .or(frame.locator("input[type=search], input[name=q], input[name=query], input[name=search]")),
  (frame) => frame.getByRole("textbox", { name: searchName }).or(frame.getByRole("combobox", { name: searchName })),
  (frame) => frame.getByPlaceholder(searchName),
];

/**
 * Finds the field to search in. Waits some seconds for it.
 *
 * @throws {AutomationError} `step_failed` if the page has no search field, or fields of several search forms.
 */
export async function findSearchBox(page: Page, signal: AbortSignal): Promise<Locator> {
  const ends = performance.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    const [first, another] = await listSearchBoxes(page);
    if (first && !another) return first;
    if (performance.now() > ends) {
      const what = another ? "ambiguous target: several fields to search in" : "there is no field to search in";
      throw new StepError(`${what} on ${await describeTitleAndUrl(page)}; name the field: fill X with Y`);
    }
    await sleep(pollMs, signal);
  }
}

/** Lists the fields to search in, by the first way that finds one. */
async function listSearchBoxes(page: Page): Promise<readonly Locator[]> {
  for (const locate of searchWays) {
    const boxes = await readFrames(page, async (frame) => {
      const visible = locate(frame).filter({ visible: true });
      const indexes = await visible.evaluateAll(findDifferingBoxes);
      return indexes.map((index) => visible.nth(index));
    });
    if (boxes.flat().length > 0) return boxes.flat();
  }
  return [];
}

/** Returns the indexes of fields that send different requests; only those in an open dialog if there is one. Runs in the page. */
function findDifferingBoxes(fields: readonly Element[]): number[] {
  const foldKey = (field: Element, index: number): string => {
    const form = field.closest("form");
    return form ? `${form.action} ${form.method} ${field.getAttribute("name")}` : String(index);
  };
  const keys = fields.map(foldKey);
  const inDialog = fields.flatMap((field, index) =>
    field.closest('dialog[open], [role="dialog"], [aria-modal="true"]') ? [index] : [],
  );
  const all = inDialog.length > 0 ? inDialog : [...fields.keys()];
  return all.filter((index) => keys.indexOf(keys[index] ?? "") === index || inDialog.length > 0);
}

/** Time for a menu to open, in milliseconds. */
const openMs = 400;

/**
 * Finds the menu that shows a hidden element on hover: moves the pointer over it, and checks whether the element appears.
 *
 * @returns The menu; undefined if the element is nowhere, in several places, or shows nowhere.
 */
export async function findMenu(page: Page, name: string): Promise<Locator | undefined> {
  for (const pattern of compileNamePatterns(name)) {
    const options = { name: pattern, includeHidden: true };
    const element = page
      .getByRole("link", options)
      .or(page.getByRole("button", options))
      .or(page.getByRole("menuitem", options))
      .filter({ visible: false });
    if ((await element.count().catch(() => 0)) !== 1) continue;
    const index = await element.evaluate(findTriggerIndex, undefined, { timeout: 1_000 }).catch(() => -1);
    if (index < 0) continue;
    const trigger = page.locator("css:light=*").nth(index);
    await trigger.hover({ timeout: 1_000 }).catch(() => {});
    const isShownNow = await element
      .or(page.getByText(pattern))
      .filter({ visible: true })
      .first()
      .waitFor({ timeout: openMs })
      .then(
        () => true,
        () => false,
      );
    if (isShownNow) return trigger;
  }
  return undefined;
}

/**
 * Runs in the page: returns the index, among all elements, of the likely trigger that shows a hidden element on hover, or -1.
 */
function findTriggerIndex(hidden: Element): number {
  const isShown = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility === "visible";
  };
  let around = hidden.parentElement;
  while (around && !isShown(around)) around = around.parentElement;
  if (around === null || around.matches("body, html, main")) return -1;
  const candidates = [
    ...around.querySelectorAll("a, button, [role=button], [role=menuitem], [aria-haspopup], span, summary"),
  ];
  const trigger = candidates.find((element) => isShown(element) && !element.contains(hidden)) ?? around;
  return [...document.querySelectorAll("*")].indexOf(trigger);
}
