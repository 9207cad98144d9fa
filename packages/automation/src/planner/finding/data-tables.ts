import type { Page } from "playwright-core";

/**
 * Returns the names of the tables with data that a page shows: in its main content, if that has some. Their captions, or the headings before
 * them; empty without one.
 */
export async function listTableNames(page: Page): Promise<readonly string[]> {
  const all = page.frames().map(
    async (frame) =>
      frame
        .locator("table, [role=table], [role=grid], [role=treegrid]")
        .filter({ visible: true })
        .evaluateAll(readTableNames)
        .catch((): string[] => []), // the page is navigating
  );
  return (await Promise.all(all)).flat();
}

/** Runs in the page. */
function readTableNames(tables: readonly Element[]): string[] {
  const oneLine = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
  const hasData = (table: Element): boolean => {
    const isLayout =
      ["presentation", "none"].includes(table.getAttribute("role") ?? "") ||
      table.querySelector("table, [role=table], [role=grid]") !== null;
    const hasHeaders = table.querySelector("th, [role=columnheader], [role=rowheader]") !== null;
    const isForm = !hasHeaders && table.querySelector("input:not([type=hidden]), select, textarea") !== null;
    return !isLayout && !isForm && table.querySelectorAll("tr, [role=row]").length > 1;
  };
  const data = tables.filter(hasData);
  const inMain = data.filter((table) => table.closest("main, [role=main]") !== null);
  const getName = (table: Element): string => {
    const label = table.querySelector("caption")?.textContent ?? table.getAttribute("aria-label");
    if (oneLine(label) !== "") return oneLine(label);
    const heading = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6, [role=heading]")].findLast(
      (one) => (one.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
    );
    return oneLine(heading?.textContent);
  };
  return (inMain.length > 0 ? inMain : data).map(getName);
}
