import { isGeneralNoun, isProperty } from "../extraction/things/nouns.ts";
import { toSingular } from "../task/plurals.ts";
import type { ThingsPlace, ThingsQuestion } from "../task/things-question.ts";
import type { Instruction } from "./instruction.ts";
import { isPlainValue } from "./limits.ts";
import { quotationPlaceholder } from "./quotations.ts";

const numbers = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const number = String.raw`(?:\d{1,4}|${numbers.join("|")})`;
const toNumber = (text: string): number => (/^\d/.test(text) ? Number(text) : numbers.indexOf(text.toLowerCase()) + 1);

const verb = String.raw`(?:extract|get|read|list|scrape|collect|gather|give|return|show|tell|find)(?:\sme)?`;
const counting = new RegExp(
  String.raw`^(?:${verb}\s)?(?:how\smany\s(?<many>.+?)(?:\s(?:are\sthere|there\sare|are\s(?:shown|listed|here)|does\s(?<owner>.+?)\s(?:have|has|contain|show|list)|are|is\sthere))?(?<after>\s(?:under|in|on|below|inside|within)\s.+)?|(?:count|the\snumber\sof|the\scount\sof)\s(?<counted>.+))$`,
  "iu",
);
const reading = new RegExp(String.raw`^(?:${verb}|what\s(?:are|is))\s(?<what>.+)$`, "iu");
const beginning =
  /^(?:(?:a|the)\slist\s(?:of|with)\s)?(?:(?<all>all(?:\sof)?|every|each)\s)?(?:(?:the|these|those)\s)?/iu;
const bounds: readonly (readonly [pattern: RegExp, from: "first" | "last", isMost: boolean])[] = [
  [new RegExp(String.raw`^(?:the\s)?(?:first|top)\s(?<n>${number})\s`, "iu"), "first", false],
  [new RegExp(String.raw`^(?:the\s)?(?<n>${number})\s(?:first|top)\s`, "iu"), "first", false],
  [new RegExp(String.raw`^(?:the\s)?last\s(?<n>${number})\s`, "iu"), "last", false],
  [
    new RegExp(String.raw`^(?:at\smost|up\sto|no\smore\sthan|a\smaximum\sof)\s(?<n>${number})(?:\sof\sthe)?\s`, "iu"),
    "first",
    true,
  ],
];
const endBound = new RegExp(
  String.raw`,?\s(?:\(?(?:at\smost|max(?:imum)?\.?|up\sto|no\smore\sthan|limit)\s(?<n>${number})\)?)$`,
  "iu",
);
const orders = new RegExp(
  String.raw`^(?:the\s)?(?:(?<n>${number})\s)?(?<order>cheapest|least\sexpensive|lowest[-\s]priced|most\sexpensive|dearest|priciest)\s(?:(?<m>${number})\s)?`,
  "iu",
);

/** Words that filter things, or ask for something that the page does not show. */
const beyond =
  /\b(?:that|which|who|whose|where|what|how|why|without|over|above|less|more|fewer|greater|higher|lower|than|between|before|after|since|until|only|not|no|nor|or|starting|beginning|ending|containing|matching|including|like|similar|per|by|sorted|ordered|grouped|average|mean|sum|total|unique|distinct|duplicates?|random|any|some|other|another|new|newest|latest|recent|oldest|best|worst|highest|lowest|largest|biggest|smallest|longest|shortest|most|least|cheapest|same|different|missing|next|previous|second|third|fourth|fifth|odd|even|half|both|it|them|if|unless|except|but|then|me|my|you|your|and|with|for|of|the|a|an|in|on|mention|mentions)\b/iu;

/** Words that filter, in the name of a part of a page. */
const choosing = /\b(?:that|which|who|whose|than|and|or)\b/iu;

const landmarks: readonly (readonly [pattern: RegExp, kind: ThingsPlace["kind"]])[] = [
  [/^(?:page\s)?footer$/iu, "footer"],
  [/^(?:page\s)?header$/iu, "header"],
  [/^(?:side\s?bar|aside)$/iu, "aside"],
  [/^(?:nav|navigation|menu\sbar|navigation\s(?:bar|menu)|main\smenu|navbar|top\smenu)$/iu, "nav"],
  [/^(?:main|main\s(?:content|part|area)|content)$/iu, "main"],
  [/^(?:dialog|pop-?up|modal)$/iu, "dialog"],
  [/^(?:page|site|website|whole\spage|entire\spage)$/iu, "page"],
  [/^table$/iu, "table"],
  [/^list$/iu, "list"],
  [/^form$/iu, "form"],
  [/^article$/iu, "article"],
];
const placeWords =
  "section|heading|headline|title|table|list|region|box|panel|area|form|part|block|column|category|tab|chapter|group";

