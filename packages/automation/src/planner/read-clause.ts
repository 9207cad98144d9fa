import type { Instruction } from "./instruction.ts";
import { heldPlace, Quotations } from "./quotations.ts";

/** A form of clause, and what it means. */
type Form = readonly [
  pattern: RegExp,
  read: (parts: Readonly<Record<string, string | undefined>>) => Instruction | false | undefined,
];

const keys: ReadonlyMap<string, string> = new Map(
  [
    "Enter",
    "Escape",
    "Tab",
    "Backspace",
    "Delete",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "ArrowUp",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "Space",
  ]
    .map((key): [string, string] => [key.toLowerCase(), key])
    .concat([
      ["return", "Enter"],
      ["esc", "Escape"],
      ["page down", "PageDown"],
      ["page up", "PageUp"],
    ]),
);

/** Words for parts of a page, as roles. */
const roles: ReadonlyMap<string, string> = new Map([
  ["button", "button"],
  ["link", "link"],
  ["tab", "tab"],
  ["checkbox", "checkbox"],
  ["radio", "radio"],
  ["radio button", "radio"],
  ["menu item", "menuitem"],
  ["menu", "button"],
  ["option", "option"],
  ["icon", "button"],
  ["heading", "heading"],
]);

const roleWords = [...roles.keys()].sort((a, b) => b.length - a.length).join("|");
const fieldWords = "field|box|input|textbox|text box|text field|search box|dropdown|drop-down|list|menu|select";
const textWords = "page|text|content|main content|article|main text|page text|page content";

/**
 * The forms of clauses, the first that fits counts. Quotations are put aside by then, and white space is one character. So that a clause
 * is read in time proportional to its length, nothing in a pattern may repeat what could be read in two ways.
 */
const forms: readonly Form[] = [
  [/^(?:go|navigate) back$/iu, () => ({ verb: "back" })],
  [
    /^(?:open|visit|go to|navigate to)\s(?:the\s)?(?:page|site|website|url|address)?\s?(?<url>\S+)$/iu,
    ({ url }) => open(url),
  ],
  [/^(?:press|hit)\s(?:the\s)?(?<key>[\w ]+?)(?:\skey)?$/iu, ({ key }) => press(key)],
  [/^(?:scroll)(?:\sto)?(?:\sthe)?\s(?<to>top|bottom|down|up|end)(?:\sof\sthe\spage)?$/iu, ({ to }) => scroll(to)],
  [
    /^wait(?:\sfor)?\s(?<n>\d+(?:\.\d+)?)\s?(?<unit>ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)$/iu,
    ({ n, unit }) => ({ verb: "wait", seconds: Number(n) * secondsOf(unit) }),
  ],
  [
    /^wait\s(?:for|until)\s(?:the\stext\s)?(?<text>.+?)(?:\s(?:appears?|is there|shows?(?: up)?))?$/iu,
    ({ text }) => ({ verb: "wait-for", text: plain(text) }),
  ],
  [
    /^(?:log|sign)\sin\s(?:as|with(?:\s(?:the\s)?(?:user|username|user name|e-?mail|name))?)\s(?<user>.+?)(?:\s?,\s?(?:and|with|using)?|\s(?:and|with|using))\s(?:the\s)?password\s(?<password>.+)$/iu,
    ({ user, password }) => isOneValue(password) && { verb: "log-in", user: plain(user), password: plain(password) },
  ],
  [/^(?:submit|send)(?:\s(?:the|this)?\s?form)?$/iu, () => ({ verb: "submit" })],
  [
    /^(?:search|look)\sfor\s(?<value>.+)$/iu,
    ({ value }) => isOneValue(value) && { verb: "search", value: plain(value) },
  ],
  [
    /^(?:fill(?:\sin|\sout)?|set)\s(?<field>.+?)\s(?<word>with|to|as)\s(?<value>.+)$/iu,
    ({ field, word, value }) =>
      isOneValue(value, word) && { verb: "fill", field: fieldName(field), value: plain(value) },
  ],
  [
    /^(?:enter|type|put|write)\s(?<value>.+?)\s(?:in|into|as|for)\s(?<field>.+)$/iu,
    ({ field, value }) => isOneValue(value) && { verb: "fill", field: fieldName(field), value: plain(value) },
  ],
  [
    /^(?:select|choose|pick)\s(?<option>.+?)\s(?:from|in|for|as)\s(?<field>.+)$/iu,
    ({ option, field }) => ({ verb: "select", option: plain(option), field: fieldName(field) }),
  ],
  [/^(?:uncheck|untick)\s(?<name>.+)$/iu, ({ name }) => ({ verb: "check", name: partName(name), checked: false })],
  [/^(?:check|tick)\s(?<name>.+)$/iu, ({ name }) => ({ verb: "check", name: partName(name), checked: true })],
  [/^(?:select|choose|pick)\s(?<option>.+)$/iu, ({ option }) => ({ verb: "select", option: partName(option) })],
  [/^(?:click|tap|press|hit)(?:\son)?\s(?<name>.+)$/iu, ({ name }) => click(name)],
  [
    new RegExp(
      String.raw`^(?:extract|get|read|list|scrape|collect|give|return|show)(?:\sme)?(?:\s(?:all|every))?(?:\sof)?(?:\sthe)?\s(?:(?<before>${heldPlace})\s)?(?<kind>table|rows|list|items|links|${textWords})(?:\s(?:named|called|of|under)\s(?<named>.+?))?(?:\s(?:from|of|across|on|over)\s(?:all|(?<pages>\d+)|the first (?<first>\d+))\spages)?(?:\s(?:from|of|on)\s(?:the|this)\spage)?$`,
      "iu",
    ),
    ({ kind, named, before, pages, first }) => extract(kind, named ?? before, pages ?? first),
  ],
  [
    /^(?:extract|get|read|scrape|collect|give|return|show)(?:\sme)?\s(?<what>.+?)(?:\s(?:from|of|on)\s(?:the|this)\s(?:page|product|article|site))?$/iu,
    ({ what }) => extractData(what),
  ],
];

