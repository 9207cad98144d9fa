import { isElement } from "../flatten/flat-marks.ts";
import { blockChances } from "./block-chances.ts";
import { chooseBlocks } from "./block-choice.ts";
import { completeBlocks } from "./completed-blocks.ts";
import { contentCopy } from "./content-copy.ts";
import { collectPageFacts } from "./page-facts.ts";
import { pageKindChances, pageKindRow } from "./page-kind.ts";
import { outlineDocument, type PageOutline } from "./page-outline.ts";
import { readabilityShares } from "./readability-shares.ts";

/** Pages with fewer words are also read inside of `noscript`. */
const fewWords = 40;
const surroundings =
  "script,style,noscript,template,nav,footer,aside,dialog,form,body>header,[role=navigation],[role=banner],[role=contentinfo],[role=complementary],[role=search],[role=dialog],[hidden],[aria-hidden=true]";

/**
 * Finds the main content of a page, without navigation, footers, banners, advertisements, related
 * links and comments on articles. Of a forum thread, the posts are the content.
 *
 * The page is split into blocks of text; trained decision trees give the probability of each to be content, and those are chosen that
 * make the expected F1 the highest. Works in a browser and in DOMs without layout, on a document of which it changes
 * nothing. The time is linear in the size of the document.
 *
 * @returns A `div`, not in the document, with copies of the chosen parts in their structure. Never throws: at worst the
 *   body without its obvious surroundings.
 */
export function findMainContent(document: Document): Element {
  try {
    const outline = outlinePage(document.documentElement);
    return contentCopy(document, outline, mainBlocks(document, outline));
  } catch {
    return withoutSurroundings(document);
  }
}

/** Returns the outline of a page; if it shows next to nothing, with the content of its `noscript` elements. */
function outlinePage(root: Element): PageOutline {
  const outline = outlineDocument(root);
  return (outline.elements[0]?.words ?? 0) < fewWords ? outlineDocument(root, true) : outline;
}

function mainBlocks(document: Document, outline: PageOutline): Uint8Array {
  const facts = collectPageFacts(document, outline, readabilityShares(document, outline));
  const kind = pageKindChances(pageKindRow(document, facts));
  const chosen = chooseBlocks(outline, blockChances(facts, kind), kind[0] ?? 0);
  return completeBlocks(outline, chosen, document.querySelector("title")?.textContent ?? "");
}

function withoutSurroundings(document: Document): Element {
  const root = document.createElement("div");
  try {
    const body = document.querySelector("body") ?? document.documentElement;
    const copy = body.cloneNode(true);
    if (!isElement(copy)) return root;
    for (const element of copy.querySelectorAll(surroundings)) element.remove();
    while (copy.firstChild !== null) root.appendChild(copy.firstChild);
  } catch {
    // A document too odd to copy has no content that could be shown.
  }
  return root;
}
