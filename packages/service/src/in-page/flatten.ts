import { canCopyAtOnce } from "./copy-at-once.ts";
import { absolute, mendCopy, resolveAttribute } from "./element-copy.ts";
import { flatMarks } from "./flat-marks.ts";
import {
  baseOf,
  bodyOf,
  emptyDocument,
  firstElementOf,
  firstOf,
  hasTag,
  isElement,
  isFrame,
  nextElementOf,
  nextOf,
  rootOf,
  tagOf,
  typeOf,
} from "./live-dom.ts";
import type { Flattened, FlattenSettings } from "./flatten-settings.ts";
import { markRendering, markSpace, showsAll } from "./rendered-style.ts";

/** Deepest nesting of the plain document; what is deeper stands at this depth. */
const maxDepth = 200;
/** Most elements of a drawing that is copied whole. */
const maxDrawing = 200;
/** Most elements that are looked at for a closed shadow root, and most frames of other origins. */
const maxUnread = { hosts: 100, frames: 20 } as const;
/** How many nodes are read between two looks at the clock. */
const clockStep = 512;
/** Smallest side of a frame that is read, in CSS pixels: less is no content. */
const smallestFrame = 10;

const dropped = new Set("style template noscript base title head rp col colgroup datalist track canvas".split(" "));
/** Elements whose children are not shown, or are taken with them. */
const leaves = new Set("img input br hr wbr video audio embed area meta link textarea object".split(" "));

/** Parts of a table that mean nothing without one. */
const rowParts = new Set(["tr", "thead", "tbody", "tfoot"]);

interface Level {
  next: Node | null;
  readonly assigned: readonly Node[] | undefined;
  index: number;
  readonly into: Node;
  /** The copy of the next element, where all of this level was copied at once; undefined where it is copied node by node. */
  twin: Element | null | undefined;
  readonly unseen: boolean;
  /** Whether all text in it is known to be shown; undefined when nobody looked. */
  readonly shown: boolean | undefined;
  /** The element whose style texts on this level have. */
  readonly styled: Element | undefined;
  /** Whether that was looked at. */
  looked: boolean;
}

/**
 * One pass over live nodes, as they are composed: shadow roots in the place of what they hide, slots with what is assigned
 * to them, frames with their documents. Gives a plain document in which nothing runs, addresses are absolute, and what is
 * not shown is marked.
 *
 * Source: ours.
 */
export function flatten(roots: readonly Element[], title: string, settings: FlattenSettings): Flattened {
  const pass = new FlattenPass(title, settings);
  for (const root of roots) pass.read(root);
  return pass;
}

class FlattenPass implements Flattened {
  readonly document: Document;
  readonly frames: Element[] = [];
  readonly hosts: Element[] = [];
  cut = false;
  readonly #settings: FlattenSettings;
  readonly #deadline: number;
  #nodes = 0;
  #characters = 0;

  constructor(title: string, settings: FlattenSettings) {
    this.#settings = settings;
    this.document = emptyDocument(title);
    const base = this.document.createElement("base");
    base.href = baseOf(document);
    this.document.head.appendChild(base);
    const language = rootOf(document)?.getAttribute("lang") ?? null;
    if (language !== null) this.document.documentElement.setAttribute("lang", language);
    this.#deadline = performance.now() + settings.maxMs;
  }

  /** Reads an element into the body, or the head when it is one; a body into what is there. */
  read(root: Element): void {
    const { head, body } = this.document;
    const name = tagOf(root);
    if (name === "head") return this.#walk(this.#level(root, head, true));
    if (name === "body") {
      for (const { name: attribute, value } of root.attributes) {
        if (!attribute.startsWith("on")) body.setAttribute(attribute, value);
      }
      return this.#walk(this.#levelAtOnce(root, body));
    }
    const into = rowParts.has(name) ? this.#table() : body;
    const twin = canCopyAtOnce(root, this.#settings.maxNodes - this.#nodes)
      ? into.appendChild(this.document.importNode(root, true))
      : undefined;
    this.#walk({ ...this.#level(root, into), next: null, assigned: [root], twin });
  }

  /** Rows without their table get one, the same for all in a row. */
  #table(): Element {
    const last = this.document.body.lastElementChild;
    if (last?.hasAttribute("data-flat-rows") === true) return last;
    const table = this.document.createElement("table");
    table.setAttribute("data-flat-rows", "");
    return this.document.body.appendChild(table);
  }

