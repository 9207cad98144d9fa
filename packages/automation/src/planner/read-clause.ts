import { elementWords, readElementsClause } from "./element-clauses.ts";
import { readUploadClause } from "./upload-clauses.ts";
import { toSnakeCase } from "../task/names.ts";
import type { Instruction } from "./instruction.ts";
import { readFieldName, readPartName, unquote, readRoleAndName, dropFieldWord, dropRole } from "./clause-names.ts";
import { isOneName, isPlainValue, maskText, readRepetition } from "./limits.ts";
import { quotationPlaceholder, Quotations } from "./quotations.ts";
import { splitEnumeration } from "./several.ts";
import { readThingsClause } from "./things-clauses.ts";

/** A pattern for clauses, and the instruction it stands for. */
type Form = readonly [
  pattern: RegExp,
  read: (parts: Readonly<Record<string, string | undefined>>) => Instruction | false | undefined,
];

const keys: ReadonlyMap<string, string> = new Map([
  ..."Enter Escape Tab Backspace Delete Home End PageUp PageDown ArrowUp ArrowDown ArrowLeft ArrowRight Space"
    .split(" ")
    .map((key): [string, string] => [key.toLowerCase(), key]),
  ...Object.entries({ return: "Enter", esc: "Escape", "page down": "PageDown", "page up": "PageUp" }),
]);

const textWords = "page|text|content|main content|article|main text|page text|page content";

/**
 * Patterns for clauses; the first match counts. They match texts with masked quotations and collapsed white space. For linear time, no
 * pattern may contain an ambiguous repetition.
 */
