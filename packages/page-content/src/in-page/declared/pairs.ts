import { flatMarks, isHidden } from "../flatten/flat-marks.ts";
import type { DeclaredPairs, ShownValue } from "./declared-data.ts";
import { readShownText } from "./shown-text.ts";
import { linkAndTime, shownValue } from "./shown-value.ts";

const maxPairs = 500;
const maxLabels = 3_000;
const maxLabelLength = 80;
const maxLabelledLength = 400;
/** Elements in which no labels are searched. */
const excluded = `table, dl, nav, script, pre, [${flatMarks.hidden}="display"]`;

type Pair = readonly [string, ShownValue];

/** Reads the labels and values of a definition list, those in groups (`div`) too. */
export function readDefinitions(list: Element, base: string): readonly Pair[] {
  const groups = [...list.children].filter((child) => !isHidden(child) || !isGroup(child));
  const parts = groups.flatMap((child) => (isGroup(child) ? Array.from(child.children) : child));
  const pairs: Pair[] = [];
  let labels: string[] = [];
  let hasValue = false;
  for (const part of parts.slice(0, maxPairs * 2)) {
    if (/^dt$/i.test(part.nodeName)) {
      if (hasValue) labels = [];
      hasValue = false;
      // The values of a label that is hidden are not those of the one before it.
      labels.push(isHidden(part) ? "" : asLabel(readShownText(part)));
    } else if (/^dd$/i.test(part.nodeName)) {
      hasValue = true;
      if (isHidden(part)) continue;
      const value = shownValue(part, base);
      if (value.text) for (const label of labels.filter(Boolean)) pairs.push([label, value]);
    }
  }
  return pairs.slice(0, maxPairs);
}

function isGroup(element: Element): boolean {
  return /^div$/i.test(element.nodeName);
}

/**
 * Reads labels in the text: elements that begin with a label in an inner element, ended by a colon (`<b>Weight:</b> 2 kg`). One group for
 * each parent of such elements.
 *
 * @param isLate - Returns whether the time is over; what was read until then is returned.
 */
export function readLabels(document: Document, isLate: () => boolean): readonly DeclaredPairs[] {
  const groups = new Map<Element, Pair[]>();
  for (const label of [...document.querySelectorAll("b, strong, label, span, em")].slice(0, maxLabels)) {
    const labelled = label.parentElement;
    if (isLate()) break;
    if (!labelled || labelled.closest(excluded) || !/:\s*$/.test(ending(label, labelled))) continue;
    const text = asLabel(readShownText(label));
    const whole = readShownText(labelled, { longest: maxLabelledLength + 1 });
    const isFirst = labelled.firstElementChild === label && whole.startsWith(readShownText(label));
    if (!isFirst || !text || text.length > maxLabelLength || whole.length > maxLabelledLength) continue;
    const rest = whole.slice(readShownText(label).length).replace(/^[\s:]+/, "");
    if (!rest || /:(?:\s|$)/.test(rest)) continue;
    const place = labelled.parentElement ?? labelled;
    groups.set(place, [
      ...(groups.get(place) ?? []),
      [text, { ...linkAndTime(labelled, document.baseURI), text: rest }],
    ]);
  }
  return [...groups.values()].map((pairs) => ({ by: "label", pairs }));
}

/** The text of a label, or what follows it when the colon is outside of it. */
function ending(label: Element, labelled: Element): string {
  const next = label.nextSibling;
  const text = readShownText(label, { longest: maxLabelledLength });
  if (text.endsWith(":")) return text;
  return next?.nodeType === 3 && labelled.firstElementChild === label && /^\s*:/.test(next.nodeValue ?? "") ? ":" : "";
}

function asLabel(text: string): string {
  return text.replace(/\s*:$/, "");
}
