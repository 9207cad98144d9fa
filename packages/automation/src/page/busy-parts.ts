import type { Page } from "playwright-core";
import { readFrames } from "./frames.ts";
import { busyWords } from "./words.ts";

/** Most frames of a page that are read. */
const maxFrames = 8;
/** Longest wait for a document, in milliseconds. */
const timeoutMs = 2000;

/** Returns the texts of elements that show that a page is busy: `aria-busy`, a skeleton, "Loading", "Saving…". */
export async function listBusyParts(page: Page): Promise<readonly string[]> {
  const texts = await readFrames(page, async (frame) => frame.evaluate(readBusyParts, busyWords.source), {
    timeoutMs,
    most: maxFrames,
  });
  return texts.flat();
}

/** Runs in the page. */
function readBusyParts(words: string): string[] {
  const word = new RegExp(words, "iu");
  const oneLine = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
  const isShown = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const marked = "[aria-busy=true], [class*=skeleton i], [class*=shimmer i], [class*=placeholder-glow i]";
  const marks = [...document.querySelectorAll(marked)]
    .filter(isShown)
    .map((element) => `${element.localName} ${oneLine(element.textContent).slice(0, 60)}`.trim());
  const texts: string[] = [];
  const walker = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT);
  for (let count = 0; count < 20_000 && walker.nextNode(); count += 1) {
    const raw = walker.currentNode.nodeValue ?? "";
    if (raw.length > 80 || raw.length < 3) continue;
    const text = oneLine(raw);
    const parent = walker.currentNode.parentElement;
    if (!word.test(text) || !parent || !isShown(parent)) continue;
    const hasDots = /(?:…|\.{2,3})$/.test(text);
    const other = hasDots
      ? "script, style, noscript, option"
      : "script, style, noscript, button, a, h1, h2, h3, label, option, td";
    if (!parent.closest(other)) texts.push(text);
  }
  return [...marks, ...texts].slice(0, 5);
}