const forms: readonly Form[] = [
  [/^(?:go|navigate) back$/iu, () => ({ verb: "back" })],
  [
    /^(?:open|visit|go to|navigate to)\s(?:the\s)?(?:page|site|website|url|address)?\s?(?<url>\S+)$/iu,
    ({ url }) => readOpen(url),
  ],
  [/^(?:press|hit)\s(?:the\s)?(?<key>[\w ]+?)(?:\skey)?$/iu, ({ key }) => readPress(key)],
  [/^(?:scroll)(?:\sto)?(?:\sthe)?\s(?<to>top|bottom|down|up|end)(?:\sof\sthe\spage)?$/iu, ({ to }) => readScroll(to)],
  [
    /^wait(?:\sfor)?\s(?<n>\d+(?:\.\d+)?)\s?(?<unit>ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)$/iu,
    ({ n, unit }) => ({ verb: "wait", seconds: Number(n) * readSeconds(unit) }),
  ],
  [
    /^wait\s(?:for|until)\s(?:the\stext\s)?(?<text>.+?)(?:\s(?:appears?|is there|shows?(?: up)?))?$/iu,
    ({ text }) => isOneName(text) && { verb: "wait-for", text: unquote(text) },
  ],
  [
    /^(?:(?:log|sign)\sin|login)\s(?:as|with(?:\s(?:the\s)?(?:user|username|user name|e-?mail|name))?)\s(?<user>.+?)(?:\s?,\s?(?:and|with|using)?|\s(?:and|with|using))\s(?:the\s)?password\s(?<password>.+)$/iu,
    ({ user, password }) =>
      isOneName(user) && isOneValue(password) && { verb: "log-in", user: unquote(user), password: unquote(password) },
  ],
  [/^(?:submit|send)(?:\s(?:the|this)?\s?form)?$/iu, () => ({ verb: "submit" })],
  [
    /^(?:search|look)\sfor\s(?<value>.+)$/iu,
    ({ value }) => isOneValue(value) && { verb: "search", value: unquote(value) },
  ],
  [
    /^(?:fill(?:\sin|\sout)?|set)\s(?<field>.+?)\s(?<word>with|to|as)\s(?<value>.+)$/iu,
    ({ field, word, value }) =>
      isOneName(dropFieldWord(field)) &&
      isOneValue(value, word) && { verb: "fill", field: readFieldName(field), value: unquote(value) },
  ],
  [
    /^(?:enter|type|put|write)\s(?<value>.+?)\s(?:in|into|as|for)\s(?<field>.+)$/iu,
    ({ field, value }) =>
      isOneName(dropFieldWord(field)) &&
      isOneValue(value) && { verb: "fill", field: readFieldName(field), value: unquote(value) },
  ],
  [
    /^(?:upload|attach)\s(?<files>.+?)(?:\s(?:to|into|in|for|as|with|using|through|via)\s(?<field>.+))?$/iu,
    ({ files, field }) => readUploadClause(files, field),
  ],
  [
    /^(?:select|choose|pick)\s(?:the\s)?files?\s(?<files>.+?)\s(?:for|in|into|from|with)\s(?<field>.+)$/iu,
    ({ files, field }) => readUploadClause(files, field),
  ],
  [
    /^(?:select|choose|pick)\s(?<option>.+?)\s(?:from|in|for|as)\s(?<field>.+)$/iu,
    ({ option, field }) =>
      isOneName(option) &&
      isOneName(dropFieldWord(field)) && { verb: "select", option: unquote(option), field: readFieldName(field) },
  ],
  [/^(?:uncheck|untick)\s(?<name>.+)$/iu, ({ name }) => readCheck(name, false)],
  [/^(?:check|tick)\s(?!that\s)(?<name>.+)$/iu, ({ name }) => readCheck(name, true)],
  [
    /^(?:select|choose|pick)\s(?<option>.+)$/iu,
    ({ option }) => isOneName(dropRole(option)) && { verb: "select", option: readPartName(option) },
  ],
  [
    /^(?:hover(?:\sover|\son)?|point\s(?:at|to)|move\s(?:the\s)?(?:mouse|pointer|cursor)\s(?:over|to|onto))\s(?<name>.+)$/iu,
    ({ name }) => isOneName(dropRole(name)) && { verb: "hover", ...readRoleAndName(name) },
  ],
  [
    /^(?:click|tap|press|hit)(?:\son)?\s(?<name>.+)$/iu,
    ({ name }) => isOneName(dropRole(name)) && { verb: "click", ...readRoleAndName(name) },
  ],
  [
    new RegExp(
      String.raw`^(?:extract|get|read|list|scrape|collect|give|return|show)(?:\sme)?(?:\s(?:all|every))?(?:\sof)?(?:\sthe)?\s(?:(?<before>${quotationPlaceholder})\s)?(?<kind>table|rows|list|items|links|${textWords})(?:\s(?:named|called|of|under)\s(?<named>.+?))?(?:\s(?:from|of|across|on|over)\s(?:all|(?<pages>\d+)|the first (?<first>\d+))\spages)?(?:\s(?:from|of|on)\s(?:the|this)\spage)?$`,
      "iu",
    ),
    ({ kind, named, before, pages, first }) => readExtract(kind, named ?? before, pages ?? first),
  ],
  [
    new RegExp(
      String.raw`^(?:extract|get|read|list|scrape|collect|give|return|show)(?:\sme)?(?:\sa\slist\sof)?(?:\s(?:all|every))?(?:\sof)?(?:\sthe)?\s(?<noun>${elementWords})(?:\s(?:from|of|across|on|over)\s(?:all|(?<pages>\d+)|the first (?<first>\d+))\spages)?(?:\s(?:from|of|on)\s(?:the|this)\spage)?$`,
      "iu",
    ),
    ({ noun, pages, first }) => readElementsClause(noun, pages ?? first),
  ],
  [
    /^(?:extract|get|read|scrape|collect|give|return|show)(?:\sme)?\s(?:the\s)?(?:table|rows|data|list)?\s?(?:as\s)?(?:a\s)?(?:list\sof\s)?(?:objects|records|rows)?\s?with\s(?:the\s)?(?:columns?|fields|properties)?\s?(?<what>.+)$/iu,
    ({ what }) => readDataClause(what, true),
  ],
];

