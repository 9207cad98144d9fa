/** Servers that take a property of a page scrape that is none of the nine. */
import { breakService, type Fault } from "../fault.ts";
import { findOperation, type Json } from "../messages.ts";
import { fieldReaders, type Parts } from "../service.ts";

const known = Object.keys(fieldReaders);
const isKnown = (name: string): boolean => known.includes(name);

/** Takes names beside the known ones. */
const knows = (right: (name: string) => boolean): Parts => ({ knows: (name) => isKnown(name) || right(name) });
const knowsNames = (...names: readonly string[]): Parts => knows((name) => names.includes(name));

/** Takes names that equal a known one after the change. */
const liken = (change: (name: string) => string): Parts => knows((name) => isKnown(change(name)));

/** Takes an unknown property when something is true of its value, or of the others. */
const takesWhen = (right: (value: Json, place: number, count: number) => boolean): Parts => ({
  problems: (found, request) => {
    if (findOperation(request) !== "scrape" || !found.some(({ msg }) => msg === "unknown")) return found;
    const members: [string, Json][] = Object.entries(JSON.parse(request.body));
    return found.filter(({ loc, msg }) => {
      const at = members.findIndex(([name]) => name === loc.at(-1));
      return msg !== "unknown" || !right(members[at]?.[1] ?? null, at, members.length);
    });
  },
});

const latin: Readonly<Record<string, string>> = { а: "a", с: "c", е: "e", о: "o", р: "p", ѕ: "s" };
const table: Readonly<Record<string, unknown>> = fieldReaders;

export const unknownPropertyFaults: readonly Fault[] = breakService({
  "scrape.unknown-property-rejected": {
    "takes-every-property": knows(() => true),
    "takes-properties-that-begin-with-x": knows((name) => name.startsWith("x_") || name.startsWith("x-")),
    "looks-names-up-where-objects-inherit": knows((name) => name in table),
    "loses-proto-in-an-assignment": knowsNames("__proto__"),
    "loses-constructor-and-prototype": knowsNames("constructor", "prototype"),
    "takes-names-of-python-internals": knows((name) => /^__\w+__$/.test(name)),
    "takes-names-of-methods": knowsNames("toString", "valueOf", "hasOwnProperty"),
    "takes-beginnings-of-names": knows((name) => name !== "" && known.some((one) => one.startsWith(name))),
    "takes-what-begins-with-a-name": knows((name) => known.some((one) => name.startsWith(one))),
    "takes-the-plural": liken((name) => name.replace(/s$/, "")),
    "reads-names-in-any-case": liken((name) => name.toLowerCase()),
    "reads-camel-case": liken((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    "reads-dashes-as-underscores": liken((name) => name.replaceAll("-", "_")),
    "trims-the-end-of-names": liken((name) => name.trimEnd()),
    "takes-the-name-of-a-schema": knowsNames("$schema"),
    "takes-one-underscore": knowsNames("_"),
    "takes-fields-in-the-imperative": knowsNames("ignore_tags"),
    "trims-names": liken((name) => name.trim()),
    "cuts-names-at-a-zero-byte": liken((name) => name.split("\0", 1)[0] ?? ""),
    "reads-names-as-paths": liken((name) => name.split(".", 1)[0] ?? ""),
    "takes-letters-that-look-alike": liken((name) => name.replace(/\P{ASCII}/gu, (letter) => latin[letter] ?? letter)),
    "takes-the-empty-name": knowsNames(""),
    "takes-fields-of-the-automation": knowsNames("query"),
    "takes-parameters-in-the-body": knowsNames("session_id", "update_metadata"),
    "takes-fields-of-the-answer": knowsNames("markdown", "images"),
    "takes-headers-in-the-body": knows((name) => name.startsWith("x-service-")),
    "drops-unknown-properties-that-are-null": takesWhen((value) => value === null),
    "drops-unknown-objects": takesWhen((value) => typeof value === "object" && value !== null),
    "looks-at-the-last-property-only": takesWhen((_, at, count) => at < count - 1),
    "looks-at-the-first-property-only": takesWhen((_, at) => at > 0),
    "looks-at-three-properties-at-most": takesWhen((_, at) => at > 2),
    "forgets-unknown-properties-beside-all-nine": takesWhen((_, __, count) => count > known.length),
  },
});
