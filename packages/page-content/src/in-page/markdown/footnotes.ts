import type { FlatElement } from "../flatten/flat-tree.ts";

/** The notes of a document, and what refers to them. */
export class Footnotes {
  readonly #root: FlatElement;
  #found: Found | undefined;

  /** Collects the notes below an element: lists that are marked as footnotes. */
  constructor(root: FlatElement) {
    this.#root = root;
  }

  /** The label of the note that a link refers to; undefined when it is another link. */
  findReference(link: FlatElement): string | undefined {
    const id = findFragment(link);
    if (id === undefined) return undefined;
    const { labels } = this.#notes;
    if (labels.size === 0 || isBackLink(link)) return undefined;
    return labels.get(id) ?? labels.get(unescapeId(id));
  }

  /** Returns the label of a footnote; undefined if the element is not a footnote. */
  findNote(item: FlatElement): string | undefined {
    return this.#notes.byNote.get(item);
  }

  /** Returns whether a link leads from a note back to the text. */
  leadsBack(link: FlatElement): boolean {
    return findFragment(link) !== undefined && this.#notes.labels.size > 0 && isBackLink(link);
  }

  /** Looked for when a link or an item may have to do with them: most documents have none. */
  get #notes(): Found {
    this.#found ??= findNotes(this.#root);
    return this.#found;
  }
}

interface Found {
  /** Labels by the id of the note. */
  readonly labels: ReadonlyMap<string, string>;
  /** Labels by the note. */
  readonly byNote: ReadonlyMap<FlatElement, string>;
}

function findNotes(root: FlatElement): Found {
  const labels = new Map<string, string>();
  const byNote = new Map<FlatElement, string>();
  for (const note of root.findAll((one) => one.localName === "li" && one.hasAttribute("id") && isInNotes(one))) {
    const id = note.getAttribute("id");
    if (id === null || id === "" || labels.has(id)) continue;
    const label = `${labels.size + 1}`;
    labels.set(id, label);
    byNote.set(note, label);
  }
  return { labels, byNote };
}

/** Returns the fragment of a link; undefined for one that leads to a whole document. */
function findFragment(link: FlatElement): string | undefined {
  const address = link.getAttribute("href") ?? "";
  const at = address.indexOf("#");
  return at < 0 ? undefined : address.slice(at + 1);
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

function unescapeId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
