import { flatMarks, isHidden } from "./flatten/flat-marks.ts";

/** Category of an image, as the interface names it. Source: interface § ImageData. */
export type ImageKind = "favicon" | "icon" | "content_image" | "decorative" | "svg_icon" | "svg_content";

/** An image of a page. Source: interface § ImageData. */
export interface PageImage {
  /** Its absolute address; null when it has none, or one that is the image itself and long. */
  readonly url: string | null;
  /** Category of the image. */
  readonly category: ImageKind;
  /** Description, in words of the page; null when the page has none. */
  readonly description: string | null;
}

/** Maximum number of images that are listed. */
const maxImages = 1_000;
/** Longest `data:` address that is listed. */
const maxDataAddress = 4_096;
/** Longest description. */
const maxDescription = 1_000;
/** Largest side of an icon, and of a spacer image, in CSS pixels. */
const largest = { icon: 64, spacer: 4 } as const;

/** The images below an element of a plain document, and the icons in its head; each address once. */
export function listImages(root: Element): PageImage[] {
  const found = new ImageSet();
  for (const link of root.ownerDocument.head?.querySelectorAll("link[rel][href]") ?? []) {
    const rel = ` ${(link.getAttribute("rel") ?? "").toLowerCase()} `;
    if (/ (?:icon|apple-touch-icon|apple-touch-icon-precomposed|mask-icon) /.test(rel)) {
      found.add({
        url: link.getAttribute("href"),
        category: "favicon",
        description: link.getAttribute("title") || null,
      });
    }
  }
  const candidates = `img, svg, image, input[type=image], video[poster], [${flatMarks.background}]`;
  if (root.matches(candidates)) found.addElement(root);
  for (const element of root.querySelectorAll(candidates)) {
    if (found.full) break;
    found.addElement(element);
  }
  return found.images;
}

class ImageSet {
  readonly images: PageImage[] = [];
  readonly #places = new Map<string, number>();

  get full(): boolean {
    return this.images.length >= maxImages;
  }

  add(image: PageImage): void {
    const description = image.description?.replace(/\s+/g, " ").trim().slice(0, maxDescription) || null;
    const url =
      image.url !== null && image.url.startsWith("data:") && image.url.length > maxDataAddress ? null : image.url;
    const key = image.url ?? `${image.category} ${description}`;
    const place = this.#places.get(key);
    const known = place === undefined ? undefined : this.images[place];
    if (place === undefined || known === undefined) {
      this.#places.set(key, this.images.length);
      this.images.push({ ...image, url, description });
    } else if (known.description === null && description !== null) this.images[place] = { ...known, description };
  }

  addElement(element: Element): void {
    if (isHidden(element) || element.closest(`[${flatMarks.hidden}=display]`) !== null) return;
    const background = element.getAttribute(flatMarks.background);
    if (background !== null) {
      const category = isSpacer(element) || readSizes(element).most <= largest.icon ? "decorative" : "content_image";
      this.add({ url: background, category, description: element.getAttribute("aria-label") });
    }
    switch (element.localName) {
      case "svg":
        this.add({ url: drawingAddress(element), category: drawingKind(element), description: describe(element) });
        break;
      case "video":
        this.add({ url: element.getAttribute("poster"), category: "content_image", description: describe(element) });
        break;
      case "img":
      case "input": {
        const url = element.getAttribute("src");
        if (url !== null && url !== "")
          this.add({ url, category: classifyImage(element, url), description: describe(element) });
        break;
      }
    }
  }
}

function classifyImage(image: Element, address: string): ImageKind {
  const role = image.getAttribute("role");
  const size = readSizes(image);
  if (isSpacer(image)) return "decorative";
  const small = size.most > 0 && size.most <= largest.icon;
  if (/^data:image\/svg|\.svg(?:[?#]|$)/i.test(address)) return small ? "svg_icon" : "svg_content";
  const silent = image.getAttribute("alt") === "" && !image.hasAttribute("aria-label") && !image.hasAttribute("title");
  if (silent || role === "presentation" || role === "none" || image.closest("[aria-hidden=true]") !== null)
    return "decorative";
  return small || /(?:^|[\s_-])icons?(?:[\s_-]|$)/i.test(image.getAttribute("class") ?? "") ? "icon" : "content_image";
}

function drawingKind(drawing: Element): ImageKind {
  const { most } = readSizes(drawing);
  return most > largest.icon ? "svg_content" : "svg_icon";
}

function drawingAddress(drawing: Element): string | null {
  if (drawing.hasAttribute("data-flat-words-only")) return null;
  const source = drawing.outerHTML.replace(/ data-flat-[\w-]+="[^"]*"/g, "");
  if (source.length > maxDataAddress) return null;
  const named = /^<svg[^>]*\sxmlns=/.test(source)
    ? source
    : source.replace(/^<svg/, '<svg xmlns="http://www.w3.org/2000/svg"');
  const address = `data:image/svg+xml,${encodeURIComponent(named)}`;
  return address.length > maxDataAddress ? null : address;
}

/** Size on the page; else as the page declares it; 0 when neither is known. */
function readSizes(element: Element): { most: number; least: number } {
  const shown = /^(\d+)x(\d+)$/.exec(element.getAttribute(flatMarks.size) ?? "");
  const width = Number(shown?.[1] ?? 0) || Number.parseInt(element.getAttribute("width") ?? "0", 10) || 0;
  const height = Number(shown?.[2] ?? 0) || Number.parseInt(element.getAttribute("height") ?? "0", 10) || 0;
  return { most: Math.max(width, height), least: Math.min(width, height) };
}

function isSpacer(element: Element): boolean {
  const { most, least } = readSizes(element);
  return most > 0 && least > 0 && least <= largest.spacer;
}

function describe(element: Element): string | null {
  const title = element.localName === "svg" ? element.querySelector("title")?.textContent : undefined;
  return (
    element.getAttribute("alt") ||
    element.getAttribute("aria-label") ||
    element.getAttribute("title") ||
    title ||
    element.closest("figure")?.querySelector("figcaption")?.textContent ||
    null
  );
}