/** Reads properties of the page; comes after the clauses that ask for several things. */
const propertiesForm: Form = [
  /^(?:extract|get|read|scrape|collect|give|return|show)(?:\sme)?\s(?<what>.+?)(?:\s(?:from|of|on)\s(?:the|this)\s(?:page|product|article|site))?$/iu,
  ({ what }) => readDataClause(what),
];

/** Most times that a clause may be repeated. */
const maxTimes = 100;

/**
 * Parses a clause into instructions: several for an enumeration, or for a number of times.
 *
 * @returns Undefined if it is not understood as a whole.
 */
export function readClauses(clause: string): readonly Instruction[] | undefined {
  const quotations = new Quotations();
  const text = quotations.maskQuotations(clause).trim();
  const repeated = readRepetition(text);
  if (repeated && /^(?:click|tap|press|hit)\s/iu.test(text)) {
    const one = repeated.times <= maxTimes ? readClause(quotations.restore(repeated.once)) : undefined;
    return one && Array.from({ length: repeated.times }, () => one);
  }
  const parts = splitEnumeration(text)?.map((part) => readClause(quotations.restore(part)));
  if (parts?.every((one) => one !== undefined)) return parts;
  const one = readClause(clause);
  return one && [one];
}

/** Parses a clause into one instruction; undefined if no pattern matches. */
export function readClause(clause: string): Instruction | undefined {
  const quotations = new Quotations();
  const text = quotations.maskQuotations(clause).trim();
  const readForm = ([pattern, read]: Form): Instruction | undefined => {
    const match = pattern.exec(text);
    const instruction = match && read(readGroups(match, quotations));
    if (!instruction) return undefined;
    return /pages/iu.test(text) ? addAllPages(instruction, text) : instruction;
  };
  for (const form of forms) {
    const instruction = readForm(form);
    if (instruction) return instruction;
  }
  const things = readThingsClause(text, (part) => quotations.restore(part));
  return things ?? readForm(propertiesForm);
}

/** Returns the named groups of a match, with quotations restored. */
function readGroups({ groups = {} }: RegExpExecArray, quotations: Quotations): Readonly<Record<string, string>> {
  const parts = Object.entries<string | undefined>(groups);
  return Object.fromEntries(
    parts.flatMap(([name, text]) => (text === undefined ? [] : [[name, quotations.restore(text)]])),
  );
}

/** Page limit for "all pages". */
const allPagesLimit = 50;

function addAllPages(instruction: Instruction, clause: string): Instruction {
  const reads = instruction.verb === "extract" || instruction.verb === "extract-elements";
  const all = reads && instruction.pages === undefined && /\ball\spages$/iu.test(clause);
  return all ? { ...instruction, pages: allPagesLimit } : instruction;
}

function readOpen(text = ""): Instruction | undefined {
  const address = unquote(text);
  if (/^(?:https?:\/\/|about:blank$)/iu.test(address))
    return URL.canParse(address) ? { verb: "open", url: address } : undefined;
  if (/^(?:localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?(?:\/\S*)?$/iu.test(address))
    return { verb: "open", url: `http://${address}` };
  if (/^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]\S*)?$/u.test(address)) return { verb: "open", url: `https://${address}` };
  return undefined;
}

function readPress(text = ""): Instruction | undefined {
  const key = keys.get(text.toLowerCase().trim());
  return key === undefined ? undefined : { verb: "press", key };
}

function readScroll(text = ""): Instruction {
  const to = text.toLowerCase();
  return { verb: "scroll", to: to === "top" || to === "up" || to === "down" ? to : "bottom" };
}

function readCheck(name: string | undefined, checked: boolean): Instruction | false {
  return isOneName(dropRole(name)) && { verb: "check", name: readPartName(name), checked };
}

