import { namedSchema, resolveSchema, schemaNames, type Schema } from "../../contract/contract.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Probe } from "../../http/probe.ts";
import { rejectedFields } from "../blamed-fields.ts";
import { camelCase } from "../generation/hostile-names.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import { scrapeProbe } from "./scrape-probe.ts";

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

const words = (name: string): string[] => name.split("_");

/** Returns variations of a field name that somebody may take for it. */
function listVariations(name: string): string[] {
  const parts = words(name);
  const camel = camelCase(name);
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
export const manyNamesProbe: Probe = scrapeProbe("unknown-many", {
  members: manyNames.map((name) => [name, null]),
  expects: "refusal",
});

/** Maximum number of names that are tried alone. */
const maxAlone = 8;

/** Words in the ids of the probes that try a name alone. */
export const unlistedWords: readonly string[] = Array.from({ length: maxAlone }, (_, at) => `unlisted-${at + 1}`);

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
    return name === undefined ? [] : [scrapeProbe(`unknown-${word}`, { members: [[name, true]], expects: "refusal" })];
  });
}
