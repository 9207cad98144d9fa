import { isElement } from "./flat-marks.ts";

/** Opacity below which nothing is seen. */
const leastOpacity = 0.05;
/** Font size below which text counts as invisible, in CSS pixels. */
const leastFont = 3;
/** Contrast of text and background below which text counts as invisible; 1 is no contrast. */
const leastContrast = 1.15;
/** Share of its own area below which an element counts as shrunk to nothing. */
const leastShare = 0.003;
/** Distance beyond the page from which an element counts as out of sight, in CSS pixels. */
const farAway = 1_000;

/** Finds content that a page renders invisibly. */
export interface ConcealmentFinder {
  /** Returns whether a node, with all that is in it, is out of sight, whatever is around it. */
  readonly conceals: (node: Node) => boolean;
}

/**
 * Creates a finder of text that a page renders invisibly: transparent, tiny, in the colour of its background, clipped, beyond the page, or
 * in a closed part. Text over a picture or another element counts as visible; text under a cover is not found.
 */
export function createConcealmentFinder(): ConcealmentFinder {
  const grounds = new Map<Element, Colour | "unknown">();
  let painted: readonly Painted[] | undefined;
  const isOnItsGround = (element: Element, colour: Colour): boolean => {
    const ground = findGround(element, grounds);
    if (ground === "unknown" || computeContrast(colour, ground) >= leastContrast) return false;
    painted ??= paintedIn(element.ownerDocument);
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    return !painted.some(
      ({ by, box, colour: behind }) =>
        box.left <= x &&
        x <= box.right &&
        box.top <= y &&
        y <= box.bottom &&
        !by.contains(element) &&
        !element.contains(by) &&
        (behind === undefined || computeContrast(colour, behind) >= leastContrast),
    );
  };
  return {
    conceals(node) {
      if (!isElement(node))
        return node.parentElement?.localName === "details" && !node.parentElement.hasAttribute("open");
      const element = node;
      if (!("style" in element) || element.localName === "body" || element.localName === "head") return false;
      const style = getComputedStyle(element);
      if (style.display === "none") return true;
      if (isTransparent(style) || isClipped(style) || style.contentVisibility === "hidden") return true;
      if (style.display !== "contents" && !element.checkVisibility()) return true;
      if (isOutOfSight(element, style)) return true;
      return (
        hasOwnText(element) &&
        (isTiny(element, style) || isUnreadable(style, (colour) => isOnItsGround(element, colour)))
      );
    },
  };
}

function isTransparent({ opacity, filter }: CSSStyleDeclaration): boolean {
  const [, filtered = "1"] = /opacity\(([\d.]+)\)/.exec(filter) ?? [];
  return Number(opacity) < leastOpacity || Number(filtered) < leastOpacity;
}

/** Returns whether nothing is left of an element by its clip. */
function isClipped({ clip, clipPath, position, maskImage, maskSize }: CSSStyleDeclaration): boolean {
  const [, inset] = /^inset\(([\d.]+)%(?:\)|\s)/.exec(clipPath) ?? [];
  if (inset !== undefined && Number(inset) >= 50) return true;
  if (/^(?:circle|ellipse)\(0(?:px|%)?\b|^polygon\((?:0(?:px|%)? 0(?:px|%)?,? ?)+\)/.test(clipPath)) return true;
  if (maskImage !== "none" && /^0(?:px|%)? 0(?:px|%)?$/.test(maskSize)) return true;
  if (position !== "absolute" && position !== "fixed") return false;
  const edges = /^rect\(([^)]*)\)$/
    .exec(clip)?.[1]
    ?.split(/[,\s]+/)
    .map(Number.parseFloat);
  if (edges === undefined || edges.length !== 4) return false;
  const [top = 0, right = 0, bottom = 0, left = 0] = edges;
  return bottom - top <= 1 && right - left <= 1;
}

/** Returns whether the box of an element has no room, is beyond the page, or is shrunk to nothing. */
function isOutOfSight(element: Element, style: CSSStyleDeclaration): boolean {
  if (style.display === "contents") return false;
  const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
  const clips = style.overflowX !== "visible" || style.overflowY !== "visible" || style.contain.includes("paint");
  if (clips && (width <= 1 || height <= 1) && (element.textContent ?? "").trim() !== "") return true;
  const { offsetWidth = 0, offsetHeight = 0 } = element as Partial<HTMLElement>;
  if (offsetWidth > 1 && offsetHeight > 1 && (width * height) / (offsetWidth * offsetHeight) < leastShare) return true;
  if (Number.parseFloat(style.textIndent) <= -farAway) return true;
  if (width === 0 && height === 0) return false;
  const view = element.ownerDocument.defaultView;
  const [x, y] = [view?.scrollX ?? 0, view?.scrollY ?? 0];
  if (style.direction === "ltr" && right + x <= 0) return true;
  if (bottom + y <= 0 && style.position !== "static") return true;
  const placed = style.position === "absolute" || style.position === "fixed";
  const most = (view?.innerWidth ?? 0) + farAway;
  return placed && (left > most || (style.position === "fixed" && top > (view?.innerHeight ?? 0) + farAway));
}

