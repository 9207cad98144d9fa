import type { Locator } from "playwright-core";

/** Finds labels of checkboxes and radio buttons that are themselves not shown. Runs in the page. */
export function findHiddenLabels(labels: readonly Element[]): number[] {
  const isShown = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility === "visible";
  };
  return labels.flatMap((label, index) => {
    const control = label instanceof HTMLLabelElement ? label.control : null;
    const isChoice = control?.matches("input[type=checkbox], input[type=radio]") === true;
    return isChoice && !isShown(control) && isShown(label) ? [index] : [];
  });
}

/** Finds the innermost elements around one checkbox or radio button that is not shown and has no label. Runs in the page. */
export function findCards(elements: readonly Element[]): number[] {
  const selector = "input[type=checkbox], input[type=radio]";
  const getText = (element: Element): string => (element instanceof HTMLElement ? element.innerText : "").trim();
  const isHidden = (input: Element): boolean => {
    const { width, height } = input.getBoundingClientRect();
    return width === 0 || height === 0 || getComputedStyle(input).visibility !== "visible";
  };
  const fits = (element: Element): boolean => {
    const [input, another] = element.querySelectorAll(selector);
    const hasLabel =
      input instanceof HTMLInputElement && [...(input.labels ?? [])].some((label) => getText(label) !== "");
    return input !== undefined && another === undefined && !hasLabel && isHidden(input) && getText(element) !== "";
  };
  const fitting = elements.flatMap((element, index) => (fits(element) ? [{ element, index }] : []));
  return fitting
    .filter(({ element }) => !fitting.some((other) => other.element !== element && element.contains(other.element)))
    .map(({ index }) => index);
}

/** Returns whether the checkbox or radio button in a card is checked; undefined if the element is no card, but one itself, or a label. */
export async function isCardChecked(locator: Locator): Promise<boolean | undefined> {
  return locator.evaluate((element) => {
    if (element.matches("input, label, [role]")) return undefined;
    const input = element.querySelector("input[type=checkbox], input[type=radio]");
    return input instanceof HTMLInputElement ? input.checked : undefined;
  });
}
