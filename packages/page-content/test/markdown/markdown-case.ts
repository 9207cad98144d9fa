import { parseHTML } from "linkedom";
import { FlatElement, FlatText } from "../../src/in-page/flatten/flat-tree.ts";
import { writeMarkdown } from "../../src/in-page/markdown/markdown.ts";
import type { MarkdownSettings } from "../../src/in-page/markdown/markdown-settings.ts";

/** What a fragment of HTML is, what it becomes, and how, where that is not as usual. */
export type MarkdownCase = readonly [
  sentence: string,
  html: string,
  markdown: string,
  settings?: Partial<MarkdownSettings>,
];

const usual: MarkdownSettings = {
  links: true,
  images: true,
  placeholders: false,
  collapsed: true,
  maxCharacters: 10_000_000,
};

/** The Markdown of a fragment of HTML. */
export function convert(html: string, settings: Partial<MarkdownSettings> = {}): string {
  const { markdown, legend } = writeMarkdown(bodyWith(html), { ...usual, ...settings });
  return legend === "" ? markdown : `${markdown}\n\n${legend}`;
}

/** A body with a fragment of HTML in it. */
export function bodyWith(html: string): FlatElement {
  return flat(parseHTML(`<!doctype html><html><head></head><body>${html}</body></html>`).document.body);
}

/** A flat tree like an element of another DOM. */
function flat(root: Element): FlatElement {
  const [first = "", ...attributes] = tagAndAttributes(root);
  const tree = new FlatElement(first, attributes);
  const open: [Element, FlatElement][] = [[root, tree]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [element, copy] = next;
    for (const child of element.childNodes) {
      if (child.nodeType === 3) copy.append(new FlatText(child.nodeValue ?? ""));
      if (child.nodeType !== 1) continue;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as its type says
      const inner = child as Element;
      const [name = "", ...own] = tagAndAttributes(inner);
      open.push([inner, copy.append(new FlatElement(name, own))]);
    }
  }
  return tree;
}

function tagAndAttributes(element: Element): string[] {
  return [element.localName, ...Array.from(element.attributes, ({ name, value }) => [name, value]).flat()];
}