/** Reads an extraction. Links and texts are read from the whole page: a named part is not supported. */
function readExtract(word = "", named?: string, pages?: string): Instruction | undefined {
  const kind = /table|rows/iu.test(word)
    ? "table"
    : /links/iu.test(word)
      ? "links"
      : /list|items/iu.test(word)
        ? "list"
        : "text";
  const isWhole =
    named === undefined || /^(?:the|this)\s(?:whole\s|main\s)?(?:page|article|site|text|content)$/iu.test(named);
  // Which of the things that a page lists are meant is read from the page.
  if (/^items$/iu.test(word) || (!isWhole && /^rows$/iu.test(word))) return undefined;
  if (!isWhole && (kind === "links" || kind === "text" || !isOneName(named))) return undefined;
  return {
    verb: "extract",
    kind,
    ...(isWhole ? {} : { named: unquote(named) }),
    ...(pages === undefined ? {} : { pages: Number(pages) }),
  };
}

/** Phrases that mean a part of the page rather than a property. */
const ofPart = /^(?:links|text|content|table|rows|list|items)_(?:of|under|on|in|from|named|called)_/;

/** Phrases that choose among things. */
const choosing = /\s(?:that|which|who|whose)\s|\s(?:below|above|under|over|than)\s\S*\d/iu;

/** Reads a list of properties: "the name, the price and the availability". */
function readDataClause(text = "", isList = false): Instruction | undefined {
  const quotations = new Quotations();
  const masked = quotations.maskQuotations(text);
  if (!isPlainValue(masked.replaceAll(",", " ")) || choosing.test(masked)) return undefined;
  const names = masked
    .split(/\s?,\s?(?:and\s)?|\sand\s/iu)
    .map((one) => unquote(quotations.restore(one.replace(/^(?:the|its|all)\s+/iu, ""))));
  const properties = names.map(toSnakeCase);
  const titles = names.flatMap((name, at): [string, string][] =>
    name.toLowerCase() === properties[at]?.replaceAll("_", " ") ? [] : [[properties[at] ?? "", name]],
  );
  const isRead =
    new Set(properties).size === properties.length &&
    !(isList && properties.some((property) => /^(?:links?|text|content|table|rows?|list|items?)$/.test(property))) &&
    properties.every((property) => /^\p{L}[\p{L}\p{M}\p{N}_]{0,40}$/u.test(property) && !ofPart.test(property));
  if (!isRead) return undefined;
  return {
    verb: "extract-data",
    properties,
    ...(titles.length === 0 ? {} : { titles: Object.fromEntries(titles) }),
    ...(isList ? { isList } : {}),
  };
}

/** Phrases that continue the task after a value: another action, or a prohibition. */
const continuation =
  /(?:,|\sand|\sbut)\s(?:(?:then|also|please)\s)*(?:do\snot|don['’]t|not|never|accept|add|apply|archive|book|buy|cancel|change|clear|close|compare|confirm|continue|copy|count|delete|deselect|download|drag|edit|filter|find|hover|make|mark|order|pay|print|publish|reload|remember|remove|rename|reserve|reset|save|share|sort|stop|subscribe|summari[sz]e|switch|tell|transfer|turn|unsubscribe|upload|verify)\b/iu;

/**
 * Returns whether a text is one value. Nothing may follow a quotation; an unquoted value must not read like a further action:
 * if that is part of the value, it has to be quoted.
 *
 * @param word - Word between a field and its value, which would also separate the next pair: "fill A with x and B with y".
 */
function isOneValue(text = "", word?: string): boolean {
  const value = maskText(text);
  if (new RegExp(`^${quotationPlaceholder}`, "u").test(value))
    return new RegExp(`^${quotationPlaceholder}$`, "u").test(value);
  const next = word === undefined ? -1 : value.search(/(?:,|\sand)\s/iu);
  return (
    isPlainValue(value) &&
    !continuation.test(value) &&
    (next < 0 || !new RegExp(String.raw`\s${word}\s`, "iu").test(value.slice(next)))
  );
}

function readSeconds(unit = ""): number {
  if (/^m(?:s|illi)/iu.test(unit)) return 0.001;
  return { s: 1, m: 60, h: 3_600 }[unit.charAt(0).toLowerCase()] ?? 1;
}
