import type { FlatElement } from "../flat-tree.ts";
import { linkDestination, linkTitle } from "./escaping.ts";
import type { MarkdownSettings } from "./markdown-settings.ts";

/** Longest `data:` address of an image that is written. */
const maxDataAddress = 200;

/** What stands for the addresses of links and images. Source: ours. */
export class Addresses {
  /** The address that each placeholder stands for. */
  readonly placeholders: Record<string, string> = {};
  readonly #settings: MarkdownSettings;
  readonly #named = { link: new Map<string, string>(), img: new Map<string, string>() };

  constructor(settings: MarkdownSettings) {
    this.#settings = settings;
  }

  /** What stands between the parentheses of a link; undefined when it leads nowhere that can be followed from outside. */
  link(element: FlatElement): string | undefined {
    const address = (element.getAttribute("href") ?? element.getAttribute("xlink:href") ?? "").trim();
    if (!this.#settings.links || address === "" || /^(?:javascript|data|blob|about|vbscript):/i.test(address))
      return undefined;
    if (this.#settings.placeholders) return this.#placeholder("link", address);
    return linkDestination(address) + linkTitle(element.getAttribute("title") ?? undefined);
  }

  /** What stands between the parentheses of a link to an address. */
  linkTo(address: string): string | undefined {
    if (!this.#settings.links || !/^https?:/i.test(address)) return undefined;
    return this.#settings.placeholders ? this.#placeholder("link", address) : linkDestination(address);
  }

  /** What stands between the parentheses of an image; undefined when it has no address worth writing. */
  image(element: FlatElement): string | undefined {
    const address = (element.getAttribute("src") ?? "").trim();
    if (address === "" || (address.startsWith("data:") && address.length > maxDataAddress)) return undefined;
    if (this.#settings.placeholders) return this.#placeholder("img", address);
    return linkDestination(address) + linkTitle(element.getAttribute("title") ?? undefined);
  }

  /** The same address has the same placeholder. */
  #placeholder(kind: "link" | "img", address: string): string {
    const named = this.#named[kind];
    let name = named.get(address);
    if (name === undefined) {
      name = `${kind}${named.size + 1}`;
      named.set(address, name);
      this.placeholders[name] = address;
    }
    return name;
  }
}

/** A few words for an address that has no text: the last part of its path, else its host. Source: ours. */
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
