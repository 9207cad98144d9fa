import type { Locator, Page } from "playwright-core";
import { sleep } from "../async.ts";
import { StepError } from "../automation-error.ts";

/** Longest wait for an element to be seen, in milliseconds. */
const seenTimeoutMs = 3000;
const pollMs = 100;
/** Longest time to ask the page, in milliseconds. */
const timeoutMs = 1000;

/** Use of an element: a choice may be drawn by something else than its own element. */
export type SightUse = "click" | "fill" | "choose";

/**
 * Throws if a person could not see an element: if it stays transparent when the pointer is over it, is inert, or, for a field, lies outside
 * of the page. Playwright itself checks that an element has a size, is not hidden and not covered. A transparent checkbox, file input or
 * list counts as seen where its label or the part around it is, and any other control where the same name or a drawing is beneath it.
 *
 * @throws {AutomationError} `step_failed`
 */
export async function expectSeen(page: Page, locator: Locator, use: SightUse, signal: AbortSignal): Promise<void> {
  const look = async (): Promise<string> =>
    locator.evaluate(describeSight, use, { timeout: timeoutMs }).catch(() => "");
  let reason = await look();
  if (reason === "") return;
  if (reason === "inert") throw new StepError("it is inert: a person can't use it");
  await locator.scrollIntoViewIfNeeded({ timeout: timeoutMs, signal }).catch(() => signal.throwIfAborted());
  const ends = performance.now() + seenTimeoutMs;
  let isPointed = use !== "click";
  while (performance.now() < ends) {
    if (!isPointed) {
      const box = await locator.boundingBox({ timeout: timeoutMs }).catch(() => null);
      if (box) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      isPointed = true;
    }
    reason = await look();
    if (reason === "") return;
    await sleep(pollMs, signal);
  }
  throw new StepError(`it is ${reason}${reason.startsWith("covered") ? "" : ": a person can't see it"}`);
}

