import { readDeclared } from "./declared/declared.ts";
import { createConcealmentFinder } from "./flatten/concealed.ts";
import { flatten } from "./flatten/flatten.ts";
import type { Flattened, FlattenSettings } from "./flatten/flatten-settings.ts";
import { flattenTree } from "./flatten/flat-tree-of.ts";
import { listImages } from "./image-list.ts";
import { addressOf, bodyOf, headOf, rootOf, titleOf } from "./flatten/live-dom.ts";
import { writeMarkdown } from "./markdown/markdown.ts";
import type { PageContent, InPageRequest, Unread } from "./page-request.ts";
import { copyDeclarations, readPlainDocument } from "./plain-document.ts";
import { SelectedElements } from "./selection.ts";
import { buildPlainDocument } from "./tree-document.ts";

/** Reads the document that this code runs in. */
export class PageReader {
  /** The elements that a selector found. */
  readonly selection = new SelectedElements();
  /** Finds the main content of a flat document. Undefined until the script for it has run. */
  findMainContent: ((flat: Document) => Element) | undefined;
  #frames = new Map<Element, string>();
  #closedRoots = new Map<Element, ShadowRoot>();
  #roots: readonly Element[] | undefined;
  #lastFlattened: Flattened | undefined;

  /** Flattens the page, and returns the parts that are missing: they have to be added from outside before `read`. */
  unreadParts(request: InPageRequest): Unread {
    this.#frames = new Map();
    this.#closedRoots = new Map();
    this.#roots = request.selection ? this.selection.end() : undefined;
    if (readPlainDocument(document, { links: true, placeholders: false, maxCharacters: 0 }) !== undefined)
      return { frames: 0, hosts: 0 };
    return this.flattenAgain(request);
  }

  /** Flattens the page again with the loaded parts. Parts within those may still be missing. */
  flattenAgain(request: InPageRequest): Unread {
    const { frames, hosts } = this.#flatten(request);
    return { frames: frames.length, hosts: hosts.length };
  }

  /** The shown frames of other origins. */
  frames(): readonly Element[] {
    return this.#lastFlattened?.frames ?? [];
  }

  /** The elements that may have a closed shadow root. */
  hosts(): readonly Element[] {
    return this.#lastFlattened?.hosts ?? [];
  }

  /** Adds the content of a cross-origin frame. */
  bringFrame(frame: Element, html: string): void {
    this.#frames.set(frame, html);
    this.#lastFlattened = undefined;
  }

  /** Adds closed shadow roots. */
  bringRoots(...roots: readonly ShadowRoot[]): void {
    for (const root of roots) this.#closedRoots.set(root.host, root);
    this.#lastFlattened = undefined;
  }

  /** Returns the page as flat HTML, to be inserted into the parent page of its frame. */
  flatHtml(request: InPageRequest): string {
    const plain = readPlainDocument(document, { ...request, links: true });
    if (plain !== undefined) return "";
    const flat = this.#current(request);
    this.#lastFlattened = undefined;
    return buildPlainDocument(flat.tree).body.innerHTML;
  }

  /** Reads the page as the request says. */
  read(request: InPageRequest): PageContent {
    const listed = request.images || request.onlyImages;
    const of = { url: addressOf(document), title: titleOf(document) };
    const whole = readPlainDocument(document, request);
    if (whole !== undefined) {
      const nothing = { markdown: "", legend: "", images: [] };
      const plain = this.#roots?.length === 0 ? nothing : whole;
      const { markdown, legend } = request.onlyImages ? nothing : plain;
      const declared = request.declared ? { ...readDeclared(copyDeclarations(plain)), ...of } : null;
      const images = listed ? plain.images : null;
      const placeholders: Record<string, string> = legend === "" ? {} : { link1: of.url };
      return { ...of, markdown, legend, images, placeholders, declared, cut: false };
    }
    const flat = this.#current(request);
    this.#lastFlattened = undefined;
    const plainDocument = listed || request.declared || request.mainContent ? buildPlainDocument(flat.tree) : undefined;
    const main =
      request.mainContent && plainDocument !== undefined ? this.#selectMainContent(plainDocument) : undefined;
    const declared =
      request.declared && plainDocument !== undefined ? { ...readDeclared(plainDocument), url: of.url } : null;
    const images = listed && plainDocument !== undefined ? listImages(main ?? plainDocument.body) : null;
    if (request.onlyImages)
      return { ...of, markdown: "", images, legend: "", placeholders: {}, declared, cut: flat.cut };
    const root = main === undefined ? flat.body : flattenTree(main.outerHTML);
    const settings = {
      ...request,
      collapsed: !request.visibleOnly,
      listedImages: (images ?? []).map(({ url }) => url),
    };
    return { ...of, ...writeMarkdown(root, settings, flat.cut), images, declared };
  }

  #selectMainContent(flat: Document): Element {
    if (this.findMainContent === undefined) throw new Error("the script that finds main content has not run here");
    return this.findMainContent(flat);
  }

  /** Returns the flattened page; flattens it again when parts were added since. */
  #current(request: InPageRequest): Flattened {
    return this.#lastFlattened ?? this.#flatten(request);
  }

  #flatten(request: InPageRequest): Flattened {
    const settings: FlattenSettings = {
      ignored: new Set(request.ignoredTags.map((name) => name.trim().toLowerCase())),
      conceals: request.visibleOnly ? createConcealmentFinder().conceals : undefined,
      backgrounds: request.images || request.onlyImages,
      maxNodes: request.maxNodes,
      maxCharacters: request.maxCharacters,
      maxMs: request.maxMs,
      closedRoots: this.#closedRoots,
      frames: this.#frames,
    };
    const whole = [headOf(document), bodyOf(document) ?? rootOf(document)];
    const roots = this.#roots ?? whole.filter((root) => root !== null);
    this.#lastFlattened = flatten(roots, this.#roots === undefined ? titleOf(document) : "", settings);
    return this.#lastFlattened;
  }
}