function hasOwnText(element: Element): boolean {
  for (let node = element.firstChild; node !== null; node = node.nextSibling) {
    if (node.nodeType === 3 && (node.nodeValue ?? "").trim() !== "") return true;
  }
  return false;
}

function isTiny(element: Element, { fontSize, zoom }: CSSStyleDeclaration): boolean {
  const { offsetHeight = 0 } = element as Partial<HTMLElement>;
  const scale = offsetHeight > 1 ? element.getBoundingClientRect().height / offsetHeight : 1;
  return Number.parseFloat(fontSize) * (Number.parseFloat(zoom) || 1) * Math.min(1, scale) < leastFont;
}

/** Returns whether text has no colour, or that of its ground. Text through which a picture shines has that one's. */
function isUnreadable(style: CSSStyleDeclaration, isOnItsGround: (colour: Colour) => boolean): boolean {
  if (
    style.backgroundClip.includes("text") ||
    style.textShadow !== "none" ||
    Number.parseFloat(style.webkitTextStrokeWidth) > 0
  )
    return false;
  const colour = findColour(style.webkitTextFillColor) ?? findColour(style.color);
  if (colour === undefined) return false;
  return colour.alpha < leastOpacity || (colour.alpha > 0.9 && isOnItsGround(colour));
}

interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

const white: Colour = { red: 255, green: 255, blue: 255, alpha: 1 };

/** Reads a computed colour; undefined for one in another space than sRGB. */
function findColour(text: string): Colour | undefined {
  const parts = /^rgba?\(([^)]*)\)$/
    .exec(text)?.[1]
    ?.split(/[,/\s]+/)
    .map(Number.parseFloat);
  if (parts === undefined) return undefined;
  const [red = 0, green = 0, blue = 0, alpha = 1] = parts;
  return { red, green, blue, alpha };
}

/** Returns the background colour of an element; `unknown` over a picture or a translucent element. */
function findGround(element: Element, known: Map<Element, Colour | "unknown">): Colour | "unknown" {
  const found = known.get(element);
  if (found !== undefined) return found;
  const { backgroundColor, backgroundImage } = getComputedStyle(element);
  const own = findColour(backgroundColor);
  const above = element.parentElement;
  let ground: Colour | "unknown" = above === null ? white : "unknown";
  if (backgroundImage === "none" && own !== undefined) {
    if (own.alpha > 0.9) ground = own;
    else if (own.alpha < leastOpacity && above !== null) ground = findGround(above, known);
  } else ground = "unknown";
  known.set(element, ground);
  return ground;
}

/** Area that may lie behind text. */
interface Painted {
  readonly by: Element;
  readonly box: DOMRect;
  /** Its colour; undefined for a picture. */
  readonly colour: Colour | undefined;
}

const pictures = new Set(["img", "video", "canvas", "svg", "picture", "object", "embed", "iframe"]);

/** Lists areas with a background: pictures, and boxes with a colour. */
function paintedIn(document: Document): readonly Painted[] {
  const found: Painted[] = [];
  for (const by of document.querySelectorAll("body *")) {
    const { backgroundColor, backgroundImage } = getComputedStyle(by);
    const colour = findColour(backgroundColor);
    const isPicture = pictures.has(by.localName) || backgroundImage !== "none";
    if (!isPicture && (colour === undefined || colour.alpha <= 0.9)) continue;
    found.push({ by, box: by.getBoundingClientRect(), colour: isPicture ? undefined : colour });
  }
  return found;
}

/** Returns the contrast of two colours, as WCAG has it: 1 to 21. */
function computeContrast(one: Colour, other: Colour): number {
  const [a, b] = [computeLuminance(one), computeLuminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function computeLuminance({ red, green, blue }: Colour): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) => {
    const share = part / 255;
    return share <= 0.039_28 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Lists the ancestors of an element, the nearest first, across shadow roots: a selector may find content of an invisible part. */
export function listSurroundings(element: Element): readonly Element[] {
  const found: Element[] = [];
  let at: Element | null = element;
  while (at !== null) {
    const root: Node = at.getRootNode();
    at = at.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
    if (at !== null) found.push(at);
  }
  return found;
}
