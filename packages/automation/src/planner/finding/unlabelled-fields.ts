import type { PagePattern } from "./shown-names.ts";

/** Finds fields without a label by the text right before them: in their row, or in the same part. Runs in the page. */
export function findBesideText(elements: readonly Element[], { source, flags }: PagePattern): number[] {
  const pattern = new RegExp(source, flags);
  const nameAttributes = ["aria-label", "aria-labelledby", "title"];
  const fields = "input:not([type=hidden]), select, textarea, button";
  const getText = (node: Node): string => (node.textContent ?? "").replace(/\s+/g, " ").trim();
  const isLabelled = (field: Element): boolean =>
    ("labels" in field && field.labels instanceof NodeList && field.labels.length > 0) ||
    nameAttributes.some((attribute) => (field.getAttribute(attribute) ?? "").trim() !== "");
  const readTextBefore = (field: Element): string => {
    for (let one: Element = field, level = 0; level < 3; level += 1) {
      for (let before = one.previousSibling; before; before = before.previousSibling) {
        if (before instanceof Element && (before.matches(fields) || before.querySelector(fields))) return "";
        if (getText(before) !== "") return getText(before);
      }
      const around = one.parentElement;
      if (around === null || around.matches("form, body, fieldset") || around.querySelectorAll(fields).length > 1)
        return "";
      one = around;
    }
    return "";
  };
  return elements.flatMap((field, index) => (!isLabelled(field) && pattern.test(readTextBefore(field)) ? [index] : []));
}

/** Finds fields without any visible name by their `name` attribute. Runs in the page. */
export function findUnnamed(elements: readonly Element[], { source, flags }: PagePattern): number[] {
  const pattern = new RegExp(source, flags);
  const nameAttributes = ["aria-label", "aria-labelledby", "title"];
  return elements.flatMap((field, index) => {
    const hasLabel = "labels" in field && field.labels instanceof NodeList && field.labels.length > 0;
    if (hasLabel || nameAttributes.some((attribute) => (field.getAttribute(attribute) ?? "").trim() !== "")) return [];
    // A placeholder that gives an example is no name: ada@mail.example, 0123.
    const placeholder = field.getAttribute("placeholder") ?? "";
    if (placeholder.trim() !== "" && !/[@\d]|:\/\/|e\.g\.|z\.\s?B\./i.test(placeholder)) return [];
    let around = field.parentElement;
    while (around && !around.matches("form, body, fieldset") && (around.textContent ?? "").trim() === "")
      around = around.parentElement;
    const before = field.previousSibling?.textContent ?? "";
    const isBesideText = before.trim() !== "" || (around !== null && !around.matches("form, body, fieldset"));
    return !isBesideText && pattern.test((field.getAttribute("name") ?? "").replaceAll(/[-_]/g, " ")) ? [index] : [];
  });
}
