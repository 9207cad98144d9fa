import type { FlatElement } from "../flatten/flat-tree.ts";
/** Maximum number of options of a select that are written; of a longer one, only the selected options are. */
const maxOptions = 30;

/** Text of a form control. */
export type ControlText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "box"; readonly checked: boolean }
  | { readonly kind: "options"; readonly options: readonly { readonly text: string; readonly chosen: boolean }[] };

/** Reads the visible value of an `input`, a `select` or a `textarea`. Never the value of a password field. */
export function readControl(element: FlatElement): ControlText {
  if (element.localName === "select") return { kind: "options", options: listOptions(element) };
  if (element.localName === "textarea") return text(element.textContent || element.getAttribute("placeholder"));
  const type = (element.getAttribute("type") ?? "text").toLowerCase();
  switch (type) {
    case "checkbox":
    case "radio":
      return { kind: "box", checked: element.hasAttribute("checked") };
    case "hidden":
    case "file":
      return text("");
    case "password":
      return text(element.getAttribute("placeholder"));
    case "image":
      return text(element.getAttribute("alt"));
    default:
      return text(element.getAttribute("value") || element.getAttribute("placeholder"));
  }
}

function text(shown: string | null): ControlText {
  return { kind: "text", text: shown ?? "" };
}

function listOptions(select: FlatElement): { text: string; chosen: boolean }[] {
  const all = Array.from(
    select.findAll(({ localName }) => localName === "option"),
    (option) => ({
      text: (option.getAttribute("label") || option.textContent || "").replace(/\s+/g, " ").trim(),
      chosen: option.hasAttribute("selected"),
    }),
  ).filter((option) => option.text !== "");
  if (all.length <= maxOptions) return all;
  const chosen = all.filter((option) => option.chosen);
  return chosen.length > 0 ? chosen.slice(0, maxOptions) : all.slice(0, 1);
}
