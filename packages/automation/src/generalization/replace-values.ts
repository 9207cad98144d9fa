import { escapePattern } from "../quote.ts";
import { listUrlEncodings } from "../task/url-encodings.ts";
import { escapeTemplate, placeholderPattern } from "../task/template.ts";

/** A value that is replaced by a variable. */
export interface VariableValue {
  /** Name of the variable. */
  readonly name: string;
  /** The value. */
  readonly value: string;
  /** True when it must not be stored: secrets are replaced within words, too. */
  readonly isSecret: boolean;
  /** True for the name of an element that was clicked or checked: names of fields keep it. */
  readonly isChoice: boolean;
}

/** Shorter values occur in other texts by chance: they are replaced only where they are the whole text. */
const minPartLength = 3;
/** Secrets of this length or longer do not occur in other texts by chance. */
const minSecretPartLength = 6;

/** Placeholder of a variable, or escaped braces: not changed. */
const placeholder = new RegExp(`(${placeholderPattern})`, "u");

/** Replaces values by variables in a text. Expects the longest value first. */
export function replaceInText(text: string, values: readonly VariableValue[]): string {
  return replace(text, values, (value) => [escapeTemplate(value)]);
}

/**
 * Replaces values by variables in the quoted texts of a selector. Unquoted parts are kept; in names and ids only secrets are replaced.
 */
export function replaceInSelector(selector: string, values: readonly VariableValue[]): string {
  let replaced = "";
  for (const [part] of selector.matchAll(/"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^"']+/gs)) {
    const quote = part[0];
    const isText = (quote === '"' || quote === "'") && part.length > 1 && part.endsWith(quote);
    const allowed = isCodeAttribute(replaced) ? values.filter(({ isSecret }) => isSecret) : values;
    if (!isText) replaced += part;
    else if (/internal:(?:has|has-not|and|or|chain)=$/.test(replaced)) replaced += replaceNested(part, allowed);
    else replaced += quote + replace(part.slice(1, -1), allowed, (value) => [escapeInQuotes(value, quote)]) + quote;
  }
  return replaced;
}

/** Replaces values by variables in a URL, in their percent-encoded forms. */
export function replaceInUrl(url: string, values: readonly VariableValue[]): string {
  return replace(url, values, listUrlForms, "%");
}

function listUrlForms(value: string): string[] {
  const forms = listUrlEncodings(value);
  // A value with URL delimiters is encoded when it is filled in again: its plain form must stay.
  return /[/?#&=+%]/.test(value) ? forms.slice(0, -1) : [...forms, escapeTemplate(value)];
}

/** Returns whether a selector ends before the value of an attribute that only the page's code uses. */
function isCodeAttribute(before: string): boolean {
  return (
    /\[(?:name|id|type|for|href|src|class|data-[\w-]*)=$/.test(before) && !/internal:role=[a-z]+\[name=$/.test(before)
  );
}

function replaceNested(part: string, values: readonly VariableValue[]): string {
  try {
    return JSON.stringify(replaceInSelector(String(JSON.parse(part)), values));
  } catch {
    return part;
  }
}

function escapeInQuotes(value: string, quote: string): string {
  const line = value.replaceAll(/\s+/g, " ").trim();
  return escapeTemplate(line).replaceAll(/["'\\]/g, (sign) => (sign === quote || sign === "\\" ? `\\${sign}` : sign));
}

function replace(
  text: string,
  values: readonly VariableValue[],
  listForms: (value: string) => readonly string[],
  notBefore = "",
): string {
  const whole = values.find(({ value }) => text === escapeTemplate(value) || listForms(value).includes(text));
  if (whole) return `{{${whole.name}}}`;
  let replaced = text;
  for (const { name, value, isSecret } of values) {
    const isPart = isSecret && value.length >= minSecretPartLength;
    if (value.length < minPartLength && !isPart) continue;
    const possible = isSecret ? [...listForms(value), ...listUrlEncodings(value)] : listForms(value);
    const present = [...new Set(possible)].filter((form) => replaced.includes(form));
    if (present.length === 0) continue; // avoids compiling a pattern for each value and text
    const forms = present.map(escapePattern).join("|");
    const bounded = isPart ? `(?:${forms})` : `(?<![\\p{L}\\p{N}_${notBefore}])(?:${forms})(?![\\p{L}\\p{N}_])`;
    replaced = changeOutsidePlaceholders(replaced, (plain) =>
      plain.replaceAll(new RegExp(bounded, "gu"), `{{${name}}}`),
    );
  }
  return replaced;
}

function changeOutsidePlaceholders(text: string, change: (plain: string) => string): string {
  const parts = text.split(placeholder);
  return parts.map((part, index) => (index % 2 === 1 ? part : change(part))).join("");
}
