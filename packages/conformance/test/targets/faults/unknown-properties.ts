/** Targets that take a property of a page scrape that is none of the nine. */
import { findOperation, type Json } from "../messages.ts";
import { listBreaking, type FaultyTarget } from "../faulty-target.ts";
import { fieldReaders, type Service } from "../service.ts";

const known = Object.keys(fieldReaders);
const isKnown = (name: string): boolean => known.includes(name);

/** Names that are taken beside the known ones. */
const names = (right: (name: string) => boolean): Partial<Service> => ({
  knows: (name) => isKnown(name) || right(name),
});

/** Takes an unknown property when something is true of its value, or of the others. */
const when = (right: (value: Json, place: number, count: number) => boolean): Partial<Service> => ({
  problems: (found, request) => {
    if (findOperation(request) !== "scrape" || !found.some(({ msg }) => msg === "unknown")) return found;
    const members: [string, Json][] = Object.entries(JSON.parse(request.body));
    return found.filter(({ loc, msg }) => {
      const at = members.findIndex(([name]) => name === loc.at(-1));
      return msg !== "unknown" || !right(members[at]?.[1] ?? null, at, members.length);
    });
  },
});

/** Accepts names that equal a known one after the given change. */
const likened = (change: (name: string) => string): Partial<Service> => names((name) => isKnown(change(name)));

const latin: Readonly<Record<string, string>> = { а: "a", с: "c", е: "e", о: "o", р: "p", ѕ: "s" };
const table: Readonly<Record<string, unknown>> = fieldReaders;

export const unknownPropertyFaults: readonly FaultyTarget[] = listBreaking("scrape.unknown-property-rejected", {
  "takes-every-property": names(() => true),
  "takes-properties-that-begin-with-x": names((name) => name.startsWith("x_") || name.startsWith("x-")),
  "looks-names-up-where-objects-inherit": names((name) => name in table),
  "loses-proto-in-an-assignment": names((name) => name === "__proto__"),
  "loses-constructor-and-prototype": names((name) => name === "constructor" || name === "prototype"),
  "takes-names-of-python-internals": names((name) => /^__\w+__$/.test(name)),
  "takes-names-of-methods": names((name) => ["toString", "valueOf", "hasOwnProperty"].includes(name)),
  "takes-beginnings-of-names": names((name) => name !== "" && known.some((one) => one.startsWith(name))),
  "takes-what-begins-with-a-name": names((name) => known.some((one) => name.startsWith(one))),
  "takes-the-plural": likened((name) => name.replace(/s$/, "")),
  "reads-names-in-any-case": likened((name) => name.toLowerCase()),
  "reads-camel-case": likened((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  "reads-dashes-as-underscores": likened((name) => name.replaceAll("-", "_")),
  "trims-the-end-of-names": likened((name) => name.trimEnd()),
  "takes-the-name-of-a-schema": names((name) => name === "$schema"),
  "takes-one-underscore": names((name) => name === "_"),
  "takes-fields-in-the-imperative": names((name) => name === "ignore_tags"),
  "trims-names": likened((name) => name.trim()),
  "cuts-names-at-a-zero-byte": likened((name) => name.split("\0", 1)[0] ?? ""),
  "reads-names-as-paths": likened((name) => name.split(".", 1)[0] ?? ""),
  "takes-letters-that-look-alike": likened((name) => name.replace(/\P{ASCII}/gu, (letter) => latin[letter] ?? letter)),
  "takes-the-empty-name": names((name) => name === ""),
  "takes-fields-of-the-automation": names((name) => name === "query"),
  "takes-parameters-in-the-body": names((name) => name === "session_id" || name === "update_metadata"),
  "takes-fields-of-the-answer": names((name) => name === "markdown" || name === "images"),
  "takes-headers-in-the-body": names((name) => name.startsWith("x-service-")),
  "drops-unknown-properties-that-are-null": when((value) => value === null),
  "drops-unknown-objects": when((value) => typeof value === "object" && value !== null),
  "looks-at-the-last-property-only": when((_, at, count) => at < count - 1),
  "looks-at-the-first-property-only": when((_, at) => at > 0),
  "looks-at-three-properties-at-most": when((_, at) => at > 2),
  "forgets-unknown-properties-beside-all-nine": when((_, __, count) => count > known.length),
});
