import { copyDrawing } from "./drawing.ts";
import { absolute, normalizeCopy } from "./element-copy.ts";
import { listSurroundings } from "./concealed.ts";
import { flatMarks } from "./flat-marks.ts";
import { FlatElement, FlatText } from "./flat-tree.ts";
import { flattenTree } from "./flat-tree-of.ts";
import {
  listAttributes,
  baseOf,
  bodyOf,
  hasTag,
  findInner,
  isElement,
  isFrame,
  rootOf,
  tagOf,
  typeOf,
} from "./live-dom.ts";
import { levelFor, movedUp, nextNode, removeUnread, takePrecopied, type FlattenLevel } from "./level.ts";
import { mayEndLine } from "./line-ends.ts";
import type { Flattened, FlattenSettings } from "./flatten-settings.ts";
import { isLarge, markPlain, measurePlainPart } from "./plain-part.ts";
import { markRendering, markSpace, findShownExtent, type ShownExtent } from "./rendered-style.ts";
import { treeAtOnce } from "./tree-at-once.ts";

/** Deepest nesting of the tree; deeper nodes are kept at this depth. */
const maxDepth = 200;
/** Limits of elements that are inspected for a closed shadow root, and of cross-origin frames. */
const maxUnread = { hosts: 100, frames: 20 } as const;
/** Number of nodes between two checks of the deadline. */
const nodesPerTimeCheck = 512;
/** Smallest side of a frame that is read, in CSS pixels: smaller ones have no content. */
const minFrameSide = 10;

const droppedTags = new Set("style template noscript base title head rp col colgroup datalist track canvas".split(" "));
/** Elements whose children are not shown, or copied with them. */
const leafTags = new Set("img input br hr wbr video audio embed area meta link textarea object".split(" "));

/** Node types of text; XML also has CDATA sections. */
const textTypes = new Set([3, 4]);

/** Parts that need a table around them. */
const rowParts = new Set(["tr", "thead", "tbody", "tfoot"]);

