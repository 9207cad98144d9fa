import { wrapPageText } from "../untrusted/page-text.ts";
import type { FactValue, ToolOutcome } from "./tool.ts";

/** A result as an agent gets it. */
export interface RenderedResult {
  /** Facts, then the marked text of pages. */
  readonly text: string;
  /** The result as an object: the facts, and the marked text as `page_text`. */
  readonly structured: Readonly<Record<string, FactValue>>;
  /** Names of resources by address. */
  readonly resources: Readonly<Record<string, string>>;
}

/** Renders a result. The text of pages is marked anew, and `hide` takes the secrets out of everything. */
export function renderResult(
  { facts, pageText, resources = {} }: ToolOutcome,
  hide: (text: string) => string,
): RenderedResult {
  const lines = Object.entries(facts).map(([name, value]) => hide(`${name}: ${renderValue(value)}`));
  const marked = pageText === undefined ? undefined : wrapPageText(hide(pageText));
  const structured = hideAll(facts, hide);
  return {
    text: [...lines, ...(marked === undefined ? [] : [marked])].join("\n"),
    structured: marked === undefined ? structured : { ...structured, page_text: marked },
    resources,
  };
}

function renderValue(value: FactValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function hideAll(
  facts: Readonly<Record<string, FactValue>>,
  hide: (text: string) => string,
): Readonly<Record<string, FactValue>> {
  const clean = (value: FactValue): FactValue => {
    if (typeof value === "string") return hide(value);
    if (Array.isArray(value)) return value.map(clean);
    return typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, clean(one)]))
      : value;
  };
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, clean(value)]));
}
