import type { Random } from "./random.ts";

/** A property that a request does not know, with the word for it in the id of its probe. */
export interface HostileName {
  /** The name in characters that are allowed in an id. */
  readonly word: string;
  /** The name on the wire. */
  readonly name: string;
}

const plain = (names: readonly string[]): HostileName[] => names.map((name) => ({ word: name, name }));

/** Property names that objects inherit in many languages: a lookup in a table of known names may find them. */
export const inheritedNames: readonly HostileName[] = plain([
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "__class__",
]);

/** Names of other parts of the interface, which a shared table of names could let through. */
export const foreignNames: readonly HostileName[] = plain([
  "query",
  "session_id",
  "update_metadata",
  "markdown",
  "x-service-sdk-version",
]);

/** Letters of other alphabets that look like the Latin ones. */
const lookAlikes: Readonly<Record<string, string>> = { a: "а", c: "с", e: "е", o: "о", p: "р", s: "ѕ" };

/** A name in camelCase. */
export function formatCamelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns names so similar to known fields that an inexact comparison accepts them. None is a known name, and none occurs twice. */
export function listNearNames(known: readonly string[]): HostileName[] {
  const [first = "field"] = known;
  const long = known.find((name) => name.includes("_")) ?? first;
  const longest = known.toSorted((one, other) => other.length - one.length)[0] ?? first;
  const near: HostileName[] = [
    { word: "beginning", name: first.slice(0, -2) },
    { word: "beginning-of-words", name: longest.slice(0, longest.lastIndexOf("_")) },
    { word: "plural", name: `${first}s` },
    { word: "capital", name: first.charAt(0).toUpperCase() + first.slice(1) },
    { word: "dashes", name: long.replaceAll("_", "-") },
    { word: "zero-behind", name: `${first}\0` },
    { word: "empty", name: "" },
    { word: "path", name: `${first}.css` },
    { word: "look-alike", name: first.replace(/[aceops]/, (letter) => lookAlikes[letter] ?? letter) },
  ];
  return near.filter(({ name }, at) => !known.includes(name) && near.findIndex((one) => one.name === name) === at);
}

/** Alterations of a name that an inexact comparison does not notice. */
const alterations: readonly (readonly [word: string, alter: (name: string) => string])[] = [
  ["camel-case", formatCamelCase],
  ["upper-case", (name) => name.toUpperCase()],
  ["pascal-case", (name) => formatCamelCase(`_${name}`)],
  ["joined", (name) => name.replaceAll("_", "")],
  ["line-before", (name) => `_${name}`],
  ["line-behind", (name) => `${name}_`],
  ["space-before", (name) => ` ${name}`],
  ["brackets", (name) => `${name}[]`],
  ["zero-width", (name) => `${name}\u200B`],
  ["full-width", (name) => String.fromCodePoint(name.charCodeAt(0) + 0xfee0) + name.slice(1)],
];

/** Names in every script and notation, of every length, and such as frameworks reserve for themselves. */
const otherNames: readonly HostileName[] = [
  { word: "accents", name: "größe" },
  { word: "astral", name: "🛳️𝒜" },
  { word: "right-to-left", name: "\u202Erotceles\u202C" },
  { word: "control", name: "\u0001\t\u007F" },
  { word: "markup", name: "<selector/>" },
  { word: "digit", name: "0" },
  { word: "reference", name: "$ref" },
  { word: "word-null", name: "null" },
  { word: "long", name: "conformance_".repeat(80) },
  ...plain(["__defineGetter__", "length", "toJSON", "__init__", "model_config"]),
];

/** Names by grammar: each known one altered in its own way, and names that resemble none. None is known, and none occurs twice. */
export function listAlteredNames(known: readonly string[]): HostileName[] {
  const long = known.filter((name) => name.includes("_"));
  const altered = alterations.flatMap(([word, alter], at): HostileName[] => {
    const name = long[at % long.length] ?? known[at % known.length];
    return name === undefined ? [] : [{ word: `${word}-${name}`, name: alter(name) }];
  });
  return [...altered, ...otherNames].filter(({ name }) => !known.includes(name));
}

const letters = "abcdefghijklmnopqrstuvwxyz";

/** Generates random names. The same seed generates the same ones. */
export function makeRandomNames(count: number, random: Random): HostileName[] {
  return Array.from({ length: count }, (_, at) => {
    const word = Array.from({ length: 8 }, () => letters[random.below(letters.length)]).join("");
    return { word: `random-${at + 1}`, name: `x_${word}` };
  });
}
