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
import { judgeInvalid, status422 } from "./judge-invalid.ts";
import { defaultMembers, scrapeProbe } from "./scrape-probe.ts";

/** A property that no schema has. */
export const unknownMember: Member = ["conformance_unknown", true];

const randomCount = 1;
const almost = nearNames(scrapeFields.map(({ name }) => name));
const knownMembers = scrapeFields.flatMap(({ name, valid: [first] }): Member[] => (first ? [[name, first.value]] : []));
const half = Math.ceil(knownMembers.length / 2);

/** Places and values of an unknown property. */
const places: readonly { readonly word: string; readonly members: readonly Member[] }[] = [
  { word: "first", members: [unknownMember, ...knownMembers] },
  { word: "amid", members: [...knownMembers.slice(0, half), unknownMember, ...knownMembers.slice(half)] },
  { word: "last", members: [...knownMembers, unknownMember] },
  { word: "among-defaults", members: [...defaultMembers, unknownMember] },
  { word: "null", members: [[unknownMember[0], null]] },
  { word: "object", members: [[unknownMember[0], { selector: "body" }]] },
];

/** Values of an unknown property: a server may ignore empty ones, or check only scalars. */
const values: readonly unknown[] = [null, false, 0, "", [], {}, "body", 0.5, ["body"], { selector: "body" }];

/** The other members of the body, and the place of the property among them. */
const surroundings: readonly ((member: Member) => readonly Member[])[] = [
  (member) => [member],
  (member) => [member, ...knownMembers],
  (member) => [...knownMembers.slice(0, half), member, ...knownMembers.slice(half)],
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
    ...places.map(({ word, members }) => scrapeProbe(`unknown-${word}`, { members, expects: "refusal" })),
    manyNamesProbe,
  ];
}

const plainId = unknownId("stranger");
const requirement = "scrape.unknown-property-rejected";

function check(name: string, title: string, words: readonly string[]): Check {
  return {
    id: `scrape/${name}`,
    title,
    requirements: [requirement, status422],
    probes: words.map(unknownId),
    consults: [plainId],
    judge: (exchange, _, run) => {
      const plain = exchange.id === plainId ? undefined : run?.get(plainId);
      if (plain && succeeded(plain))
        return nothingSeen("Another unknown property is accepted; the check of that reports it.");
      return judgeInvalid(exchange, requirement, "an unknown property");
    },
  };
}

const listWords = (names: readonly HostileName[]): string[] => names.map(({ word }) => word);

/** Checks of properties that are not known. Source: interface § Resources and their fields (ScrapeRequest). */
export const unknownPropertyChecks: readonly Check[] = [
  check("rejects-unknown-property", "A property that the request schema does not have is rejected with 422.", [
    "stranger",
    ...listWords(randomNames(randomCount, new Random(0))),
  ]),
  check(
    "rejects-inherited-names",
    "A property with a name that objects inherit, such as `__proto__`, is rejected with 422.",
    listWords(inheritedNames),
  ),
  check(
    "rejects-near-names",
    "A property whose name is similar to a known one is rejected with 422.",
    listWords(almost),
  ),
  check(
    "rejects-foreign-names",
    "A property that is known elsewhere in the interface is rejected with 422.",
    listWords(foreignNames),
  ),
  check(
    "rejects-any-unknown-name",
    "A property of any other name is rejected with 422, whatever it holds and whatever it stands among.",
    [...listWords(generatedProbes), "many", ...unlistedWords],
  ),
  check(
    "rejects-unknown-anywhere",
    "An unknown property is rejected wherever it stands and whatever it holds.",
    places.map(({ word }) => word),
  ),
];
