import { searchFurther } from "../extraction/find-further.ts";
import { moreNames, nextNames } from "../extraction/further-names.ts";
import { writeMorePattern } from "../extraction/says-more.ts";
import { escapeCode } from "./text-source.ts";
import { thingsPart } from "./things-source.ts";

/** Helper functions that exported source may need. */
export type SourcePart =
  | "readTable"
  | "readList"
  | "readLinks"
  | "readDeclared"
  | "dropMore"
  | "readPages"
  | "readThings"
  | "further"
  | "following"
  | "goBack"
  | "selectOption"
  | "chooseFiles"
  | "followTabs"
  | "findTab"
  | "answerDialogs"
  | "quotable";

/** Helper functions of exported source, as TypeScript with their comments. */
export const sourceParts: Readonly<Record<SourcePart, string>> = {
  readTable: `/** Reads the largest table of a part: an object for each row, by the headers. Of one that draws only the rows that are shown, those. */
async function readTable(part: Locator): Promise<Record<string, string>[]> {
  await part.locator("td, [role=cell], [role=gridcell]").first().waitFor({ state: "attached", timeout: 4_000 }).catch(() => {}); // it may come late
  const lines = await part.evaluate((root) => {
    const text = (element: Element): string => ((element as HTMLElement).innerText ?? "").replace(/\\s+/g, " ").trim();
    const isTable = "table, [role=table], [role=grid]";
    const isHeader = "th:not([scope=row]), [role=columnheader]";
    const cells = (row: Element): Element[] => [...row.querySelectorAll("th, td, [role=columnheader], [role=rowheader], [role=cell], [role=gridcell]")];
    const rowsOf = (table: Element): Element[] => [...table.querySelectorAll("tr, [role=row]")].filter((row) => row.closest(isTable) === table && row.closest("tfoot") === null);
    const tables = root.matches(isTable) ? [root] : [...root.querySelectorAll(isTable)];
    const size = (table: Element): number => table.querySelectorAll("td, [role=cell], [role=gridcell]").length;
    const [table] = tables.sort((one, other) => size(other) - size(one));
    const rows = table ? rowsOf(table) : [];
    const isHead = (row: Element): boolean => cells(row).every((cell) => cell.matches(isHeader)) || row.closest("thead") !== null;
    const head = rows.find(isHead);
    const headers = head ? cells(head).map(text) : [];
    return rows
      .filter((row) => !isHead(row) && (headers.length < 2 || cells(row).length > 1)) // a single cell parts rows, or says that there are more
      .map((row) => Object.fromEntries(cells(row).map((cell, column) => [headers[column] || \`Column \${column + 1}\`, text(cell)])));
  });
  return dropMore(lines);
}`,
  readList: `/** Reads the items of the largest list of a part; of a list of terms, each with what it means. Of one that draws only the items that are shown, those. */
async function readList(part: Locator): Promise<string[]> {
  await part.locator("li, dt, [role=listitem], [role=option]").first().waitFor({ state: "attached", timeout: 4_000 }).catch(() => {}); // it may come late
  const items = await part.evaluate((root) => {
    const text = (element: Element | null): string => ((element as HTMLElement | null)?.innerText ?? "").replace(/\\s+/g, " ").trim();
    const isList = "ul, ol, dl, [role=list], [role=listbox]";
    const items = (list: Element): Element[] =>
      [...list.querySelectorAll("li, dt, [role=listitem], [role=option]")].filter((item) => item.parentElement?.closest(isList) === list);
    const lists = root.matches(isList) ? [root] : [...root.querySelectorAll(isList)].filter((list) => !list.closest("nav, header, footer"));
    const [list] = lists.sort((one, other) => items(other).length - items(one).length);
    const lines = (list ? items(list) : []).map((item) => (item.matches("dt") ? \`\${text(item)}: \${text(item.nextElementSibling)}\` : text(item)));
    return lines.filter((line) => line !== "");
  });
  return dropMore(items);
}`,
  readLinks: `/** Reads the links of a part, each once. */
async function readLinks(part: Locator): Promise<{ text: string; url: string }[]> {
  await part.locator("a[href]").first().waitFor({ state: "attached", timeout: 4_000 }).catch(() => {}); // it may come late
  return part.evaluate((root) => {
    const links = root.matches("a[href]") ? [root] : [...root.querySelectorAll("a[href]")];
    const found = links
      .filter((link) => link.getClientRects().length > 0)
      .map((link) => ({ text: (link as HTMLElement).innerText.replace(/\\s+/g, " ").trim(), url: (link as HTMLAnchorElement).href }));
    const real = found.filter(({ url }) => /^(?:https?|mailto|tel|ftp):/.test(url));
    return [...new Map(real.map((link) => [\`\${link.text} \${link.url}\`, link])).values()];
  });
}`,
  readDeclared: `/** Reads properties that a page declares as JSON-LD, microdata or metadata; a small part of what the service itself can. */
async function readDeclared(part: Locator, names: string[]): Promise<Record<string, unknown>> {
  return part.evaluate((root, wanted) => {
    const things: Record<string, unknown>[] = [];
    const add = (value: unknown): void => {
      if (Array.isArray(value)) return value.forEach(add);
      if (typeof value !== "object" || value === null) return;
      things.push(value as Record<string, unknown>);
      Object.values(value).forEach(add);
    };
    for (const script of document.querySelectorAll("script[type='application/ld+json']")) {
      try {
        add(JSON.parse(script.textContent ?? ""));
      } catch {} // not every page declares what can be read
    }
    const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");
    const declared = (name: string): unknown => {
      for (const thing of things) for (const [key, value] of Object.entries(thing)) if (plain(key) === plain(name)) return value;
      const item = [...root.querySelectorAll("[itemprop]")].find((one) => plain(one.getAttribute("itemprop") ?? "") === plain(name));
      const meta = [...document.querySelectorAll("meta[property], meta[name]")].find((one) =>
        plain((one.getAttribute("property") ?? one.getAttribute("name") ?? "").replace(/^[a-z]+:/, "")) === plain(name),
      );
      return item?.getAttribute("content") ?? item?.textContent?.trim() ?? meta?.getAttribute("content") ?? undefined;
    };
    return Object.fromEntries(wanted.map((name) => [name, declared(name)]));
  }, names);
}`,
  dropMore: `/** Drops the last row or item if it only says that there is more. */
function dropMore<Item extends string | Record<string, string>>(items: Item[]): Item[] {
  const last = items.at(-1) ?? "";
  const line = (typeof last === "string" ? [last] : Object.values(last)).filter((cell) => cell !== "").join(" ");
  const isMore = new RegExp(${JSON.stringify(writeMorePattern())}, "iu").test(line);
  return items.slice(0, items.length > 1 && line.length <= 60 && isMore ? -1 : undefined);
}`,
  readThings: thingsPart,
  readPages: `/**
 * Reads page after page: by the recorded link, by any other one to the next page, its number, a button that loads more, or by
 * scrolling. Unlike the function itself it does not hear that the page could not load more.
 */
async function readPages<Item>(page: Page, next: Locator, most: number, scrolls: boolean, read: () => Promise<Item[]>): Promise<Item[]> {
  let items = await read();
  const all = [...items];
  const seen = [JSON.stringify(items)];
  const tried: string[] = [];
  for (let count = 1; count < most && tried.length <= 3; ) {
    const isRecorded = tried.length === 0 && (await next.count()) > 0 && (await next.first().isEnabled());
    const found = isRecorded ? undefined : await page.evaluateHandle<{ element: Element | null; name: string }>(\`(\${searchFurther})(\${JSON.stringify({ ...furtherNames, read: count, tried })}) ?? { element: null, name: "" }\`);
    const further = found ? (await found.getProperty("element")).asElement() : next.first();
    const name = found ? await found.evaluate((one) => one.name) : "the recorded link";
    if (further === null && !scrolls) break;
    await (further ? further.click() : scrollToEnd(page));
    let now = items;
    for (let tries = 0; tries < 30 && JSON.stringify(now) === JSON.stringify(items); tries += 1) {
      await page.waitForTimeout(100);
      now = await read().catch(() => items);
    }
    if (seen.includes(JSON.stringify(now))) {
      if (further === null) break;
      tried.push(name); // it shows nothing new: not the way, or not any more
      continue;
    }
    const isGrown = now.length > items.length && items.every((item, at) => JSON.stringify(item) === JSON.stringify(now[at]));
    if (further === null && !isGrown) throw new Error("The list draws only the rows that are shown: this source can't read all of it, the function can.");
    all.push(...(isGrown ? now.slice(items.length) : now));
    seen.push(JSON.stringify(now));
    items = now;
    count += 1;
  }
  return all;
}

async function scrollToEnd(page: Page): Promise<void> {
  await page.evaluate(() => {
    const root = document.scrollingElement ?? document.documentElement;
    for (const one of document.querySelectorAll("*")) {
      const scrolls = one === root || /auto|scroll|overlay/.test(getComputedStyle(one).overflowY);
      if (scrolls && one.scrollHeight > one.clientHeight + 4) one.scrollTo({ top: one.scrollHeight, behavior: "instant" });
    }
  });
}`,
  further: `/** Names of controls that show more, in the languages of the web. */
const furtherNames = {
  nextNames: ${JSON.stringify(nextNames)},
  moreNames: ${JSON.stringify(moreNames)},
};

/** Finds, in the page, the control that shows more. */
const searchFurther = \`${escapeCode(searchFurther.toString())}\`;`,
  following: `/** Follows the pages that are opened from a page. Returns a function that waits for an action, which may close its page, and, within a bound, until nothing is pending, and resolves with the page to continue with: the one opened last that is still open. */
function following(first: Page): (act: Promise<unknown>) => Promise<Page> {
  const pages: Page[] = [];
  const follow = (page: Page): void => {
    pages.push(page);
    page.on("popup", follow);
    page.on("close", () => pages.splice(pages.indexOf(page), 1));
  };
  follow(first);
  const pending = new Set<Request>();
  const awaited = ["document", "script", "stylesheet", "xhr", "fetch"];
  first.context().on("request", (request) => awaited.includes(request.resourceType()) && pending.add(request));
  first.context().on("requestfinished", (request) => pending.delete(request));
  first.context().on("requestfailed", (request) => pending.delete(request));
  const hadBegun = /performing click action|(?:elementHandle|keyboard)\\.press/;
  return async (act) => {
    await act.catch((error: unknown) => {
      if (!String(error).includes("has been closed") || !hadBegun.test(String(error))) throw error;
    });
    const began = performance.now();
    const most = (): number => ([...pending].some((request) => request.isNavigationRequest()) ? 8_000 : 2_500);
    for (let quiet = 0; quiet < 10 && performance.now() - began < most(); quiet = pending.size === 0 ? quiet + 1 : 0) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    pending.clear();
    const page = pages.at(-1) ?? first;
    await page.waitForLoadState("domcontentloaded", { timeout: 8_000 }).catch(() => {});
    return page;
  };
}`,
  goBack: `/** Goes back; closes a page that was opened by another one when there is none before it. */
async function goBack(page: Page): Promise<void> {
  const before = page.url();
  const response = await page.goBack();
  if (response === null && page.url() === before && (await page.opener()) !== null) await page.close();
}`,
  selectOption: `/** Selects an option by its text or its value, or by a text that differs in case or white space only; in a list that the page draws itself, too. */
async function selectOption(page: Page, list: Locator, wanted: string): Promise<void> {
  const given = await list.evaluate((element) =>
    element instanceof HTMLSelectElement ? [...element.options].map(({ label, value, selected }) => ({ label: label.replace(/\\s+/g, " ").trim(), value, isKept: element.multiple && selected })) : undefined,
  );
  const drawn = page.getByRole("option").filter({ visible: true });
  if (!given && (await drawn.count()) === 0) await list.click();
  if (!given) await drawn.first().waitFor({ timeout: 5_000 }).catch(() => {});
  const options = given ?? (await drawn.allInnerTexts()).map((text) => ({ label: text.replace(/\\s+/g, " ").trim(), value: text, isKept: false }));
  const plain = (text: string): string => text.toLowerCase().replace(/\\s+/g, " ").replace(/[\\s:.…]+$/, "").trim();
  const like = options.filter(({ label }) => plain(label) === plain(wanted));
  const chosen = options.find(({ label }) => label === wanted) ?? options.find(({ value }) => value === wanted) ?? (like.length === 1 ? like[0] : undefined);
  if (!chosen) throw new Error(\`There is no option "\${wanted}".\`);
  const index = options.indexOf(chosen);
  const kept = options.flatMap(({ isKept }, at) => (isKept ? [{ index: at }] : []));
  if (given) await list.selectOption([...kept, { index }]);
  else await drawn.nth(index).click();
}`,
  chooseFiles: `/** Puts files into a file input, or into the file chooser that a click opens. They are paths on the machine of this program. */
async function chooseFiles(page: Page, input: Locator, files: string[]): Promise<void> {
  if (await input.evaluate((element) => element instanceof HTMLInputElement && element.type === "file")) return input.setInputFiles(files);
  const inner = input.locator("input[type=file]");
  if ((await inner.count()) === 1) return inner.setInputFiles(files);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), input.click()]);
  await chooser.setFiles(files);
}`,
  followTabs: `/** Follows the pages of a browser context: this one, and then those that are opened, in their order. */
function followTabs(first: Page): Page[] {
  const tabs = [first];
  first.context().on("page", (page) => tabs.push(page));
  return tabs;
}`,
  findTab: `/** Waits for the page of a number to be opened. */
async function findTab(tabs: Page[], number: number): Promise<Page> {
  for (let waits = 0; waits < 200 && !tabs[number - 1]; waits += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  const page = tabs[number - 1];
  if (!page) throw new Error(\`There is no tab \${number}.\`);
  await page.waitForLoadState("domcontentloaded");
  return page;
}`,
  answerDialogs: `/** Does something, and answers the dialogs that it leads to, in their order; any other one is dismissed. */
async function answerDialogs(page: Page, answers: { type: string; message: string; accept: boolean; text?: string }[], act: () => Promise<unknown>): Promise<void> {
  const left = [...answers];
  const answer = async (dialog: Dialog): Promise<void> => {
    const [next] = left;
    if (next?.type !== dialog.type() || next.message !== dialog.message()) return dialog.dismiss();
    left.shift();
    await (next.accept ? dialog.accept(next.text) : dialog.dismiss());
  };
  page.on("dialog", answer);
  try {
    await act();
    for (let waits = 0; waits < 100 && left.length > 0; waits += 1) await new Promise((resolve) => setTimeout(resolve, 50));
    if (left[0]) throw new Error(\`The page did not show the dialog "\${left[0].message}".\`);
  } finally {
    page.off("dialog", answer);
  }
}`,
  quotable: `/** A text as it stands between quotes in a selector. */
function quotable(text: string): string {
  return text.replace(/["'\\\\]/g, "\\\\$&");
}`,
};
