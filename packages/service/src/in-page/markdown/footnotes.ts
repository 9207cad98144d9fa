import type { FlatElement } from "../flat-tree.ts";

/** The notes of a document, and what refers to them. Source: ours. */
export class Footnotes {
  readonly #labels = new Map<string, string>();
  readonly #notes = new Map<FlatElement, string>();

  /** Finds the notes below an element: lists that say that they are some. */
  constructor(root: FlatElement) {
    for (const note of root.findAll((one) => one.localName === "li" && one.hasAttribute("id") && isInNotes(one))) {
      const id = note.getAttribute("id");
      if (id === null || id === "" || this.#labels.has(id)) continue;
      const label = `${this.#labels.size + 1}`;
      this.#labels.set(id, label);
      this.#notes.set(note, label);
    }
  }

  /** The label of the note that a link refers to; undefined when it is another link. */
  referenceOf(link: FlatElement): string | undefined {
    if (this.#labels.size === 0) return undefined;
    const id = /#(.+)$/.exec(link.getAttribute("href") ?? "")?.[1];
    if (id === undefined || isBackLink(link)) return undefined;
    return this.#labels.get(id) ?? this.#labels.get(unescaped(id));
  }

  /** The label of a note; undefined when the element is none. */
  noteOf(item: FlatElement): string | undefined {
    return this.#notes.get(item);
  }

  /** Whether a link leads from a note back to the text. */
  leadsBack(link: FlatElement): boolean {
    return this.#labels.size > 0 && isBackLink(link);
  }
}

function isInNotes(item: FlatElement): boolean {
  for (let around = item.parent; around !== null; around = around.parent) {
    if (around.hasClass("footnotes") || around.hasClass("footnote-list") || around.hasAttribute("data-footnotes"))
      return true;
    if (around.getAttribute("role") === "doc-endnotes") return true;
  }
  return false;
}

function isBackLink(link: FlatElement): boolean {
  const classes = link.getAttribute("class") ?? "";
  if (link.getAttribute("role") === "doc-backlink" || link.hasAttribute("data-footnote-backref")) return true;
  return /back-?(?:ref|link)|reversefootnote/i.test(classes) || /^\s*[↩↑^⏎]\ufe0e?\s*$/u.test(link.textContent);
}

function unescaped(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
