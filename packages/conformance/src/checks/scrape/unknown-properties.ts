import { makeCheck } from "../make-check.ts";
import type { Probe } from "../../http/probe.ts";
import { nothingSeen, type Check } from "../check.ts";
import {
  listAlteredNames,
  foreignNames,
  inheritedNames,
  listNearNames,
  makeRandomNames,
  type HostileName,
  formatCamelCase,
} from "../generation/hostile-names.ts";
import type { Member } from "../generation/json-object.ts";
import { Random } from "../generation/random.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import { succeeded, type Exchange } from "../../http/exchange.ts";
import { judgeInvalid } from "./judge-invalid.ts";
import { defaultMembers, makeScrapeProbe, validMembers, unknownMember } from "./scrape-probe.ts";
import { namedSchema, resolveSchema, schemaNames, type Schema } from "../../contract/contract.ts";
import { rejectedFields } from "../blamed-fields.ts";

/** Names of options of other services for scraping pages. */
const optionNames: readonly string[] = (
  "url urls uri timeout wait wait_for wait_until delay format formats output output_format schema json_schema prompt query " +
  "extract extraction headers cookies proxy user_agent viewport device language locale css css_selector xpath locator frame " +
  "include_tags exclude_tags only_tags include_links include_images with_links images links html raw raw_html text markdown " +
  "clean mode type kind model provider temperature max_tokens max_length limit offset depth page pages id name version stream " +
  "cache max_age no_cache refresh screenshot full_page pdf metadata include_metadata debug verbose session session_id options " +
  "params config settings body data input payload actions steps script js javascript mobile stealth region country api_key token " +
  "$schema $id _ __v x-api-key response_schema response_model json_mode structured_output user_id org_id request_id trace_id tenant " +
  "proxies lang lang_code retries include exclude filter xpaths tag_names strip_tags remove_tags max_depth user tags debug_mode test"
).split(" ");

/** Returns other spellings of a field name that a caller may use by mistake: camelCase, with hyphens, singular, a part of it. */
function listVariations(name: string): string[] {
  const parts = name.split("_");
  const camel = formatCamelCase(name);
  return [
    camel,
    camel.charAt(0).toUpperCase() + camel.slice(1),
    name.toUpperCase(),
    name.replaceAll("_", "-"),
    name.replaceAll("_", ""),
    name.replaceAll("_", "."),
    name.endsWith("s") ? name.slice(0, -1) : `${name}s`,
    parts.slice(1).join("_"),
    parts.slice(0, -1).join("_"),
    parts.toReversed().join("_"),
    ...parts,
    name.replace("d_", "_"),
    `_${name}`,
    `${name}_`,
    `${name} `,
    `x-${name}`,
    `${name}2`,
    `no_${name}`,
    `${name}_text`,
  ];
}

/** Returns the names of all fields in a part of the contract. */
function fieldNamesIn(schema: Schema): string[] {
  const own = Object.entries(schema.properties ?? {});
  const inner = [...own.map(([, field]) => field), ...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])];
  return [...own.map(([name]) => name), ...inner.filter(({ $ref }) => $ref === undefined).flatMap(fieldNamesIn)];
}

const fieldNames: ReadonlySet<string> = new Set(scrapeFields.map(({ name }) => name));

/** Names that are not fields of a scrape: from other parts of the contract, from other services, and near misses of a field. */
const manyNames: readonly string[] = [
  ...new Set([
    ...scrapeFields.flatMap(({ name }) => listVariations(name)),
    ...schemaNames.flatMap((name) => fieldNamesIn(resolveSchema(namedSchema(name)))),
    "x-service-request-origin",
    "x-service-sdk-version",
    ...optionNames,
  ]),
].filter((name) => name !== "" && !fieldNames.has(name));

const manyId = "scrape/unknown-many";

/** A scrape with all of these names: an answer that names the wrong ones shows which of them the target accepts. */
const manyNamesProbe: Probe = makeScrapeProbe("unknown-many", {
  members: manyNames.map((name) => [name, null]),
  expects: "refusal",
});

/** Maximum number of names that are tried alone. */
const maxAlone = 8;

/** Words in the ids of the probes that try a name alone. */
const unlistedWords: readonly string[] = Array.from({ length: maxAlone }, (_, at) => `unlisted-${at + 1}`);

/** Minimum share of the names that an answer has to name: one that reports only the first problems says nothing about the others. */
const minShare = 0.8;

/** Makes a scrape for each name that an answer to all of them did not name. None when the answer names few of them. */
export function unlistedNameProbes(run: ReadonlyMap<string, Exchange>): Probe[] {
  const exchange = run.get(manyId);
  const fields = new Set(exchange ? rejectedFields(exchange) : []);
  const missing = manyNames.filter((name) => !fields.has(name));
  if (missing.length === 0 || missing.length > manyNames.length * (1 - minShare)) return [];
  return unlistedWords.flatMap((word, at): Probe[] => {
    const name = missing[at];
    return name === undefined
      ? []
      : [makeScrapeProbe(`unknown-${word}`, { members: [[name, true]], expects: "refusal" })];
  });
}

const randomCount = 1;
const almost = listNearNames(scrapeFields.map(({ name }) => name));
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
const generatedProbes = listAlteredNames(scrapeFields.map(({ name }) => name)).map(({ word, name }, at) => {
  const surround = surroundings[(at + Math.floor(at / values.length)) % surroundings.length];
  const member: Member = [name, values[at % values.length]];
  return { word: `name-${word}`, name, members: surround?.(member) ?? [member] };
});

const unknownId = (word: string): string => `scrape/unknown-${word}`;
/** Makes a scrape with the property. The mock does not get names with characters that its response header can't carry, since they crash it. */
function withName({ word, name }: HostileName, members: readonly Member[] = [[name, true]]): Probe {
  const carried = /^[\x20-\xff]*$/.test(name);
  return makeScrapeProbe(`unknown-${word}`, {
    members,
    expects: "refusal",
    ...(carried ? {} : { needs: ["open-session", "reads-any-body"] as const }),
  });
}

/** Scrapes with a property that is not one of the nine. The same seed gives the same properties. */
export function unknownPropertyProbes(seed: number): Probe[] {
  return [
    makeScrapeProbe("unknown-stranger", { members: [unknownMember], expects: "refusal" }),
    ...[...makeRandomNames(randomCount, new Random(seed)), ...inheritedNames, ...almost, ...foreignNames].map((name) =>
      withName(name),
    ),
    ...generatedProbes.map((name) => withName(name, name.members)),
    ...Object.entries(places).map(([word, members]) =>
      makeScrapeProbe(`unknown-${word}`, { members, expects: "refusal" }),
    ),
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
const strangers = ["stranger", ...listWords(makeRandomNames(randomCount, new Random(0)))];

/** Checks of properties that are not known. Source: interface § Resources and their fields (ScrapeRequest). */
export const unknownPropertyChecks: readonly Check[] = [
  makeUnknownCheck("unknown-property", strangers),
  makeUnknownCheck("inherited-names", listWords(inheritedNames)),
  makeUnknownCheck("near-names", listWords(almost)),
  makeUnknownCheck("foreign-names", listWords(foreignNames)),
  makeUnknownCheck("any-unknown-name", [...listWords(generatedProbes), "many", ...unlistedWords]),
  makeUnknownCheck("unknown-anywhere", Object.keys(places)),
];
