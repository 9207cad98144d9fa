import { FlatElement, FlatText, measureTree } from "./flat-tree.ts";

/** Elements that are written without an end. */
const voidElements = new Set(
  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split(" "),
);
/** Elements whose text is written as it is. */
const rawTexts = new Set("iframe noembed noframes noscript plaintext script style xmp".split(" "));
const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&gt;": ">",
  "&lt;": "<",
  "&nbsp;": "\u00a0",
  "&quot;": '"',
};
const code = { space: 32, exclamation: 33, slash: 47, less: 60, greater: 62, question: 63 } as const;

/**
 * The flat tree of an element that a browser has written as HTML. Reads nothing but what browsers write: each element has
 * its end, the values of all attributes are in quotes, and neither in these nor in texts is there a `<` or a `"` of their own.
 */
export function flattenTree(html: string): FlatElement {
  return parseFlat(html).tree;
}

/** Parsed tree, with its numbers of elements and of characters of text. */
export function parseFlat(html: string): ParsedFlatTree {
  const reader = new FlatParser(html);
  const tree = reader.read();
  return { tree, elements: reader.elements - 1, characters: reader.characters };
}

/** Result of reading HTML. */
export interface ParsedFlatTree {
  /** The element that was written. */
  readonly tree: FlatElement;
  /** Elements within it. */
  readonly elements: number;
  /** Characters of all texts within it. */
  readonly characters: number;
}

class FlatParser {
  readonly #html: string;
  readonly #names = new Map<string, string>();
  readonly #byHash = new Map<number, string>();
  #at = 0;
  /** Elements that were read. */
  elements = 0;
  /** Characters of the texts that were read. */
  characters = 0;

  constructor(html: string) {
    this.#html = html;
  }

  read(): FlatElement {
    const html = this.#html;
    const top = new FlatElement("", []);
    let parent = top;
    while (this.#at < html.length) {
      if (html.charCodeAt(this.#at) !== code.less) {
        this.#text(parent, unescapeText(this.#readUntil("<")));
        if (this.#at >= html.length) break;
      }
      const next = html.charCodeAt(this.#at + 1);
      if (next === code.exclamation || next === code.question) this.#comment(parent);
      else if (next === code.slash) {
        if (!this.#end(parent.localName)) continue;
        if (parent.localName === "template") this.#empty(parent);
        parent = parent.parent ?? top;
      } else {
        const element = this.#element();
        parent.append(element);
        this.elements += 1;
        if (rawTexts.has(element.localName)) this.#rawText(element);
        else if (!voidElements.has(element.localName)) parent = element;
      }
    }
    const [root] = top.children;
    return root ?? top;
  }

  #text(parent: FlatElement, text: string): void {
    this.characters += text.length;
    parent.append(new FlatText(text));
  }

  /** Empties a template: its content is not in the document. */
  #empty(template: FlatElement): void {
    const { elements, characters } = measureTree(template);
    this.elements -= elements;
    this.characters -= characters;
    template.empty();
  }

  /** Returns the text before a sign, or before the end. */
  #readUntil(sign: string): string {
    const from = this.#at;
    const end = this.#html.indexOf(sign, from);
    this.#at = end < 0 ? this.#html.length : end;
    return this.#at === from ? "" : this.#html.slice(from, this.#at);
  }

  /** Reads an end tag; returns whether it has that name. */
  #end(name: string): boolean {
    const from = this.#at + "</".length;
    const isOf = this.#html.startsWith(name, from) && this.#html.charCodeAt(from + name.length) === code.greater;
    if (!isOf) this.#readUntil(">");
    this.#at = isOf ? from + name.length + 1 : this.#at + 1;
    return isOf;
  }

  #element(): FlatElement {
    const html = this.#html;
    const from = this.#at + 1;
    let end = from;
    let hash = 0;
    for (let sign = html.charCodeAt(end); sign !== code.greater && sign !== code.space; sign = html.charCodeAt(end)) {
      hash = (hash * 31 + sign) | 0;
      end += 1;
      if (end >= html.length) break;
    }
    const name = this.#getName(from, end, hash);
    let attributes: string[] | undefined;
    while (html.charCodeAt(end) === code.space) {
      // A name may begin with `=`, and have quotes.
      const equals = html.indexOf("=", end + 2);
      const close = html.indexOf('"', equals + 2);
      if (equals < 0 || close < 0) break;
      attributes ??= [];
      attributes.push(this.#intern(html.slice(end + 1, equals)), unescapeText(html.slice(equals + 2, close)));
      end = close + 1;
    }
    this.#at = end + 1;
    return new FlatElement(name, attributes);
  }

  /** A name that was there before is found without a copy of it. */
  #getName(from: number, end: number, hash: number): string {
    const known = this.#byHash.get(hash);
    if (known?.length === end - from && this.#html.startsWith(known, from)) return known;
    const name = this.#intern(this.#html.slice(from, end));
    this.#byHash.set(hash, name);
    return name;
  }

  /** Returns the same string object for equal strings: comparing it costs next to nothing. */
  #intern(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    this.#names.set(name, name);
    return name;
  }

  #rawText(element: FlatElement): void {
    const end = `</${element.localName}>`;
    const text = this.#readUntil(end);
    if (text !== "") this.#text(element, text);
    this.#at += end.length;
  }

  /** Reads a comment, a declaration or a processing instruction. */
  #comment(parent: FlatElement): void {
    const comment = this.#html.startsWith("<!--", this.#at);
    if (comment) this.#at += "<!--".length;
    const end = comment ? "-->" : ">";
    const text = this.#readUntil(end);
    this.#at += end.length;
    if (comment) parent.append(new FlatText(text, 8));
  }
}

function unescapeText(text: string): string {
  return text.includes("&") ? text.replace(/&(?:amp|gt|lt|nbsp|quot);/g, (entity) => entities[entity] ?? "") : text;
}
