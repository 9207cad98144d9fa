import { classGroupCount } from "./class-words.ts";
import type { OutlineElement } from "./page-outline.ts";

/** Landmark elements; a role may replace the tag. */
export const landmarkNames: readonly string[] =
  "nav header footer aside main article form table ul ol dl figure dialog section blockquote pre li tr a details".split(
    " ",
  );

const landmarkOfRole: Readonly<Record<string, string>> = {
  navigation: "nav",
  banner: "header",
  contentinfo: "footer",
  complementary: "aside",
  main: "main",
  article: "article",
  search: "form",
  dialog: "dialog",
  alertdialog: "dialog",
  menu: "nav",
  menubar: "nav",
};
const bitOfLandmark = new Map(landmarkNames.map((name, bit) => [name, bit]));
const never = -1;
const neverItems = new Set(["p", "tr", "td"]);
const minItems = 3;

/** Surroundings of an element, as depths of the nearest such ancestor or self; -1 for none. */
export interface Surroundings {
  /** Numbers of landmarks, by {@link landmarkNames}. */
  landmarks: Int16Array;
  /** Numbers of class words, by their groups. */
  groups: Int16Array;
  /** The nearest hidden one. */
  hidden: number;
  /** 2 in a property that is declared to be body text, 1 in another one, 0 in none. */
  property: number;
  /** The index of the nearest item of a list (one of three or more siblings that look the same); -1 for none. */
  item: number;
  /** The index of the outermost one. */
  outerItem: number;
}

/** The surroundings of each element; elements that add nothing share the arrays of their parents. */
export function describeSurroundings(elements: readonly OutlineElement[], siblings: Float64Array): Surroundings[] {
  const nothing: Surroundings = {
    landmarks: new Int16Array(landmarkNames.length).fill(never),
    groups: new Int16Array(classGroupCount).fill(never),
    hidden: never,
    property: 0,
    item: never,
    outerItem: never,
  };
  const all: Surroundings[] = [];
  elements.forEach((entry, index) => {
    const above = all[entry.parent];
    if (above === undefined) {
      all.push(nothing);
      return;
    }
    const bit = bitOfLandmark.get(landmarkOfRole[entry.role] ?? entry.tag);
    const isItem = (siblings[index] ?? 0) >= minItems && entry.words >= minItems && !neverItems.has(entry.tag);
    if (bit === undefined && entry.groups === 0 && !entry.hidden && !isItem && entry.property === "") {
      all.push(above);
      return;
    }
    all.push({
      landmarks: bit === undefined ? above.landmarks : above.landmarks.with(bit, entry.depth),
      groups:
        entry.groups === 0
          ? above.groups
          : above.groups.map((depth, group) => ((entry.groups >>> group) & 1 ? entry.depth : depth)),
      hidden: entry.hidden ? entry.depth : above.hidden,
      property:
        entry.property === "" ? above.property : /articleBody|description|text|reviewBody/.test(entry.property) ? 2 : 1,
      item: isItem ? index : above.item,
      outerItem: above.outerItem >= 0 ? above.outerItem : isItem ? index : never,
    });
  });
  return all;
}

/** Counts, for each element, the siblings with text that look the same, itself included. */
export function likeSiblings(elements: readonly OutlineElement[]): Float64Array {
  const counts = new Map<number, number>();
  const keys = Float64Array.from(elements, (entry) => (entry.parent + 1) * 65_536 + (entry.signature % 65_536));
  keys.forEach((key, at) => {
    if ((elements[at]?.words ?? 0) > 0) counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  return keys.map((key) => counts.get(key) ?? 0);
}

/** A number for each element; the same for those whose lines of ancestors look the same. */
export function encodePaths(elements: readonly OutlineElement[]): Int32Array {
  const paths = new Int32Array(elements.length);
  const known = new Map<number, number>();
  elements.forEach((entry, index) => {
    const above = entry.parent < 0 ? 0 : (paths[entry.parent] ?? 0) + 1;
    const key = above * 65_536 + (entry.signature % 65_536);
    let path = known.get(key);
    if (path === undefined) known.set(key, (path = known.size));
    paths[index] = path;
  });
  return paths;
}

/** Finds, for each element, its nearest ancestor with more words; -1 for none. */
export function largerAncestors(elements: readonly OutlineElement[]): Int32Array {
  const larger = new Int32Array(elements.length).fill(-1);
  elements.forEach((entry, index) => {
    if (entry.parent < 0) return;
    larger[index] = (elements[entry.parent]?.words ?? 0) > entry.words ? entry.parent : (larger[entry.parent] ?? -1);
  });
  return larger;
}
