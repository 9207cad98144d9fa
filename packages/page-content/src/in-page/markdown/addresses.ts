import type { FlatElement } from "../flatten/flat-tree.ts";
import { linkDestination, linkTitle } from "./escaping.ts";
import type { MarkdownSettings } from "./markdown-settings.ts";

/** Longest `data:` address of an image that is written. */
const maxDataAddress = 200;

/**
 * Writes the addresses of links and images. With placeholders these are references, as CommonMark has them: `[words][link1]`,
 * and a definition (`[link1]: https://…`) for each behind the text. An image that is listed in the answer is called by its place in the
 * list (`img3` is `images[3]`), and needs no definition.
 */
export class Addresses {
  /** URL by placeholder. */
  readonly placeholders: Record<string, string> = {};
  readonly #settings: MarkdownSettings;
  readonly #listed: ReadonlyMap<string, number>;
  readonly #named = { link: new Map<string, string>(), img: new Map<string, string>() };
  /** Links count from 1; images that are not listed from behind those that are, or from 1. */
  readonly #next = { link: 1, img: 1 };
  readonly #definitions: string[] = [];

  constructor(settings: MarkdownSettings) {
    this.#settings = settings;
    this.#next.img = Math.max(1, settings.listedImages?.length ?? 0);
    this.#listed = new Map((settings.listedImages ?? []).flatMap((url, index) => (url === null ? [] : [[url, index]])));
  }

  /** Lines with the definitions of placeholders that the answer does not list elsewhere. */
  get definitions(): readonly string[] {
    return this.#definitions;
  }

  /** Returns the Markdown after the text of a link; undefined if its URL can't be followed from outside. */
  link(element: FlatElement): string | undefined {
    const address = (element.getAttribute("href") ?? element.getAttribute("xlink:href") ?? "").trim();
    if (!this.#settings.links || address === "" || /^(?:javascript|data|blob|about|vbscript):/i.test(address))
      return undefined;
    return this.#writeShort("link", address, linkTitle(element.getAttribute("title") ?? undefined));
  }

  /** Returns the Markdown after the text of a link to a URL. */
  linkTo(address: string): string | undefined {
    if (!this.#settings.links || !/^https?:/i.test(address)) return undefined;
    return this.#writeShort("link", address, "");
  }

  /** Returns the Markdown after the text of an image; undefined if it has no URL worth writing. */
  image(element: FlatElement): string | undefined {
    const address = (element.getAttribute("src") ?? "").trim();
    if (address === "" || (address.startsWith("data:") && address.length > maxDataAddress)) return undefined;
    return this.#writeShort("img", address, linkTitle(element.getAttribute("title") ?? undefined));
  }

  #writeShort(kind: "link" | "img", address: string, title: string): string {
    const destination = linkDestination(address);
    return this.#settings.placeholders
      ? `[${this.#placeholder(kind, address, destination)}]`
      : `(${destination}${title})`;
  }

  /** Returns the placeholder of an address; equal addresses have the same. */
  #placeholder(kind: "link" | "img", address: string, destination: string): string {
    const named = this.#named[kind];
    let name = named.get(address);
    if (name === undefined) {
      const place = kind === "img" ? this.#listed.get(address) : undefined;
      name = `${kind}${place ?? this.#next[kind]++}`;
      named.set(address, name);
      this.placeholders[name] = address;
      if (place === undefined) this.#definitions.push(`[${name}]: ${destination}`);
    }
    return name;
  }
}

/** A few words for an address that has no text: the last part of its path, else its host. */
export function wordsForAddress(address: string): string {
  const withoutQuery = address.replace(/[?#].*$/s, "");
  const path = /^[a-z][\w+.-]*:\/\/[^/]+(\/.*)$/is.exec(withoutQuery)?.[1] ?? "";
  const last = path.split("/").findLast((part) => part !== "");
  const words = last ?? /^[a-z][\w+.-]*:\/\/([^/]+)/i.exec(withoutQuery)?.[1] ?? withoutQuery;
  try {
    return decodeURIComponent(words);
  } catch {
    return words;
  }
}
