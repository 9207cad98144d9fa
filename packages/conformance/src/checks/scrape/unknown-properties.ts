import { makeCheck } from "../make-check.ts";
import { type Probe } from "../../http/probe.ts";
import { nothingSeen, type Check } from "../check.ts";
import {
  alteredNames,
  foreignNames,
  inheritedNames,
  nearNames,
  randomNames,
  type HostileName,
} from "../generation/hostile-names.ts";
import type { Member } from "../generation/json-object.ts";
import { Random } from "../generation/random.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import { succeeded } from "../../http/exchange.ts";
import { manyNamesProbe, unlistedWords } from "./many-names.ts";
import { judgeInvalid } from "./judge-invalid.ts";
import { defaultMembers, scrapeProbe, validMembers } from "./scrape-probe.ts";

/** A property that no schema has. */
export const unknownMember: Member = ["conformance_unknown", true];

const randomCount = 1;
const almost = nearNames(scrapeFields.map(({ name }) => name));
const half = Math.ceil(validMembers.length / 2);

/** Places and values of an unknown property. */
const places: Readonly<Record<string, readonly Member[]>> = {
  first: [unknownMember, ...validMembers],
  amid: [...validMembers.slice(0, half), unknownMember, ...validMembers.slice(half)],
  last: [...validMembers, unknownMember],
  "among-defaults": [...defaultMembers, unknownMember],
  null: [[unknownMember[0], null]],
  object: [[unknownMember[0], { selector: "body" }]],
};

/** Values of an unknown property: a server may ignore empty ones, or check only scalars. */
const values: readonly unknown[] = [null, false, 0, "", [], {}, "body", 0.5, ["body"], { selector: "body" }];

/** The other members of the body, and the place of the property among them. */
const surroundings: readonly ((member: Member) => readonly Member[])[] = [
  (member) => [member],
  (member) => [member, ...validMembers],
  (member) => [...validMembers.slice(0, half), member, ...validMembers.slice(half)],
  (member) => [...defaultMembers, member],
];

/** Every generated name; values and other members take turns, so that each is combined with several others. */
const generatedProbes = alteredNames(scrapeFields.map(({ name }) => name)).map(({ word, name }, at) => {
  const surround = surroundings[(at + Math.floor(at / values.length)) % surroundings.length];
  const member: Member = [name, values[at % values.length]];
  return { word: `name-${word}`, name, members: surround?.(member) ?? [member] };
});

const unknownId = (word: string): string => `scrape/unknown-${word}`;
/** Makes a scrape with the property. The mock does not get names with characters that its response header can't carry, since they crash it. */
function withName({ word, name }: HostileName, members: readonly Member[] = [[name, true]]): Probe {
  const carried = /^[\x20-\xff]*$/.test(name);
  return scrapeProbe(`unknown-${word}`, {
    members,
    expects: "refusal",
    ...(carried ? {} : { needs: ["open-session", "reads-any-body"] as const }),
  });
}

/** Scrapes with a property that is not one of the nine. The same seed gives the same properties. */
export function unknownPropertyProbes(seed: number): Probe[] {
  return [
    scrapeProbe("unknown-stranger", { members: [unknownMember], expects: "refusal" }),
    ...[...randomNames(randomCount, new Random(seed)), ...inheritedNames, ...almost, ...foreignNames].map((name) =>
      withName(name),
    ),
    ...generatedProbes.map((name) => withName(name, name.members)),
    ...Object.entries(places).map(([word, members]) => scrapeProbe(`unknown-${word}`, { members, expects: "refusal" })),
    manyNamesProbe,
  ];
}

const plainId = unknownId("stranger");

/** Makes the check that some properties are rejected, unless the plainest one is accepted as well. */
const makeUnknownCheck = (name: string, words: readonly string[]): Check =>
  makeCheck(
    `scrape/rejects-${name}`,
    words.map(unknownId),
    (exchange, _, run) => {
      const plain = exchange.id === plainId ? undefined : run?.get(plainId);
      return plain && succeeded(plain)
        ? nothingSeen("Another unknown property is accepted; the check of that reports it.")
        : judgeInvalid(exchange, "an unknown property");
    },
    { consults: [plainId] },
  );

const listWords = (names: readonly HostileName[]): string[] => names.map(({ word }) => word);
const strangers = ["stranger", ...listWords(randomNames(randomCount, new Random(0)))];

/** Checks of properties that are not known. Source: interface § Resources and their fields (ScrapeRequest). */
export const unknownPropertyChecks: readonly Check[] = [
  makeUnknownCheck("unknown-property", strangers),
  makeUnknownCheck("inherited-names", listWords(inheritedNames)),
  makeUnknownCheck("near-names", listWords(almost)),
  makeUnknownCheck("foreign-names", listWords(foreignNames)),
  makeUnknownCheck("any-unknown-name", [...listWords(generatedProbes), "many", ...unlistedWords]),
  makeUnknownCheck("unknown-anywhere", Object.keys(places)),
];
