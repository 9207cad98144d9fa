import { bodyOf, loadingOf, mediaTypeOf } from "./live-dom.ts";

/** How long nothing may change in a page that still loads, or has nothing to show yet, until it counts as settled; in milliseconds. */
const quietMs = 400;
/** Fewest characters of a page that has something to show. */
const fewest = 40;

/**
 * Waits until the document is loaded and has something to show, or until nothing has changed in it for a moment; no longer than given.
 *
 * Source: ours.
 */
export async function settle(maxMs: number): Promise<void> {
  if (isReady() || maxMs <= 0) return;
  await new Promise<void>((resolve) => {
    let quiet: ReturnType<typeof setTimeout> | undefined;
    const end = (): void => {
      observer.disconnect();
      clearTimeout(quiet);
      clearTimeout(last);
      EventTarget.prototype.removeEventListener.call(document, "readystatechange", changed);
      window.removeEventListener("load", changed);
      resolve();
    };
    const changed = (): void => {
      if (isReady()) return end();
      clearTimeout(quiet);
      if (loadingOf(document) !== "loading") quiet = setTimeout(end, quietMs);
    };
    const observer = new MutationObserver(changed);
    const last = setTimeout(end, maxMs);
    observer.observe(document, { childList: true, subtree: true, characterData: true });
    EventTarget.prototype.addEventListener.call(document, "readystatechange", changed);
    window.addEventListener("load", changed);
    changed();
  });
}

function isReady(): boolean {
  if (loadingOf(document) !== "complete") return false;
  const body = bodyOf(document);
  // An application that draws itself after the load event has next to nothing at first.
  return body === null || mediaTypeOf(document) !== "text/html" || hasContent(body);
}

function hasContent(body: HTMLElement): boolean {
  if (body.querySelector("img, video, iframe, frame, svg, canvas, input") !== null) return true;
  const words = Document.prototype.createTreeWalker.call(document, body, NodeFilter.SHOW_TEXT);
  let characters = 0;
  for (let node = words.nextNode(); node !== null && characters < fewest; node = words.nextNode()) {
    const parent = node.parentElement?.localName;
    if (parent !== "script" && parent !== "style" && parent !== "noscript")
      characters += (node.nodeValue ?? "").trim().length;
  }
  return characters >= fewest || body.querySelector("script, [data-reactroot]") === null;
}