/**
 * Copies the composed tree of live nodes in one pass: shadow roots replace the content of their host, slots contain the assigned
 * nodes, frames their documents. In the copy nothing runs, URLs are absolute, and hidden elements are
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

  /** Reads an element into the body, a head into the head; a body is merged. */
  read(root: Element): void {
    const name = tagOf(root);
    if (this.#settings.conceals !== undefined && listSurroundings(root).some(this.#settings.conceals)) return;
    if (name === "head") return this.#walk(levelFor(root, this.#head, true));
    const whole = this.#copyAtOnce(root);
    if (name === "body") {
      const attributes = whole?.attributes ?? listAttributes(root);
      for (let at = 0; at < attributes.length; at += 2) {
        const [attribute = "", value = ""] = attributes.slice(at, at + 2);
        if (!attribute.startsWith("on")) this.body.setAttribute(attribute, value);
      }
      return this.#walk(this.#readLevel(root, this.body, whole));
    }
    const into = rowParts.has(name) ? this.#table() : this.body;
    if (whole !== undefined) into.append(whole);
    this.#walk({ ...levelFor(root, into), next: null, assigned: [root], precopied: whole });
  }

  /** Wraps rows without a table in one, adjacent ones in the same. */
  #table(): FlatElement {
    const last = this.body.lastChild;
    if (last?.nodeType === 1 && last.hasAttribute("data-flat-rows")) return last;
    return this.body.append(new FlatElement("table", ["data-flat-rows", ""]));
  }

  #walk(first: FlattenLevel): void {
    const levels: FlattenLevel[] = [first];
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const node = nextNode(level);
      if (node === null) {
        levels.pop();
        continue;
      }
      if (this.#isLimitReached()) return removeUnread(levels);
      if (isElement(node)) {
        const within = this.#copy(node, level);
        if (within !== undefined) levels.push(levels.length < maxDepth ? within : movedUp(within, level));
      } else if (textTypes.has(typeOf(node))) this.#copyLiveText(node, level);
    }
  }

  #copyLiveText(node: Node, level: FlattenLevel): void {
    if (this.#settings.conceals?.(node) === true) return;
    const text = node.nodeValue ?? "";
    if (level.precopied === undefined) this.#copyText(text, level.into);
    else this.#characters += text.length;
    if (
      level.hasReadSpace ||
      level.isHidden ||
      level.styled === undefined ||
      !mayEndLine(node, text, level.into.localName)
    )
      return;
    level.hasReadSpace = true;
    markSpace(level.styled, level.into);
  }

  #copyText(text: string, into: FlatElement): void {
    this.#characters += text.length;
    if (text !== "") into.append(new FlatText(text));
  }

  /** Copies an element; returns the level of its children if they have to be read. */
  #copy(element: Element, level: FlattenLevel): FlattenLevel | undefined {
    const name = tagOf(element);
    const precopied = takePrecopied(level, name);
    if (droppedTags.has(name) || this.#settings.ignored.has(name)) return remove(precopied);
    if (this.#settings.conceals?.(element) === true) return remove(precopied);
    if (name === "script") return this.#copyScript(element, precopied ?? this.#empty(level.into));
    if (name === "slot" && hasTag(element, "slot")) return this.#slot(element, level, precopied);
    const raw = precopied ?? new FlatElement(name, listAttributes(element));
    const copy = normalizeCopy(element, raw, name);
    const shown = level.shown ?? (name === "table" && !level.isHidden ? findShownExtent(element, copy) : undefined);
    const unseen = level.isHidden || (name !== "option" && markRendering(element, copy, name, shown ?? "unknown"));
    this.#keepBackground(element, copy, unseen);
    if (precopied === undefined) level.into.append(copy);
    else if (copy !== precopied) precopied.replaceWith(copy);
    if (name === "svg") return this.#copyDrawing(element, copy);
    if ((name === "iframe" || name === "frame") && isFrame(element)) return this.#frame(element, copy, unseen);
    if (precopied !== undefined && !unseen && this.#readPlain(element, copy, shown ?? "unknown")) return undefined;
    const within = precopied === undefined ? undefined : copy.firstElementChild;
    if (leafTags.has(copy.localName)) {
      if (name === "video" || name === "audio") return levelFor(element, copy, true, undefined, within);
      copy.empty();
      if (name === "textarea" && hasTag(element, "textarea") && element.value !== "")
        copy.append(new FlatText(element.value));
      return undefined;
    }
    const source = this.#findRoot(element, name, unseen);
    const styled = name === "pre" ? undefined : element;
    if (source === element) return { ...levelFor(source, copy, unseen, styled, within), shown };
    copy.empty();
    return levelFor(source, copy, unseen, styled);
  }

  #copyAtOnce(source: Element): FlatElement | undefined {
    // What nobody sees is found node by node.
    if (this.#settings.conceals !== undefined) return undefined;
    return treeAtOnce(source, this.#settings.maxNodes - this.#nodes);
  }

  #readLevel(source: Element, into: FlatElement, whole: FlatElement | undefined): FlattenLevel {
    if (whole === undefined) return levelFor(source, into);
    into.adoptChildren(whole);
    return levelFor(source, into, false, undefined, into.firstElementChild);
  }

  /** Reads a large plain element; returns false if it is not one. */
  #readPlain(element: Element, copy: FlatElement, shown: ShownExtent): boolean {
    const { ignored, conceals, backgrounds, closedRoots, maxNodes, maxCharacters } = this.#settings;
    if (ignored.size > 0 || conceals !== undefined || backgrounds || !isLarge(element)) return false;
    const size = measurePlainPart(copy);
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

  /** Copies scripts with data about the page or formulas; drops all others. */
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

  /** Replaces a slot by its content. */
  #slot(slot: HTMLSlotElement, level: FlattenLevel, precopied: FlatElement | undefined): FlattenLevel {
    if (precopied !== undefined) {
      const within = precopied.firstElementChild;
      precopied.unwrap();
      return levelFor(slot, level.into, level.isHidden, undefined, within);
    }
    const assigned = slot.assignedNodes();
    const own = levelFor(slot, level.into, level.isHidden);
    return assigned.length > 0 ? { ...own, assigned } : own;
  }

  #findRoot(element: Element, name: string, unseen: boolean): Node {
    if (name === "form") return element;
    const root = element.shadowRoot ?? this.#settings.closedRoots.get(element);
    if (root !== undefined) return root;
    const mayHide = !unseen && name.includes("-") && element.namespaceURI === "http://www.w3.org/1999/xhtml";
    if (mayHide && this.hosts.length < maxUnread.hosts) this.hosts.push(element);
    return element;
  }

  #frame(frame: HTMLIFrameElement, copy: FlatElement, unseen: boolean): FlattenLevel | undefined {
    if (unseen || frame.clientWidth < minFrameSide || frame.clientHeight < minFrameSide) {
      copy.remove();
      return undefined;
    }
    const inner = findInner(frame);
    const body = inner === null ? null : bodyOf(inner);
    if (body !== null) return this.#readLevel(body, this.#holder(copy, frame.src), this.#copyAtOnce(body));
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
    holder.adoptChildren(flattenTree(`<body>${html}</body>`));
  }

  #copyDrawing(drawing: Element, copy: FlatElement): undefined {
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

  #isLimitReached(): boolean {
    this.#nodes += 1;
    const { maxNodes, maxCharacters } = this.#settings;
    const late = this.#nodes % nodesPerTimeCheck === 0 && performance.now() > this.#deadline;
    this.cut ||= late || this.#nodes > maxNodes || this.#characters > maxCharacters;
    return this.cut;
  }
}

function remove(copy: FlatElement | undefined): undefined {
  copy?.remove();
}