/** A request for things: its nouns are not read yet. */
interface ThingsRequest {
  readonly text: string;
  readonly isCount: boolean;
  readonly pages?: number;
}

/**
 * Reads a clause that asks for several things: "get the prices", "get the name and price of each product", "how many reviews are there".
 * Quotations are masked.
 *
 * @param restore - Restores them.
 * @returns Undefined if it does not, or is not understood as a whole.
 */
export function readThingsClause(clause: string, restore: (text: string) => string): Instruction | undefined {
  const request = readRequest(clause.replace(/\s?[?.!]$/u, ""));
  if (!request) return undefined;
  const location = splitPlace(request.text, restore);
  if (location === undefined) return undefined;
  const nouns = request.isCount ? readCount(location.rest) : readNouns(location.rest, restore);
  if (!nouns) return undefined;
  // To find the cheapest is to search for it: it need not be on this page.
  if (nouns.order !== undefined && (nouns.of === undefined || /^find\s/iu.test(clause))) return undefined;
  const { place } = location;
  return createInstruction(
    {
      ...nouns,
      ...(place && place.kind !== "page" ? { place } : {}),
      ...(place?.kind === "page" ? { isAll: true } : {}),
    },
    request,
  );
}

function createInstruction(thingsQuestion: ThingsQuestion, { pages }: ThingsRequest): Instruction {
  return { verb: "extract-things", question: thingsQuestion, ...(pages === undefined ? {} : { pages }) };
}

function readRequest(clause: string): ThingsRequest | undefined {
  const paged =
    /^(?<rest>.+?)\s(?:from|of|across|on|over|in)\s(?:(?<all>all(?:\sthe)?)|(?:the\sfirst\s)?(?<n>\d+))\spages$/iu.exec(
      clause,
    );
  const { rest = clause, all, n } = paged?.groups ?? {};
  const pages = all !== undefined ? 50 : n === undefined ? undefined : Number(n);
  const countMatch = counting.exec(rest)?.groups;
  if (countMatch) {
    const { many, owner, after = "", counted: named = "" } = countMatch;
    const of = owner === undefined ? "" : ` in ${owner}`;
    return { text: `${many ?? named}${of}${after}`, isCount: true, ...(pages === undefined ? {} : { pages }) };
  }
  const text = reading.exec(rest)?.groups?.["what"] ?? /^(?:every|each)\s.+$/iu.exec(rest)?.[0];
  return text === undefined ? undefined : { text, isCount: false, ...(pages === undefined ? {} : { pages }) };
}

