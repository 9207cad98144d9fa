import { escapeTemplate } from "../task/template.ts";

/** Selector part that enters the frame selected before it. */
export const enterFrame = " >> internal:control=enter-frame >> ";

/** Selects by role, and by exact name. */
export function byRole(role: string, name = ""): string {
  return `internal:role=${role}${name === "" ? "" : `[name=${quoteExactly(name)}]`}`;
}

/** Selects fields by the exact text of their label. */
export function byLabel(text: string): string {
  return `internal:label=${writeJson(text)}s`;
}

/** Selects the innermost elements with exactly this text. */
export function byText(text: string): string {
  return `internal:text=${writeJson(text)}s`;
}

/** Selects by the exact value of an attribute that people see: placeholder, alt, title. */
export function byAttribute(attribute: string, value: string): string {
  return `internal:attr=[${attribute}=${quoteExactly(value)}]`;
}

/** Selects by `data-testid`. */
export function byTestId(value: string): string {
  return `internal:testid=[data-testid=${quoteExactly(value)}]`;
}

/** Selects by the exact value of an attribute, in CSS. */
export function byCssAttribute(attribute: string, value: string): string {
  return `[${attribute}="${escapeQuoted(value)}"]`;
}

/** Filters the selected elements by a selector that matches something in them. */
export function selectHaving(selector: string): string {
  return `internal:has=${JSON.stringify(selector)}`;
}

/** Filters the selected elements by a selector that also matches them. */
export function selectAlso(selector: string): string {
  return `internal:and=${JSON.stringify(selector)}`;
}

/** Adds the matches of another selector. */
export function selectOr(selector: string): string {
  return `internal:or=${JSON.stringify(selector)}`;
}

/** Splits a selector at `>>`. */
export function splitSelector(selector: string): string[] {
  const parts = [""];
  for (const [piece] of selector.matchAll(/"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\s*>>\s*|[^"'>]+|>/gs)) {
    if (piece.trim() === ">>") parts.push("");
    else parts.push((parts.pop() ?? "") + piece);
  }
  return parts.map((part) => part.trim());
}

/** Returns the last part of a selector that says what the element is, and not which of several. */
export function readLastPart(selector: string): string {
  return splitSelector(selector).findLast((part) => !/^(?:nth|visible)=/.test(part)) ?? "";
}

function quoteExactly(value: string): string {
  return `"${escapeQuoted(value)}"s`;
}

function escapeQuoted(value: string): string {
  return escapeTemplate(value).replaceAll("\\", "\\\\").replaceAll('"', '\\"');
}

function writeJson(value: string): string {
  return JSON.stringify(escapeTemplate(value));
}