/** Parses a clause into an instruction; undefined when the planner does not understand it. */
export function readClause(clause: string): Instruction | undefined {
  const quotations = new Quotations();
  const masked = quotations.takeFrom(clause).trim();
  for (const [pattern, read] of forms) {
    const match = pattern.exec(masked);
    const instruction = match && read(partsOf(match, quotations));
    if (instruction) return /pages/iu.test(masked) ? withAllPages(instruction, masked) : instruction;
  }
  return undefined;
}

/** The named parts of a clause, with the quotations in them. */
function partsOf({ groups = {} }: RegExpExecArray, quotations: Quotations): Readonly<Record<string, string>> {
  const parts = Object.entries<string | undefined>(groups);
  return Object.fromEntries(
    parts.flatMap(([name, text]) => (text === undefined ? [] : [[name, quotations.putBack(text)]])),
  );
}

/** The most pages that "all pages" means. */
const manyPages = 50;

function withAllPages(instruction: Instruction, clause: string): Instruction {
  const all = instruction.verb === "extract" && instruction.pages === undefined && /\ball\spages$/iu.test(clause);
  return all ? { ...instruction, pages: manyPages } : instruction;
}

function open(text = ""): Instruction | undefined {
  const address = plain(text);
  if (/^(?:https?:\/\/|about:blank$)/iu.test(address))
    return URL.canParse(address) ? { verb: "open", url: address } : undefined;
  if (/^(?:localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?(?:\/\S*)?$/iu.test(address))
    return { verb: "open", url: `http://${address}` };
  if (/^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]\S*)?$/u.test(address)) return { verb: "open", url: `https://${address}` };
  return undefined;
}

function press(text = ""): Instruction | undefined {
  const key = keys.get(text.toLowerCase().trim());
  return key === undefined ? undefined : { verb: "press", key };
}

function scroll(text = ""): Instruction {
  const to = text.toLowerCase();
  return { verb: "scroll", to: to === "top" || to === "up" || to === "down" ? to : "bottom" };
}