/** Runs in the page: returns why a person can't see or use an element; empty if one can. */
function describeSight(element: Element, use: SightUse): string {
  const least = 0.05;
  const findParent = (one: Element): Element | null => {
    if (one.assignedSlot) return one.assignedSlot;
    if (one.parentElement) return one.parentElement;
    const root = one.getRootNode();
    if (root instanceof ShadowRoot) return root.host;
    try {
      return one.ownerDocument.defaultView?.frameElement ?? null;
    } catch {
      return null; // a frame of another site
    }
  };
  const measureOpacity = (from: Element | null, to: Element | null = null): number => {
    let opacity = 1;
    for (let one = from; one !== null && one !== to; one = findParent(one)) {
      const style = getComputedStyle(one);
      const [, filtered = "1"] = /opacity\(([\d.]+)\)/.exec(style.filter) ?? [];
      opacity *= Number(style.opacity) * Number(filtered);
    }
    return opacity;
  };
  const isTransparent = (one: Element | null): boolean => measureOpacity(one) < least;
  const oneLine = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim().toLowerCase();
  const isClear = (color: string): boolean => /^rgba\(.*,\s*0(?:\.0+)?\)$|\/\s*0(?:\.0+)?%?\)$/.test(color);
  const hasText = (one: Element): boolean =>
    [...one.childNodes].some((node) => node instanceof Text && node.data.trim() !== "");
  /** Returns whether an element itself draws something: a picture, a background, a border or a text. */
  const isDrawn = (one: Element, within: Element | null): boolean => {
    const style = getComputedStyle(one);
    if (measureOpacity(one, within) < least) return false;
    const { backgroundColor, backgroundImage, boxShadow, borderTopStyle, borderTopWidth, borderTopColor } = style;
    const { borderBottomStyle, borderBottomWidth, borderBottomColor, color, webkitTextFillColor, fontSize } = style;
    const hasBorder =
      (borderTopStyle !== "none" && borderTopWidth !== "0px" && !isClear(borderTopColor)) ||
      (borderBottomStyle !== "none" && borderBottomWidth !== "0px" && !isClear(borderBottomColor));
    const isPicture = one.matches(
      "img, svg, svg *, canvas, video, picture, object, embed, iframe, input, select, textarea, meter, progress",
    );
    const isAdded = ["::before", "::after"].some(
      (part) => !/^(?:none|normal)$/.test(getComputedStyle(one, part).content),
    );
    return (
      isPicture ||
      isAdded ||
      hasBorder ||
      backgroundImage !== "none" ||
      !isClear(backgroundColor) ||
      boxShadow !== "none" ||
      (hasText(one) && !isClear(color) && !isClear(webkitTextFillColor) && Number.parseFloat(fontSize) > 0)
    );
  };
  const listParts = (one: Element): Element[] => [one, ...[...one.querySelectorAll("*")].slice(0, 200)];
  const isBlank = (one: Element): boolean =>
    !one.shadowRoot && listParts(one).some(hasText) && !listParts(one).some((part) => isDrawn(part, findParent(one)));

  if (element.closest("[inert]") !== null) return "inert";
  const box = element.getBoundingClientRect();
  const labels = "labels" in element && element.labels instanceof NodeList ? [...element.labels] : [];
  const shown = labels.filter((label) => label instanceof Element).filter((label) => label.getClientRects().length > 0);
  const isOutside = (one: Element): boolean => {
    const { right, bottom } = one.getBoundingClientRect();
    return right + scrollX <= 0 || bottom + scrollY <= 0;
  };
  const around = [element, ...shown, ...(use === "choose" ? [element.parentElement ?? element] : [])];
  if (use !== "click" && around.every(isOutside)) return "outside of the page";
  const stackAt = (x: number, y: number): Element[] =>
    document.elementsFromPoint(box.left + box.width * x, box.top + box.height * y);
  if (use !== "click") {
    // A dialog or a backdrop that covers the page; Playwright fills and selects beneath it.
    const [top] = stackAt(0.5, 0.5);
    const cover = top?.closest("dialog:modal") ?? top;
    const { width = 0, height = 0 } = cover?.getBoundingClientRect() ?? {};
    const isWhole = width >= 0.9 * innerWidth && height >= 0.9 * innerHeight;
    const isOther = cover !== undefined && !cover.contains(element) && !element.contains(cover);
    const modal = document.querySelector("dialog:modal");
    if (isOther && (isWhole || cover.matches("dialog"))) return `covered by <${cover.localName}>`;
    if (modal !== null && !modal.contains(element) && element.getRootNode() === document) return "covered by <dialog>";
  }
  const isFaint = isTransparent(element);
  if (!isFaint && (use !== "click" || !isBlank(element))) return "";
  const choices =
    "input[type=checkbox], input[type=radio], input[type=file], select, [role=checkbox], [role=radio], [role=switch]";
  if (use === "choose" || element.matches(choices))
    return [...shown, findParent(element)].some((one) => !isTransparent(one)) ? "" : "transparent";
  const places = [0.1, 0.3, 0.5, 0.7, 0.9];
  const beneath = places
    .flatMap((y) => places.flatMap((x) => stackAt(x, y)))
    .filter((one) => !element.contains(one) && !one.contains(element) && !isTransparent(one));
  if (use === "fill") {
    const area = box.width * box.height;
    const isSmall = (one: Element): boolean => {
      const { width, height } = one.getBoundingClientRect();
      return width * height <= 4 * area;
    };
    return beneath.some((one) => isSmall(one) && isDrawn(one, null)) ? "" : "transparent";
  }
  const name = oneLine(element.getAttribute("aria-label") ?? element.textContent);
  const showsName = (one: Element): boolean =>
    name !== "" && one instanceof HTMLElement && oneLine(one.innerText).includes(name);
  return beneath.some(showsName) ? "" : "transparent";
}
