import { copyDrawing } from "./drawing.ts";
import { absolute, mendCopy } from "./element-copy.ts";
import { flatMarks } from "./flat-marks.ts";
import { FlatElement, FlatText } from "./flat-tree.ts";
import { flatTreeOf } from "./flat-tree-of.ts";
import {
  attributesOf,
  baseOf,
  bodyOf,
  firstOf,
  hasTag,
  innerOf,
  isElement,
  isFrame,
  nextOf,
  rootOf,
  tagOf,
  typeOf,
} from "./live-dom.ts";
import { mayEndLine } from "./line-ends.ts";
import type { Flattened, FlattenSettings } from "./flatten-settings.ts";
import { isLarge, markPlain, plainSizeOf } from "./plain-part.ts";
import { markRendering, markSpace, shownOf, type Shown } from "./rendered-style.ts";
import { treeAtOnce } from "./tree-at-once.ts";

/** Deepest nesting of the tree; what is deeper stands at this depth. */
const maxDepth = 200;
/** Most elements that are looked at for a closed shadow root, and most frames of other origins. */
const maxUnread = { hosts: 100, frames: 20 } as const;
/** How many nodes are read between two looks at the clock. */
const clockStep = 512;
/** Smallest side of a frame that is read, in CSS pixels: less is no content. */
const smallestFrame = 10;

const dropped = new Set("style template noscript base title head rp col colgroup datalist track canvas".split(" "));
/** Elements whose children are not shown, or are taken with them. */
const leaves = new Set("img input br hr wbr video audio embed area meta link textarea object".split(" "));

/** The types of nodes that are text; in XML some of it is in CDATA sections. */
const textTypes = new Set([3, 4]);

/** Parts of a table that mean nothing without one. */
const rowParts = new Set(["tr", "thead", "tbody", "tfoot"]);

interface Level {
  next: Node | null;
  readonly assigned: readonly Node[] | undefined;
  index: number;
  readonly into: FlatElement;
  /** The copy of the next element, where all of this level was copied at once; undefined where it is copied node by node. */
  twin: FlatElement | null | undefined;
  readonly unseen: boolean;
  /** Visibility of the long table that it is in; undefined outside of one. */
  readonly shown: Shown | undefined;
  /** The element whose style texts on this level have. */
  readonly styled: Element | undefined;
  /** True when that was looked at. */
  looked: boolean;
}

/**
 * One pass over live nodes, as they are composed: shadow roots in the place of what they hide, slots with what is assigned
 * to them, frames with their documents. Gives a tree in which nothing runs, addresses are absolute, and what is not shown is
 * marked.
 */
export function flatten(roots: readonly Element[], title: string, settings: FlattenSettings): Flattened {
  const pass = new FlattenPass(title, settings);
  for (const root of roots) pass.read(root);
  return pass;
}

class FlattenPass implements Flattened {
  readonly tree = new FlatElement("html", []);
  readonly body = new FlatElement("body", []);
  readonly #head = new FlatElement("head", []);
  readonly frames: Element[] = [];
  readonly hosts: Element[] = [];
  cut = false;
  readonly #settings: FlattenSettings;
  readonly #deadline: number;
  #nodes = 0;
  #characters = 0;

