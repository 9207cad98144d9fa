import { splitSelector } from "../targets/selector-text.ts";
import type { StepTarget } from "../task/step.ts";
import { selectorSource, textSource, type Identifiers } from "./text-source.ts";

/** Writes a target as an expression for a Playwright locator, from the first selector that has an equivalent. */
export function locatorSource({ selectors }: StepTarget, identifiers: Identifiers): string {
  const [first = ":root"] = selectors;
  for (const selector of selectors) {
    const chain = writeChain(selector, identifiers);
    if (chain === undefined) continue;
    const last = splitSelector(selector).findLast((part) => !part.startsWith("nth="));
    // `getByRole` matches visible elements only.
    return `page${chain}${last?.startsWith("internal:role=") ? "" : visible}`;
  }
  return `page.locator(${selectorSource(first, identifiers)})${visible}`;
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
  const text = (inner: string): string => textSource(unescaped(inner), identifiers);
  const [, role, name, roleFlag, pattern] = byRole.exec(part) ?? [];
  if (role !== undefined) {
    if (pattern !== undefined) return `.getByRole("${role}", { name: ${pattern} })`;
    const options = name === undefined ? "" : `, { name: ${text(name)}${roleFlag === "s" ? ", exact: true" : ""} }`;
    return `.getByRole("${role}"${options})`;
  }
  const [, kind = "", said, textFlag] = byText.exec(part) ?? [];
  if (said !== undefined) return `.${methods[kind]}(${textSource(parsed(said), identifiers)}${exactly(textFlag)})`;
  const [, engine, attribute = "", value, flag] = byAttribute.exec(part) ?? [];
  if (value !== undefined) return `.${methods[attribute]}(${text(value)}${engine === "testid" ? "" : exactly(flag)})`;
  const [, how = "", nested] = byOther.exec(part) ?? [];
  if (nested !== undefined) return withOther(how, writeChain(parsed(nested), identifiers));
  const [, nth] = /^nth=(-?\d+)$/.exec(part) ?? [];
  if (nth !== undefined) return nth === "0" ? ".first()" : nth === "-1" ? ".last()" : `.nth(${nth})`;
  if (part === "internal:control=enter-frame") return ".contentFrame()";
  if (part === "visible=true") return visible;
  return part.startsWith("internal:") || part === "" ? undefined : `.locator(${selectorSource(part, identifiers)})`;
}

function exactly(flag = ""): string {
  return flag === "s" ? ", { exact: true }" : "";
}

function withOther(how: string, chain: string | undefined): string | undefined {
  if (chain === undefined) return undefined;
  if (how === "has") return `.filter({ has: page${chain} })`;
  return how === "has-not" ? `.filter({ hasNot: page${chain} })` : `.${how}(page${chain})`;
}

/** Parses the text between JSON quotes in a selector. */
function parsed(inner: string): string {
  try {
    return String(JSON.parse(`"${inner}"`));
  } catch {
    return unescaped(inner);
  }
}

/** Unescapes the text between the quotes of an attribute selector. */
function unescaped(inner: string): string {
  return inner.replaceAll(/\\(.)/gs, "$1");
}
