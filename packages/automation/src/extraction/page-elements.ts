import type { Page } from "playwright-core";
import { readFrames } from "../page/frames.ts";
import { elementSelectors, type ElementNoun } from "../task/element-nouns.ts";

/** Most texts of one page. */
const most = 5000;

/** Reads the texts of all elements of a kind that a page shows, in their order; those of frames after those of the page. */
export async function readElements(page: Page, noun: ElementNoun): Promise<readonly string[]> {
  const texts = await readFrames(page, async (frame) =>
    frame.locator(elementSelectors[noun]).filter({ visible: true }).evaluateAll(readTexts),
  );
  return texts.flat().slice(0, most);
}

/** Runs in the page. */
function readTexts(elements: readonly Element[]): string[] {
  return elements.flatMap((element) => {
    const shown = element instanceof HTMLElement ? element.innerText : (element.textContent ?? "");
    const text = (element.localName === "pre" ? shown : shown.replace(/\s+/g, " ")).trim();
    const value = element instanceof HTMLInputElement ? element.value : "";
    const label = text || value || (element.getAttribute("aria-label") ?? "").trim();
    return label === "" ? [] : [label];
  });
}