  constructor(title: string, settings: FlattenSettings) {
    this.#settings = settings;
    const named = this.#head.append(new FlatElement("title", []));
    if (title !== "") named.append(new FlatText(title));
    this.#head.append(new FlatElement("base", ["href", baseOf(document)]));
    const language = rootOf(document)?.getAttribute("lang") ?? null;
    if (language !== null) this.tree.setAttribute("lang", language);
    this.tree.append(this.#head);
    this.tree.append(this.body);
    this.#deadline = performance.now() + settings.maxMs;
  }

  /** Reads an element into the body, or the head when it is one; a body into what is there. */
  read(root: Element): void {
    const name = tagOf(root);
    if (name === "head") return this.#walk(this.#level(root, this.#head, true));
    const whole = this.#wholeOf(root);
    if (name === "body") {
      const attributes = whole?.attributes ?? attributesOf(root);
      for (let at = 0; at < attributes.length; at += 2) {
        const [attribute = "", value = ""] = attributes.slice(at, at + 2);
        if (!attribute.startsWith("on")) this.body.setAttribute(attribute, value);
      }
      return this.#walk(this.#levelOf(root, this.body, whole));
    }
    const into = rowParts.has(name) ? this.#table() : this.body;
    if (whole !== undefined) into.append(whole);
    this.#walk({ ...this.#level(root, into), next: null, assigned: [root], twin: whole });
  }

  /** Rows without their table get one, the same for all in a row. */
  #table(): FlatElement {
    const last = this.body.lastChild;
    if (last?.nodeType === 1 && last.hasAttribute("data-flat-rows")) return last;
    return this.body.append(new FlatElement("table", ["data-flat-rows", ""]));
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
      } else if (textTypes.has(typeOf(node))) this.#copyLiveText(node, level);
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

