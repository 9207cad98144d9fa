import { formsInAddress } from "../task/address-forms.ts";
import { literally } from "../task/template.ts";

/** A value that becomes a variable. */
export interface NamedValue {
  /** Name of the variable, a word. */
  readonly name: string;
  /** The value; not blank. */
  readonly value: string;
  /** True when it is a secret: those are replaced within words, too. */
  readonly isSecret: boolean;
}

/** Shorter values stand in other texts by chance: they are replaced only where they are the whole text. */
const shortestPart = 3;
/** Secrets of this length do not stand in other texts by chance. */
const shortestSecretPart = 6;

/** Placeholder of a variable, or of two braces: left as it is. */
const placeholder = /(\{\{(?:"\{\{"|\\"\{\{\\"|[A-Za-z_]\w*)\}\})/;

/** Makes the values in a text variables. The values come the longest first. */
export function replaceInText(text: string, values: readonly NamedValue[]): string {
  return replace(text, values, (value) => [literally(value)]);
}

/**
 * Makes the values in the quoted texts of a selector variables. What is not quoted is the selector's own, and so are names and
 * ids that the page's code uses, but for secrets.
 */
export function replaceInSelector(selector: string, values: readonly NamedValue[]): string {
  let replaced = "";
  for (const [part] of selector.matchAll(/"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^"']+/gs)) {
    const quote = part[0];
    const isText = (quote === '"' || quote === "'") && part.length > 1 && part.endsWith(quote);
    const known = isOfCode(replaced) ? values.filter(({ isSecret }) => isSecret) : values;
    if (!isText) replaced += part;
    else if (/internal:(?:has|has-not|and|or|chain)=$/.test(replaced)) replaced += nested(part, known);
    else replaced += quote + replace(part.slice(1, -1), known, (value) => [inQuotes(value, quote)]) + quote;
  }
  return replaced;
}

/** Makes the values in an address variables, where they stand as they have to in one. */
export function replaceInUrl(url: string, values: readonly NamedValue[]): string {
  return replace(url, values, formsInUrl, "%");
}

function formsInUrl(value: string): string[] {
  const forms = formsInAddress(value);
  // What means something in an address would mean nothing any more when it is encoded.
  return /[/?#&=+%]/.test(value) ? forms.slice(0, -1) : [...forms, literally(value)];
}

/** Tells whether the text that follows is a name which only the page's code uses. */
function isOfCode(before: string): boolean {
  return (
    /\[(?:name|id|type|for|href|src|class|data-[\w-]*)=$/.test(before) && !/internal:role=[a-z]+\[name=$/.test(before)
  );
}

function nested(part: string, values: readonly NamedValue[]): string {
  try {
    return JSON.stringify(replaceInSelector(String(JSON.parse(part)), values));
  } catch {
    return part;
  }
}

function inQuotes(value: string, quote: string): string {
  const line = value.replaceAll(/\s+/g, " ").trim();
  return literally(line).replaceAll(/["'\\]/g, (sign) => (sign === quote || sign === "\\" ? `\\${sign}` : sign));
}

function replace(
  text: string,
  values: readonly NamedValue[],
  formsOf: (value: string) => readonly string[],
  notBefore = "",
): string {
  const whole = values.find(({ value }) => text === literally(value) || formsOf(value).includes(text));
  if (whole) return `{{${whole.name}}}`;
  let replaced = text;
  for (const { name, value, isSecret } of values) {
    const isPart = isSecret && value.length >= shortestSecretPart;
    if (value.length < shortestPart && !isPart) continue;
    const possible = isSecret ? [...formsOf(value), ...formsInAddress(value)] : formsOf(value);
    const present = [...new Set(possible)].filter((form) => replaced.includes(form));
    if (present.length === 0) continue; // patterns for each of many values in each of many texts would take long
    const forms = present.map(escaped).join("|");
    const bounded = isPart ? `(?:${forms})` : `(?<![\\p{L}\\p{N}_${notBefore}])(?:${forms})(?![\\p{L}\\p{N}_])`;
    replaced = outsideOfPlaceholders(replaced, (plain) => plain.replaceAll(new RegExp(bounded, "gu"), `{{${name}}}`));
  }
  return replaced;
}

function outsideOfPlaceholders(text: string, change: (plain: string) => string): string {
  const parts = text.split(placeholder);
  return parts.map((part, index) => (index % 2 === 1 ? part : change(part))).join("");
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
