import { splitSelector } from "../targets/selector-text.ts";
import type { StepTarget } from "../task/step.ts";
import { writeSelector, writeTextExpression, type Identifiers } from "./text-source.ts";

/** Writes a target as an expression for a Playwright locator, from the first selector that has an equivalent. */
export function writeLocator({ selectors }: StepTarget, identifiers: Identifiers): string {
  const [first = ":root"] = selectors;
  for (const selector of selectors) {
    const chain = writeChain(selector, identifiers);
    if (chain === undefined) continue;
    const last = splitSelector(selector).findLast((part) => !part.startsWith("nth="));
    // `getByRole` matches visible elements only.
    return `page${chain}${last?.startsWith("internal:role=") ? "" : visible}`;
  }
  return `page.locator(${writeSelector(first, identifiers)})${visible}`;
}

const visible = ".filter({ visible: true })";

function writeChain(selector: string, identifiers: Identifiers): string | undefined {
  const calls = splitSelector(selector).map((part) => writeCall(part, identifiers));
  return calls.every((call) => call !== undefined) ? calls.join("") : undefined;
}

const quoted = String.raw`"((?:[^"\\]|\\.)*)"`;
const byRole = new RegExp(String.raw`^internal:role=([a-z]+)(?:\[name=(?:${quoted}([si]?)|(/.+/[a-z]*))\])?$`, "s");
const byText = new RegExp(String.raw`^internal:(label|text)=${quoted}([si])$`, "s");
const byAttribute = new RegExp(
  String.raw`^internal:(attr|testid)=\[(placeholder|alt|title|data-testid)=${quoted}([si]?)\]$`,
  "s",
);
const byOther = new RegExp(String.raw`^internal:(has|has-not|and|or)=${quoted}$`, "s");

const methods: Readonly<Record<string, string>> = {
  label: "getByLabel",
  text: "getByText",
  placeholder: "getByPlaceholder",
  alt: "getByAltText",
  title: "getByTitle",
  "data-testid": "getByTestId",
};

/** Writes a part of a selector as a method call; undefined if there is no such method. */
function writeCall(part: string, identifiers: Identifiers): string | undefined {
  const writeName = (inner: string): string => writeTextExpression(unescapeText(inner), identifiers);
  const [, role, name, roleFlag, pattern] = byRole.exec(part) ?? [];
  if (role !== undefined) {
    if (pattern !== undefined) return `.getByRole("${role}", { name: ${pattern} })`;
    const options =
      name === undefined ? "" : `, { name: ${writeName(name)}${roleFlag === "s" ? ", exact: true" : ""} }`;
    return `.getByRole("${role}"${options})`;
  }
  const [, kind = "", content, textFlag] = byText.exec(part) ?? [];
  if (content !== undefined)
    return `.${methods[kind]}(${writeTextExpression(parseJsonText(content), identifiers)}${writeExact(textFlag)})`;
  const [, engine, attribute = "", value, flag] = byAttribute.exec(part) ?? [];
  if (value !== undefined)
    return `.${methods[attribute]}(${writeName(value)}${engine === "testid" ? "" : writeExact(flag)})`;
  const [, how = "", nested] = byOther.exec(part) ?? [];
  if (nested !== undefined) return writeFilter(how, writeChain(parseJsonText(nested), identifiers));
  const [, nth] = /^nth=(-?\d+)$/.exec(part) ?? [];
  if (nth !== undefined) return nth === "0" ? ".first()" : nth === "-1" ? ".last()" : `.nth(${nth})`;
  if (part === "internal:control=enter-frame") return ".contentFrame()";
  if (part === "visible=true") return visible;
  return part.startsWith("internal:") || part === "" ? undefined : `.locator(${writeSelector(part, identifiers)})`;
}

function writeExact(flag = ""): string {
  return flag === "s" ? ", { exact: true }" : "";
}

function writeFilter(how: string, chain: string | undefined): string | undefined {
  if (chain === undefined) return undefined;
  if (how === "has") return `.filter({ has: page${chain} })`;
  return how === "has-not" ? `.filter({ hasNot: page${chain} })` : `.${how}(page${chain})`;
}

/** Parses the text between JSON quotes in a selector. */
function parseJsonText(inner: string): string {
  try {
    return String(JSON.parse(`"${inner}"`));
  } catch {
    return unescapeText(inner);
  }
}

/** Unescapes the text between the quotes of an attribute selector. */
function unescapeText(inner: string): string {
  return inner.replaceAll(/\\(.)/gs, "$1");
}