  #copyLiveText(node: Node, level: Level): void {
    const text = node.nodeValue ?? "";
    if (level.twin === undefined) this.#copyText(text, level.into);
    else this.#characters += text.length;
    if (level.looked || level.unseen || level.styled === undefined || !mayEndLine(node, text, level.into.localName))
      return;
    level.looked = true;
    markSpace(level.styled, level.into);
  }

  #copyText(text: string, into: FlatElement): void {
    this.#characters += text.length;
    if (text !== "") into.append(new FlatText(text));
  }

  /** Copies an element; what is within it is the next level, if that is to be read. */
  #copy(element: Element, level: Level): Level | undefined {
    const name = tagOf(element);
    const twin = twinOf(level, name);
    if (dropped.has(name) || this.#settings.ignored.has(name)) return remove(twin);
    if (name === "script") return this.#copyScript(element, twin ?? this.#empty(level.into));
    if (name === "slot" && hasTag(element, "slot")) return this.#slot(element, level, twin);
    const raw = twin ?? new FlatElement(name, attributesOf(element));
    const copy = mendCopy(element, raw, name);
    const shown = level.shown ?? (name === "table" && !level.unseen ? shownOf(element, copy) : undefined);
    const unseen = level.unseen || (name !== "option" && markRendering(element, copy, name, shown ?? "unknown"));
    this.#keepBackground(element, copy, unseen);
    if (twin === undefined) level.into.append(copy);
    else if (copy !== twin) twin.replaceWith(copy);
    if (name === "svg") return this.#draw(element, copy);
    if ((name === "iframe" || name === "frame") && isFrame(element)) return this.#frame(element, copy, unseen);
    if (twin !== undefined && !unseen && this.#readPlain(element, copy, shown ?? "unknown")) return undefined;
    const within = twin === undefined ? undefined : copy.firstElementChild;
    if (leaves.has(copy.localName)) {
      if (name === "video" || name === "audio") return this.#level(element, copy, true, undefined, within);
      copy.empty();
      if (name === "textarea" && hasTag(element, "textarea") && element.value !== "")
        copy.append(new FlatText(element.value));
      return undefined;
    }
    const source = this.#rootOf(element, name, unseen);
    const styled = name === "pre" ? undefined : element;
    if (source === element) return { ...this.#level(source, copy, unseen, styled, within), shown };
    copy.empty();
    return this.#level(source, copy, unseen, styled);
  }

  #level(source: Node, into: FlatElement, unseen = false, styled?: Element, twin?: FlatElement | null): Level {
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

  #wholeOf(source: Element): FlatElement | undefined {
    return treeAtOnce(source, this.#settings.maxNodes - this.#nodes);
  }

  #levelOf(source: Element, into: FlatElement, whole: FlatElement | undefined): Level {
    if (whole === undefined) return this.#level(source, into);
    into.take(whole);
    return this.#level(source, into, false, undefined, into.firstElementChild);
  }

  /** Reads a large part with nothing special in it; false when it is none. */
  #readPlain(element: Element, copy: FlatElement, shown: Shown): boolean {
    const { ignored, backgrounds, closedRoots, maxNodes, maxCharacters } = this.#settings;
    if (ignored.size > 0 || backgrounds || !isLarge(element)) return false;
    const size = plainSizeOf(copy);
    if (size === undefined) return false;
    if (this.#nodes + size.nodes > maxNodes || this.#characters + size.characters > maxCharacters) return false;
    if (!markPlain(element, copy, shown, closedRoots)) return false;
    this.#nodes += size.nodes;
    this.#characters += size.characters;
    return true;
  }

  #empty(into: FlatElement): FlatElement {
    return into.append(new FlatElement("span", []));
  }

  /** Of all scripts, data about the page and formulas are kept. */
  #copyScript(script: Element, place: FlatElement): undefined {
    const type = (script.getAttribute("type") ?? "").toLowerCase();
    const math = /^math\/tex(;\s*mode=display)?/.exec(type);
    if (math === null && !type.startsWith("application/ld+json")) return remove(place);
    const copy =
      math === null
        ? new FlatElement("script", ["type", type])
        : new FlatElement("span", [flatMarks.math, math[1] === undefined ? "inline" : "display"]);
    this.#copyText(script.textContent ?? "", copy);
    place.replaceWith(copy);
    return undefined;
  }

  /** A slot is no element of the tree: what is in it stands in its place. */
  #slot(slot: HTMLSlotElement, level: Level, twin: FlatElement | undefined): Level {
    if (twin !== undefined) {
      const within = twin.firstElementChild;
      twin.unwrap();
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

  #frame(frame: HTMLIFrameElement, copy: FlatElement, unseen: boolean): Level | undefined {
    if (unseen || frame.clientWidth < smallestFrame || frame.clientHeight < smallestFrame) {
      copy.remove();
      return undefined;
    }
    const inner = innerOf(frame);
    const body = inner === null ? null : bodyOf(inner);
    if (body !== null) return this.#levelOf(body, this.#holder(copy, frame.src), this.#wholeOf(body));
    const html = this.#settings.frames.get(frame);
    if (html !== undefined) this.#insert(html, this.#holder(copy, frame.src));
    else if (this.frames.length < maxUnread.frames && !frame.src.startsWith("about:")) this.frames.push(frame);
    return undefined;
  }

  #holder(copy: FlatElement, address: string): FlatElement {
    const holder = new FlatElement("div", [flatMarks.frame, address]);
    copy.replaceWith(holder);
    return holder;
  }

  #insert(html: string, holder: FlatElement): void {
    this.#characters += html.length;
    holder.take(flatTreeOf(`<body>${html}</body>`));
  }

  #draw(drawing: Element, copy: FlatElement): undefined {
    this.#nodes += copyDrawing(drawing, copy);
    this.#characters += copy.textContent.length;
    return undefined;
  }

  #keepBackground(element: Element, copy: FlatElement, unseen: boolean): void {
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

function remove(twin: FlatElement | undefined): undefined {
  twin?.remove();
}

/** The copy of an element on a level that was copied at once; the next element has the next one. */
function twinOf(level: Level, name: string): FlatElement | undefined {
  const twin = level.twin ?? undefined;
  if (twin === undefined) return undefined;
  if (twin.localName === name) {
    level.twin = twin.nextElementSibling;
    return twin;
  }
  level.into.cut(twin);
  level.twin = undefined;
  return undefined;
}

/** Removes what was copied at once and not read. */
function cutOff(levels: readonly Level[]): void {
  for (const { twin, into } of levels) if (twin) into.cut(twin);
}

/** Puts what is nested too deep beside its parent. */
function flattened(within: Level, level: Level): Level {
  const { into, twin } = within;
  if (twin === undefined) return { ...within, into: level.into };
  if (into === level.into) return within;
  into.empty();
  return { ...within, twin: undefined };
}
