import { bodyOf, loadingOf, mediaTypeOf } from "./flatten/live-dom.ts";
import { hasUndecidedObject } from "./flatten/object-fallback.ts";

/** Time without changes after which a page that still loads, or is still empty, counts as settled, in milliseconds. */
const quietMs = 400;
/** Number of characters from which a page counts as not empty. */
const minCharacters = 40;

/** Time after its request for which a document may still wait for its data, in milliseconds. */
const growthMs = 3_000;

/** Returns whether scripts of the document may have requested data that is not rendered yet. */
export function mayGrow(): boolean {
  const script = Document.prototype.querySelector.call(document, "script:not([type*=json])");
  return script !== null && performance.now() < growthMs;
}

/**
 * Waits until the document is loaded and not empty, or has not changed for a moment; at most for the given time.
 *
 * @param stableMs - How long nothing may change in one that has something to show, in milliseconds.
 */
export async function waitUntilSettled(maxMs: number, stableMs = 0): Promise<void> {
  if ((stableMs === 0 && isReady()) || maxMs <= 0) return;
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
      const ready = isReady();
      if (ready && stableMs === 0) return end();
      clearTimeout(quiet);
      if (loadingOf(document) !== "loading") quiet = setTimeout(end, ready ? stableMs : quietMs);
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
  if (body === null || mediaTypeOf(document) !== "text/html") return true;
  return hasContent(body) && !(performance.now() < growthMs && hasUndecidedObject());
}

function hasContent(body: HTMLElement): boolean {
  const words = Document.prototype.createTreeWalker.call(document, body, NodeFilter.SHOW_TEXT);
  let characters = 0;
  for (let node = words.nextNode(); node !== null; node = words.nextNode()) {
    const parent = node.parentElement?.localName;
    if (parent !== "script" && parent !== "style" && parent !== "noscript")
      characters += (node.nodeValue ?? "").trim().length;
    if (characters >= minCharacters) return true;
  }
  return (
    body.querySelector("img, video, iframe, frame, svg, canvas, input") !== null ||
    body.querySelector("script, [data-reactroot]") === null
  );
}