/** Splits a request into its nouns and the part of the page that it names; undefined if it is not understood. */
function splitPlace(
  text: string,
  restore: (text: string) => string,
): { rest: string; place?: ThingsPlace } | undefined {
  const here = text.replace(/\s(?:here|shown\shere|(?:that\sare\s)?(?:shown|listed))$/iu, "");
  const match =
    /^(?<rest>.+?)\s(?<word>under|below|beneath|in|inside|within|on|from|at)\s(?<where>(?:(?!\s(?:under|below|beneath|in|inside|within|on|from)\s).)+)$/iu.exec(
      here,
    );
  if (!match?.groups) return { rest: here };
  const { rest = "", where = "" } = match.groups;
  const bare = where.replace(/^(?:the|this)\s/iu, "");
  const landmark = landmarks.find(([pattern]) => pattern.test(bare));
  if (landmark) return { rest, place: { kind: landmark[1] } };
  if (/^(?:each|every|all|any)\b/iu.test(bare) || /^\d/.test(bare) || choosing.test(bare) || !isPlainValue(bare))
    return undefined;
  const [, before, named] =
    new RegExp(String.raw`^(?:(${placeWords})\s(?:named\s|called\s|titled\s)?)?(.+?)$`, "iu").exec(bare) ?? [];
  const [, inner = "", after] = new RegExp(String.raw`^(.+?)(?:\s(${placeWords}))?$`, "iu").exec(named ?? "") ?? [];
  const word = (before ?? after ?? "").toLowerCase();
  const name = restore(inner)
    .replace(/^["“„«'](.*)["”“»']$/su, "$1")
    .trim();
  if (
    name === "" ||
    (new RegExp(quotationPlaceholder, "u").test(inner) && !new RegExp(`^${quotationPlaceholder}$`, "u").test(inner))
  )
    return undefined;
  const kind = word === "table" || word === "list" || word === "form" ? word : "region";
  return { rest, place: { kind, name } };
}

/** Splits the bound and the order from the noun after them. */
function takeBound(text: string): {
  rest: string;
  bound?: ThingsQuestion["bound"];
  order?: ThingsQuestion["order"];
  isAll?: true;
} {
  const { groups: { n, m, order } = {}, 0: phrase = "" } = orders.exec(text) ?? {};
  if (order !== undefined) {
    const count = m ?? n;
    return {
      rest: text.slice(phrase.length),
      order: /^(?:cheap|least|low)/iu.test(order) ? "cheapest" : "dearest",
      bound: { from: "first", count: count === undefined ? 1 : toNumber(count) },
    };
  }
  const [first] = bounds.flatMap(([pattern, from, isMost]) => {
    const match = pattern.exec(text);
    const count = match?.groups?.["n"];
    return match && count !== undefined
      ? [
          {
            rest: text.slice(match[0].length),
            bound: { from, count: toNumber(count), ...(isMost ? { isMost: true as const } : {}) },
          },
        ]
      : [];
  });
  if (first) return { ...first, rest: first.rest.replace(/^(?:of\sthe|the)\s/iu, "") };
  const [opening = "", which] = /^(?:the\s)?(first|last)\s(?=[\p{L}\s-]+$)/iu.exec(text) ?? [];
  if (which !== undefined && !/^names?$/iu.test(text.slice(opening.length)))
    return {
      rest: text.slice(opening.length),
      bound: { from: which.toLowerCase() === "first" ? "first" : "last", count: 1 },
    };
  const { groups: { all } = {}, 0: start = "" } = beginning.exec(text) ?? {};
  const rest = text.slice(start.length);
  const inner = start === "" ? undefined : takeBound(rest);
  if (inner && (inner.bound || inner.order)) return inner;
  return { rest, ...(all === undefined ? {} : { isAll: true }) };
}

function readCount(text: string): ThingsQuestion | undefined {
  const { rest, bound, order } = takeBound(text);
  if (bound || order) return undefined;
  const [what = "", of] = rest.split(/\sof\s(?:all\s|the\s)*/iu);
  const question = readWhat(what, of);
  return question && { ...question, as: "count" };
}

/** Reads the properties, and the noun that they belong to. */
function readNouns(text: string, restore: (text: string) => string): ThingsQuestion | undefined {
  const limit = endBound.exec(text);
  const unlimited = limit ? text.slice(0, limit.index) : text;
  const most = limit?.groups?.["n"];
  const outer = takeBound(unlimited);
  const parts = /^(?<what>.+?)\s(?:of|for)\s(?<of>.+)$/iu.exec(outer.rest)?.groups;
  const [thing, ...others] = outer.rest.split(
    /\s?,?\s(?:(?:together\s|along\s)?with|and)\s(?:all\s)?(?:their|its|the)\s/iu,
  );
  const inner = takeBound(parts?.["of"] ?? "");
  const bound =
    outer.bound ??
    inner.bound ??
    (most === undefined ? undefined : ({ from: "first", count: toNumber(most), isMost: true } as const));
  const order = outer.order ?? inner.order;
  if ((outer.bound && inner.bound) || (most !== undefined && (outer.bound ?? inner.bound))) return undefined;
  const limits = { ...(bound ? { bound } : {}), ...(order ? { order } : {}) };
  const isOne = bound?.count === 1;
  if (!parts && thing !== undefined && others.length > 0 && /\b(?:their|its)\s/iu.test(outer.rest)) {
    const of = toBareSingular(thing);
    const properties = readProperties(others.join(" and "), restore);
    return of !== undefined && properties && isPlain(of)
      ? { properties: ["name", ...properties.words], of, as: "records", ...pickIsAll(outer), ...limits }
      : undefined;
  }
  if (parts) {
    const each = /^(?:each|every)\s/iu.test(parts["of"] ?? "");
    const word = inner.rest.toLowerCase();
    const of = toBareSingular(inner.rest) ?? (each || inner.bound || inner.order ? word : undefined);
    const properties = readProperties(parts["what"] ?? "", restore, each);
    if (of === undefined || !properties || !isPlain(of)) return undefined;
    const isList = properties.words.length === 1 && properties.arePlural && !each;
    if (!isList && !each && !properties.arePlural && inner.isAll === undefined && !inner.bound && !inner.order)
      return undefined;
    const all = (outer.isAll ?? inner.isAll) !== undefined && !each;
    return {
      properties: properties.words,
      of,
      as: isList ? "list" : "records",
      ...(all ? { isAll: true } : {}),
      ...limits,
    };
  }
  const single = isOne && toBareSingular(outer.rest) === undefined;
  const question = readWhat(outer.rest, undefined, single || /^(?:every|each)\s/iu.test(unlimited));
  if (question) {
    const [only, another] = question.properties;
    if (order && (only === undefined || question.isBare) && another === undefined)
      return { properties: ["name"], of: only ?? question.of ?? "", as: "records", ...limits };
    return { ...question, ...pickIsAll(outer), ...limits };
  }
  const several = readProperties(outer.rest, restore);
  if (!several?.arePlural || several.words.length < 2) return undefined;
  return { properties: several.words, as: "records", ...pickIsAll(outer), ...limits };
}

function pickIsAll({ isAll }: { readonly isAll?: true }): { readonly isAll?: true } {
  return isAll ? { isAll } : {};
}

/** Reads a plural, with or without its owner: "prices", "product names". */
function readWhat(what: string, of: string | undefined, mayBeOne = false): ThingsQuestion | undefined {
  const one = toBareSingular(what) ?? (mayBeOne ? what.toLowerCase() : undefined);
  if (one === undefined || !isPlain(one)) return undefined;
  if (of !== undefined) {
    const owner = toBareSingular(of) ?? of.toLowerCase();
    return isPlain(owner) ? { properties: [one], of: owner, as: "list" } : undefined;
  }
  const words = one.split(" ");
  for (let at = 1; at < words.length; at += 1) {
    const property = words.slice(at).join(" ");
    if (isProperty(property) && !isProperty(one))
      return { properties: [property], of: words.slice(0, at).join(" "), as: "list" };
  }
  if (isGeneralNoun(one)) return { properties: [], of: one, as: "list" };
  return { properties: [one], isBare: true, as: "list" };
}

/** Reads an enumeration of properties, all in the plural or all in the singular; quoted ones are as they were said. */
function readProperties(
  text: string,
  restore: (text: string) => string,
  asSaid = false,
): { words: string[]; arePlural: boolean } | undefined {
  const parts = text
    .split(/\s?,\s(?:and\s)?|\sand\s/iu)
    .map((one) => one.replace(/^(?:all\s)?(?:the|its|their|all)\s/iu, ""));
  const isQuoted = new RegExp(`^${quotationPlaceholder}$`, "u");
  const plurals = parts.map((one) => (isQuoted.test(one) ? undefined : toBareSingular(one)));
  const arePlural = plurals.every((one) => one !== undefined);
  const words = parts.map((one, at) =>
    isQuoted.test(one)
      ? restore(one).slice(1, -1).trim()
      : ((arePlural && !asSaid ? plurals[at] : undefined) ?? one.toLowerCase()),
  );
  const isRead = words.every((word, at) => word !== "" && (isQuoted.test(parts[at] ?? "") || isPlain(word)));
  return isRead && new Set(words).size === words.length ? { words, arePlural } : undefined;
}

function toBareSingular(text: string): string | undefined {
  return toSingular(text.trim().replace(/^(?:all\s)?(?:the|these|those)\s/iu, ""));
}

/** Returns whether a noun has at most three words and no filter. */
function isPlain(noun: string): boolean {
  return (
    /^\p{L}[\p{L}\p{M}\p{N}'’-]*(?:\s[\p{L}\p{M}\p{N}'’-]+){0,2}$/u.test(noun) &&
    !beyond.test(noun) &&
    isPlainValue(noun)
  );
}
