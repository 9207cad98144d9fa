import type { DeclaredPairs, ShownValue } from "./declared-data.ts";
import { absoluteAddress, shownValue, textOf } from "./shown-value.ts";

const mostPairs = 500;
const mostLabels = 3_000;
const longestLabel = 80;
const longestLabelled = 400;

type Pair = readonly [string, ShownValue];

/** Reads the labels and values of a definition list, those in groups (`div`) too. Source: ours. */
export function readDefinitions(list: Element, base: string): readonly Pair[] {
  const parts = [...list.children].flatMap((child) =>
    /^div$/i.test(child.nodeName) ? Array.from(child.children) : child,
  );
  const pairs: Pair[] = [];
  let labels: string[] = [];
  let hasValue = false;
  for (const part of parts.slice(0, mostPairs * 2)) {
    if (/^dt$/i.test(part.nodeName)) {
      if (hasValue) labels = [];
      hasValue = false;
      labels.push(asLabel(textOf(part)));
    } else if (/^dd$/i.test(part.nodeName)) {
      hasValue = true;
      const value = shownValue(part, base);
      if (value.text) for (const label of labels.filter(Boolean)) pairs.push([label, value]);
    }
  }
  return pairs.slice(0, mostPairs);
}

/**
 * Reads labels in the text: an element that begins with one of its own (`<b>Weight:</b> 2 kg`), the label marked by an
 * element and ended by a colon. One group for each parent of such elements.
 *
 * @param isLate - Whether the time for it is over; what was read until then is returned.
 *
 * Source: ours.
 */
export function readLabels(document: Document, isLate: () => boolean): readonly DeclaredPairs[] {
  const groups = new Map<Element, Pair[]>();
  for (const label of [...document.querySelectorAll("b, strong, label, span, em")].slice(0, mostLabels)) {
    const labelled = label.parentElement;
    if (isLate()) break;
    if (!labelled || labelled.closest("table, dl, nav, script, pre") || !/:\s*$/.test(ending(label, labelled)))
      continue;
    const text = asLabel(textOf(label));
    const whole = textOf(labelled, undefined, longestLabelled + 1);
    const isFirst = labelled.firstElementChild === label && whole.startsWith(textOf(label));
    if (!isFirst || !text || text.length > longestLabel || whole.length > longestLabelled) continue;
    const rest = whole.slice(textOf(label).length).replace(/^[\s:]+/, "");
    if (!rest || /:(?:\s|$)/.test(rest)) continue;
    const place = labelled.parentElement ?? labelled;
    groups.set(place, [...(groups.get(place) ?? []), [text, { ...linksOf(labelled, document.baseURI), text: rest }]]);
  }
  return [...groups.values()].map((pairs) => ({ by: "label", pairs }));
}

/** The text of a label, or what follows it when the colon is outside of it. */
function ending(label: Element, labelled: Element): string {
  const next = label.nextSibling;
  const text = textOf(label, undefined, longestLabelled);
  if (text.endsWith(":")) return text;
  return next?.nodeType === 3 && labelled.firstElementChild === label && /^\s*:/.test(next.nodeValue ?? "") ? ":" : "";
}

function linksOf(element: Element, base: string): Omit<ShownValue, "text"> {
  const links = element.querySelectorAll("a[href]");
  const href = links.length === 1 ? absoluteAddress(links[0]?.getAttribute("href"), base) : undefined;
  const machine = element.querySelector("time[datetime]")?.getAttribute("datetime");
  return { ...(href ? { href } : {}), ...(machine ? { machine } : {}) };
}

function asLabel(text: string): string {
  return text.replace(/\s*:$/, "");
}