  #walk(first: Level): void {
    const levels: Level[] = [first];
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const node = this.#nextOf(level);
      if (node === null) {
        levels.pop();
        continue;
      }
      if (this.#isOver()) return cutOff(levels);
      if (isElement(node)) {
        const within = this.#copy(node, level);
        if (within !== undefined) levels.push(levels.length < maxDepth ? within : flattened(within, level));
      } else if (typeOf(node) === 3) this.#copyLiveText(node.nodeValue ?? "", level);
    }
  }

  #nextOf(level: Level): Node | null {
    if (level.assigned !== undefined) {
      level.index += 1;
      return level.assigned[level.index - 1] ?? null;
    }
    const node = level.next;
    if (node !== null) level.next = nextOf(node);
    return node;
  }

  #copyLiveText(text: string, level: Level): void {
    if (level.twin === undefined) this.#copyText(text, level.into);
    else this.#characters += text.length;
    if (level.looked || level.unseen || level.styled === undefined || !/\S[^\S\n]*\n/.test(text)) return;
    level.looked = true;
    if (isElement(level.into)) markSpace(level.styled, level.into);
  }

  #copyText(text: string, into: Node): void {
    this.#characters += text.length;
    into.appendChild(this.document.createTextNode(text));
  }

  /** Copies an element; what is within it is the next level, if that is to be read. */
  #copy(element: Element, level: Level): Level | undefined {
    const name = tagOf(element);
    const twin = level.twin ?? undefined;
    if (twin !== undefined) level.twin = nextElementOf(twin);
    if (dropped.has(name) || this.#settings.ignored.has(name)) return remove(twin);
    if (name === "script") return this.#copyScript(element, twin ?? this.#empty(level.into));
    if (name === "slot" && hasTag(element, "slot")) return this.#slot(element, level, twin);
    const raw = twin ?? this.document.importNode(element, false);
    const copy = mendCopy(element, raw, name, this.document);
    const shown = level.shown ?? (name === "table" && !level.unseen ? showsAll(element) : undefined);
    const unseen = level.unseen || (name !== "option" && markRendering(element, copy, name, shown === true));
    this.#keepBackground(element, copy, unseen);
    if (twin === undefined) level.into.appendChild(copy);
    else if (copy !== twin) Element.prototype.replaceWith.call(twin, copy);
    if (name === "svg") return this.#copyDrawing(element, copy);
    if ((name === "iframe" || name === "frame") && isFrame(element)) return this.#frame(element, copy, unseen);
    const within = twin === undefined ? undefined : firstElementOf(copy);
    if (leaves.has(name)) {
      if (name === "textarea" && hasTag(element, "textarea")) copy.textContent = element.value;
      else if (name === "video" || name === "audio") return this.#level(element, copy, true, undefined, within);
      else if (within !== null) copy.replaceChildren();
      return undefined;
    }
    const source = this.#rootOf(element, name, unseen);
    const styled = name === "pre" ? undefined : element;
    if (source === element) return { ...this.#level(source, copy, unseen, styled, within), shown };
    copy.replaceChildren();
    return this.#level(source, copy, unseen, styled);
  }

  #level(source: Node, into: Node, unseen = false, styled?: Element, twin?: Element | null): Level {
    return {
      next: firstOf(source),
      assigned: undefined,
      index: 0,
      into,
      twin,
      unseen,
      shown: undefined,
      styled,
      looked: false,
    };
  }

  /** A level whose nodes are all copied now: that takes a tenth of the time that it takes one by one. */
  #levelAtOnce(source: Element, into: Element): Level {
    if (!canCopyAtOnce(source, this.#settings.maxNodes - this.#nodes)) return this.#level(source, into);
    const twin = this.document.importNode(source, true);
    for (const style of twin.getElementsByTagName("style")) style.textContent = "";
    for (let child = firstOf(twin); child !== null; child = firstOf(twin)) into.appendChild(child);
    return this.#level(source, into, false, undefined, firstElementOf(into));
  }

  #empty(into: Node): Element {
    return into.appendChild(this.document.createElement("span"));
  }

  /** Of all scripts, data about the page and formulas are kept. */
  #copyScript(script: Element, place: Element): undefined {
    const type = (script.getAttribute("type") ?? "").toLowerCase();
    const math = /^math\/tex(;\s*mode=display)?/.exec(type);
    if (math === null && !type.startsWith("application/ld+json")) return remove(place);
    const copy = this.document.createElement(math === null ? "script" : "span");
    if (math === null) copy.setAttribute("type", type);
    else copy.setAttribute(flatMarks.math, math[1] === undefined ? "inline" : "display");
    this.#copyText(script.textContent ?? "", copy);
    place.replaceWith(copy);
    return undefined;
  }

  /** A slot is no element of the plain document: what is in it stands in its place. */
  #slot(slot: HTMLSlotElement, level: Level, twin: Element | undefined): Level {
    if (twin !== undefined) {
      const within = firstElementOf(twin);
      for (let child = firstOf(twin); child !== null; child = firstOf(twin)) twin.before(child);
      twin.remove();
      return this.#level(slot, level.into, level.unseen, undefined, within);
    }
    const assigned = slot.assignedNodes();
    const own = this.#level(slot, level.into, level.unseen);
    return assigned.length > 0 ? { ...own, assigned } : own;
  }

  #rootOf(element: Element, name: string, unseen: boolean): Node {
    if (name === "form") return element;
    const root = element.shadowRoot ?? this.#settings.closedRoots.get(element);
    if (root !== undefined) return root;
    const mayHide = !unseen && name.includes("-") && element.namespaceURI === "http://www.w3.org/1999/xhtml";
    if (mayHide && this.hosts.length < maxUnread.hosts) this.hosts.push(element);
    return element;
  }

  #frame(frame: HTMLIFrameElement, copy: Element, unseen: boolean): Level | undefined {
    if (unseen || frame.clientWidth < smallestFrame || frame.clientHeight < smallestFrame) {
      copy.remove();
      return undefined;
    }
    const inner = documentOf(frame);
    const body = inner === null ? null : bodyOf(inner);
    if (body !== null) {
      return this.#levelAtOnce(body, this.#holder(copy, frame.src));
    }
    const html = this.#settings.frames.get(frame);
    if (html !== undefined) this.#insert(html, this.#holder(copy, frame.src));
    else if (this.frames.length < maxUnread.frames && !frame.src.startsWith("about:")) this.frames.push(frame);
    return undefined;
  }

  #holder(copy: Element, address: string): Element {
    const holder = this.document.createElement("div");
    holder.setAttribute(flatMarks.frame, address);
    copy.replaceWith(holder);
    return holder;
  }

  #insert(html: string, holder: Element): void {
    this.#characters += html.length;
    const parsed = new DOMParser().parseFromString(html, "text/html");
    for (let child = parsed.body.firstChild; child !== null; child = parsed.body.firstChild) {
      holder.appendChild(this.document.adoptNode(child));
    }
  }

  /** A small drawing is copied whole; of a large one the words are. */
  #copyDrawing(drawing: Element, copy: Element): undefined {
    const box = drawing.getBoundingClientRect();
    copy.setAttribute(flatMarks.size, `${Math.round(box.width)}x${Math.round(box.height)}`);
    const all = drawing.getElementsByTagName("*");
    this.#nodes += all.length;
    const small = all.length <= maxDrawing;
    const words = small ? drawing.childNodes : drawing.querySelectorAll(":scope > title, :scope > desc, text");
    copy.replaceChildren(...Array.from(words, (node) => this.document.importNode(node, true)));
    if (!small) copy.setAttribute("data-flat-words-only", "");
    for (const unwanted of copy.querySelectorAll("style, script")) unwanted.remove();
    for (const link of copy.querySelectorAll("a[href]")) resolveAttribute(link, "href", baseOf(drawing));
    this.#characters += copy.textContent?.length ?? 0;
    return undefined;
  }

  #keepBackground(element: Element, copy: Element, unseen: boolean): void {
    if (unseen || !this.#settings.backgrounds) return;
    const address = /url\("?([^")]+)"?\)/.exec(getComputedStyle(element).backgroundImage)?.[1];
    if (address === undefined) return;
    copy.setAttribute(flatMarks.background, absolute(address, baseOf(element)));
    const { clientWidth, clientHeight } = element;
    copy.setAttribute(flatMarks.size, `${clientWidth}x${clientHeight}`);
  }

  #isOver(): boolean {
    this.#nodes += 1;
    const { maxNodes, maxCharacters } = this.#settings;
    const late = this.#nodes % clockStep === 0 && performance.now() > this.#deadline;
    this.cut ||= late || this.#nodes > maxNodes || this.#characters > maxCharacters;
    return this.cut;
  }
}

function remove(twin: Element | undefined): undefined {
  if (twin !== undefined) Element.prototype.remove.call(twin);
}

/** What was copied at once and not read is taken away. */
function cutOff(levels: readonly Level[]): void {
  for (const { twin, into } of levels) {
    if (twin === undefined || twin === null) continue;
    while (into.lastChild !== null && into.lastChild !== twin) into.lastChild.remove();
    remove(twin);
  }
}

/** What is nested too deep stands beside what it is in. */
function flattened(within: Level, level: Level): Level {
  const { into, twin } = within;
  if (twin === undefined) return { ...within, into: level.into };
  if (into === level.into) return within;
  while (into.firstChild !== null) into.firstChild.remove();
  return { ...within, twin: undefined };
}

/** The document of a frame, where this world may see it. */
function documentOf(frame: HTMLIFrameElement): Document | null {
  try {
    return frame.contentDocument;
  } catch {
    return null;
  }
}