function click(text = ""): Instruction {
  const [, role] = new RegExp(String.raw`\s(${roleWords})$`, "iu").exec(text) ?? [];
  const known = role === undefined ? undefined : roles.get(role.toLowerCase());
  return { verb: "click", name: partName(text), ...(known === undefined ? {} : { role: known }) };
}

/** Links and texts are those of the whole page: a part of it that is named would be another thing. */
function extract(word = "", named?: string, pages?: string): Instruction | undefined {
  const kind = /table|rows/iu.test(word)
    ? "table"
    : /links/iu.test(word)
      ? "links"
      : /list|items/iu.test(word)
        ? "list"
        : "text";
  const isWhole =
    named === undefined || /^(?:the|this)\s(?:whole\s|main\s)?(?:page|article|site|text|content)$/iu.test(named);
  if (!isWhole && (kind === "links" || kind === "text")) return undefined;
  return {
    verb: "extract",
    kind,
    ...(isWhole ? {} : { named: plain(named) }),
    ...(pages === undefined ? {} : { pages: Number(pages) }),
  };
}

/** Words that mean a part of the page rather than a property of it. */
const ofPart = /^(?:links|text|content|table|rows|list|items)_(?:of|under|on|in|from|named|called)_/;

/** "the name, the price and the availability": properties that a page may declare. */
function extractData(text = ""): Instruction | undefined {
  const properties = text
    .split(/\s?,\s?(?:and\s)?|\sand\s/iu)
    .map((part) => words(plain(part).replace(/^(?:the|its|all)\s+/iu, "")));
  return properties.every((property) => /^[a-z]\w{0,40}$/.test(property) && !ofPart.test(property))
    ? { verb: "extract-data", properties }
    : undefined;
}

/** Words that continue the task after a value: something else to be done, or what is not to be done. */
const goesOn =
  /(?:,|\sand|\sbut)\s(?:(?:then|also|please)\s)*(?:do\snot|don['’]t|not|never|accept|add|book|buy|clear|close|compare|confirm|count|delete|download|filter|find|hover|order|pay|print|remember|remove|repeat|save|sort|summari[sz]e|tell|upload|verify)\b/iu;

/**
 * Tells whether a text is one value. Behind a quotation nothing may follow; without quotation marks nothing that reads like more to be done:
 * whoever means it as a part of the value puts it between such marks.
 *
 * @param word - What stands between a field and its value, and so between the next ones too: "fill A with x and B with y".
 */
function isOneValue(text = "", word?: string): boolean {
  const masked = new Quotations().takeFrom(text).trim();
  if (new RegExp(`^${heldPlace}`, "u").test(masked)) return new RegExp(`^${heldPlace}$`, "u").test(masked);
  const next = word === undefined ? -1 : masked.search(/(?:,|\sand)\s/iu);
  return !goesOn.test(masked) && (next < 0 || !new RegExp(String.raw`\s${word}\s`, "iu").test(masked.slice(next)));
}

function secondsOf(unit = ""): number {
  if (/^m(?:s|illi)/iu.test(unit)) return 0.001;
  return { s: 1, m: 60, h: 3_600 }[unit.charAt(0).toLowerCase()] ?? 1;
}

/** A text without the quotation marks around it. */
function plain(text = ""): string {
  return text.trim().replace(/^["“„«'](.*)["”“»']$/su, "$1");
}

function partName(text = ""): string {
  const bare = text
    .trim()
    .replace(/^(?:the|a|an)\s+/iu, "")
    .replace(new RegExp(String.raw`\s(?:${roleWords})$`, "iu"), "");
  return plain(bare);
}

function fieldName(text = ""): string {
  const bare = text
    .trim()
    .replace(/^(?:the|a|an)\s+/iu, "")
    .replace(new RegExp(String.raw`\s(?:${fieldWords})$`, "iu"), "");
  return plain(bare);
}

/** Most characters of a text that a name is made of. */
const mostOfName = 200;

/** A name in snake_case, from the beginning of a text. */
export function words(text: string): string {
  return text
    .slice(0, mostOfName)
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");
}
