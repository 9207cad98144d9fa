import { FlatElement, FlatText } from "./flat-tree.ts";

/** Elements that are written without an end. */
const endless = new Set(
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
const code = { space: 32, exclamation: 33, slash: 47, greater: 62, question: 63 } as const;

/**
 * The flat tree of an element that a browser has written as HTML. Reads nothing but what browsers write: each element has
 * its end, the values of all attributes are in quotes, and neither in these nor in texts is there a `<` or a `"` of their own.
 *
 * Source: ours.
 */
export function flatTreeOf(html: string): FlatElement {
  const reader = new FlatReader(html);
  return reader.read();
}

class FlatReader {
  readonly #html: string;
  readonly #names = new Map<string, string>();
  #at = 0;

  constructor(html: string) {
    this.#html = html;
  }

  read(): FlatElement {
    const html = this.#html;
    const top = new FlatElement("", []);
    let parent = top;
    while (this.#at < html.length) {
      const text = this.#until("<");
      if (text !== "") parent.append(new FlatText(unescaped(text)));
      if (this.#at >= html.length) break;
      const next = html.charCodeAt(this.#at + 1);
      if (next === code.exclamation || next === code.question) this.#note(parent);
      else if (next === code.slash) {
        this.#at += 2;
        const name = this.#until(">");
        this.#at += 1;
        if (name !== parent.localName) continue;
        // What is in a template is not in the document.
        if (name === "template") parent.empty();
        parent = parent.parent ?? top;
      } else {
        const element = this.#element();
        parent.append(element);
        if (rawTexts.has(element.localName)) this.#rawText(element);
        else if (!endless.has(element.localName)) parent = element;
      }
    }
    const [root] = top.children;
    return root ?? top;
  }

  /** What stands before a sign, or before the end. */
  #until(sign: string): string {
    const from = this.#at;
    const end = this.#html.indexOf(sign, from);
    this.#at = end < 0 ? this.#html.length : end;
    return this.#at === from ? "" : this.#html.slice(from, this.#at);
  }

  #element(): FlatElement {
    const html = this.#html;
    let end = this.#at + 1;
    for (let sign = html.charCodeAt(end); sign !== code.greater && sign !== code.space; sign = html.charCodeAt(end)) {
      end += 1;
      if (end >= html.length) break;
    }
    const name = this.#known(html.slice(this.#at + 1, end));
    const attributes: string[] = [];
    while (html.charCodeAt(end) === code.space) {
      // A name may begin with `=`, and have quotes.
      const equals = html.indexOf("=", end + 2);
      const close = html.indexOf('"', equals + 2);
      if (equals < 0 || close < 0) break;
      attributes.push(this.#known(html.slice(end + 1, equals)), unescaped(html.slice(equals + 2, close)));
      end = close + 1;
    }
    this.#at = end + 1;
    return new FlatElement(name, attributes);
  }

  /** The same string each time: comparing it costs next to nothing then. */
  #known(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    this.#names.set(name, name);
    return name;
  }

  #rawText(element: FlatElement): void {
    const end = `</${element.localName}>`;
    const text = this.#until(end);
    if (text !== "") element.append(new FlatText(text));
    this.#at += end.length;
  }

  /** A comment, or what is like one. */
  #note(parent: FlatElement): void {
    const comment = this.#html.startsWith("<!--", this.#at);
    if (comment) this.#at += "<!--".length;
    const end = comment ? "-->" : ">";
    const text = this.#until(end);
    this.#at += end.length;
    if (comment) parent.append(new FlatText(text, 8));
  }
}

function unescaped(text: string): string {
  return text.includes("&") ? text.replace(/&(?:amp|gt|lt|nbsp|quot);/g, (entity) => entities[entity] ?? "") : text;
}
