import type { ElementHandle, Locator } from "playwright-core";

/** The elements of a locator that a name may refer to. */
export interface TargetChoice {
  /** Their indexes: one, or several that can't be distinguished. */
  readonly indexes: readonly number[];
  /** Indexes of texts that show the name and have neither a role nor the pointer of something to click. */
  readonly texts: readonly number[];
}

/** Options of a choice among elements. */
export interface PickOptions {
  /** Excludes elements that can't be clicked, and texts that are only a part of the name of a control. */
  readonly isForClicking: boolean;
  /** The field that was filled last: the button of its form is preferred to links of the same name. */
  readonly near?: ElementHandle | undefined;
}

/**
 * Picks the elements that a name may refer to: each control once, those in an open dialog before others, enabled ones before disabled
 * ones, and one of several links to the same address.
 */
export async function pickTargets(parts: Locator, { isForClicking, near }: PickOptions): Promise<TargetChoice> {
  const none = { indexes: [], texts: [] };
  const pick = async (field: ElementHandle | null): Promise<TargetChoice> =>
    parts.evaluateAll(findTargetIndexes, { isForClicking, near: field });
  if (near === undefined) return pick(null).catch(() => none); // the page is navigating
  return pick(near).catch(async () => pick(null).catch(() => none)); // the field is in another frame, or gone
}

/** Runs in the page. */
function findTargetIndexes(
  elements: readonly Element[],
  { isForClicking, near }: { isForClicking: boolean; near: Node | null },
): TargetChoice {
  const controls =
    "a[href], area[href], button, input, select, textarea, summary, option, label, [contenteditable]:not([contenteditable=false]), [role=button], [role=link], [role=tab], [role=menuitem], [role=menuitemcheckbox], [role=menuitemradio], [role=checkbox], [role=radio], [role=switch], [role=option], [role=treeitem], [role=combobox], [role=textbox], [role=searchbox], [role=slider], [role=spinbutton]";
  const containers = "[onclick], [tabindex]:not([tabindex='-1'])";
  const dialogs = 'dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]';
  const findParent = (element: Element): Element | null => {
    const root = element.getRootNode();
    return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  };
  const findClosest = (element: Element | null, fits: (one: Element) => boolean): Element | null => {
    let one = element;
    while (one && !fits(one)) one = findParent(one);
    return one;
  };
  const isWithin = (one: Element, other: Element): boolean =>
    one !== other && findClosest(one, (part) => part === other) !== null;
  const getText = (element: Element): string =>
    (element instanceof HTMLElement ? element.innerText : (element.textContent ?? "")).replace(/\s+/g, " ").trim();
  const hasPointer = (element: Element): boolean => getComputedStyle(element).cursor === "pointer";
  const isPart = (element: Element): boolean => element !== document.body && element !== document.documentElement;

  /** Returns the control that an element is, or is in; null for a text without one. */
  const findControl = (element: Element): Element | null => {
    const control = findClosest(element, (one) => one.matches(controls));
    if (control) return control;
    const container = findClosest(element, (one) => one.matches(containers) && isPart(one));
    if (container) return container;
    if (!hasPointer(element) || !isPart(element)) return null;
    let top = element;
    for (let one = findParent(element); one && isPart(one) && hasPointer(one); one = findParent(one)) top = one;
    return top;
  };
  /** Returns whether an element within a control says all of its name, and not only a part of a phrase. */
  const saysAll = (element: Element, control: Element): boolean => {
    if (element === control || getText(element) === getText(control)) return true;
    const headings = "h1, h2, h3, h4, h5, h6, [role=heading]";
    const heading = element.closest(headings);
    const isHeading = heading !== null && isWithin(heading, control) && getText(heading) === getText(element);
    if (isHeading && control.querySelectorAll(headings).length === 1) return true;
    return !control.matches(controls) && !getComputedStyle(element).display.startsWith("inline");
  };
  const texts: number[] = [];
  const candidates: { readonly index: number; readonly control: Element }[] = [];
  for (const [index, element] of elements.entries()) {
    if (!isForClicking) {
      candidates.push({ index, control: element });
      continue;
    }
    const control = findControl(element);
    if (control === null) texts.push(index);
    else if (saysAll(element, control)) candidates.push({ index, control });
  }
  const followLabel = (control: Element): Element =>
    control instanceof HTMLLabelElement && control.control ? control.control : control;
  const each = candidates.filter(
    ({ control }, at) =>
      candidates.findIndex((other) => followLabel(other.control) === followLabel(control)) === at &&
      !candidates.some((other) => isWithin(other.control, control)),
  );
  // A field or box itself before its label.
  const own = each.map(
    ({ control, index }) =>
      candidates.find((other) => other.control === followLabel(control) && elements[other.index] === other.control)
        ?.index ?? index,
  );
  const preferBetter = (some: readonly number[], isBetter: (element: Element) => boolean): readonly number[] => {
    const better = some.filter((index) => elements[index] && isBetter(elements[index]));
    return better.length > 0 ? better : some;
  };
  const isUsable = (element: Element): boolean =>
    !element.matches(":disabled") && element.getAttribute("aria-disabled") !== "true";
  const left = preferBetter(
    preferBetter(own, (element) => findClosest(element, (one) => one.matches(dialogs)) !== null),
    isUsable,
  );
  const findAddress = (index: number | undefined): string | undefined => {
    const address =
      (index === undefined ? undefined : elements[index])?.closest<HTMLAnchorElement>("a[href]")?.href ?? "";
    return /^https?:.*[^#]$/.test(address) ? address : undefined;
  };
  const [first, ...others] = left;
  if (first === undefined || others.length === 0) return { indexes: left, texts };
  const isSameLink = others.every(
    (other) => findAddress(other) !== undefined && findAddress(other) === findAddress(first),
  );
  if (isSameLink) return { indexes: [first], texts };
  const form = near instanceof Element ? near.closest("form") : null;
  const inForm = left.filter((index) => form !== null && elements[index]?.closest("form") === form);
  const [button] = inForm;
  const areLinks = left.every((index) => index === button || findAddress(index) !== undefined);
  if (inForm.length === 1 && button !== undefined && areLinks) return { indexes: [button], texts };
  return { indexes: left, texts };
}
