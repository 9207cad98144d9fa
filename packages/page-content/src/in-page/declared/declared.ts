import { flatMarks } from "../flatten/flat-marks.ts";
import type { DeclaredContent, DeclaredList, DeclaredPairs, DeclaredTable } from "./declared-data.ts";
import { readJsonLd } from "./json-ld.ts";
import { readMetadata } from "./metadata.ts";
import { readMicrodata } from "./microdata.ts";
import { readDefinitions, readLabels } from "./pairs.ts";
import { readRdfa } from "./rdfa.ts";
import { readShownText } from "./shown-text.ts";
import { findVisibleItems, shownValue } from "./shown-value.ts";
import { readDeclaredTable, tableSelector } from "./tables.ts";

const maxGroups = 200;
const maxBlocks = 5_000;
const maxHeadingLength = 300;
/** Time limit for the tables, lists and labels of a page, in milliseconds; only a hostile page reaches it. */
const maxMs = 500;
const hiddenSelector = `[${flatMarks.hidden}="display"]`;
const nested: ReadonlySet<string> = new Set(["UL", "OL"]);

/**
 * Reads all that a page declares about its content. Runs in the page, on the live document or on a copy of it (then
 * give what `readJsonLd` read from the live one): it changes nothing, needs no layout, and is bounded in count, depth,
 * size and time.
 */
export function readDeclared(document: Document, jsonLd = readJsonLd(document)): DeclaredContent {
  const base = document.baseURI;
  const headings: { level: number; text: string }[] = [];
  const tables: DeclaredTable[] = [];
  const pairs: DeclaredPairs[] = [];
  const lists: DeclaredList[] = [];
  let heading: string | undefined;
  const end = performance.now() + maxMs;
  const isLate = (): boolean => performance.now() > end;

  const blocks = document.querySelectorAll(`h1, h2, h3, h4, h5, h6, ${tableSelector}, dl, ul, ol`);
  const hidesSome = document.querySelector(hiddenSelector) !== null;
  for (const block of [...blocks].slice(0, maxBlocks)) {
    if (isLate()) break;
    if (hidesSome && block.closest(hiddenSelector)) continue;
    if (/^h\d$/i.test(block.nodeName)) {
      heading = readShownText(block, { longest: maxHeadingLength }) || undefined;
      if (heading && headings.length < maxGroups)
        headings.push({ level: Number(block.nodeName.slice(1)), text: heading });
      continue;
    }
    const named = heading && !block.parentElement?.closest("ul, ol, dl") ? { name: heading } : {};
    if (block.matches(tableSelector)) addTable(readDeclaredTable(block, base, heading));
    else if (/^dl$/i.test(block.nodeName))
      addPairs({ ...named, by: "definition list", pairs: readDefinitions(block, base) });
    else if (lists.length < maxGroups && !block.closest("nav")) lists.push({ ...named, items: listValues(block) });
  }
  for (const group of readLabels(document, isLate)) addPairs(group);
  return {
    ...readMetadata(document),
    jsonLd,
    microdata: readMicrodata(document),
    rdfa: readRdfa(document),
    tables,
    pairs,
    lists: lists.filter(({ items }) => items.length > 0),
    headings,
  };

  function addTable(read: DeclaredTable | DeclaredPairs | undefined): void {
    if (read && "by" in read) addPairs(read);
    else if (read && tables.length < maxGroups && read.rows.length > 0) tables.push(read);
  }

  function addPairs(group: DeclaredPairs): void {
    if (group.pairs.length > 0 && pairs.length < maxGroups) pairs.push(group);
  }

  function listValues(list: Element): DeclaredList["items"] {
    return findVisibleItems(list)
      .map((item) => shownValue(item, base, nested))
      .filter(({ text }) => text !== "");
  }
}
