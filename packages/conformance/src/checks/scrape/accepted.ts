import { judgeAccepted } from "../answers.ts";
import { judgeKey, plainRequests, tokenIsApiKey } from "../accepted-key.ts";
import { rejectedFields } from "../blamed-fields.ts";
import { type Probe } from "../../http/probe.ts";
import { nothingSeen, type Check, type Judgement } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import { scrapeFields, type RequestField } from "../../contract/request-fields.ts";
import type { NamedValue } from "../../contract/value-classes.ts";
import { keywordSchemas } from "../../contract/schema-keywords.ts";
import { isObject } from "../../http/json.ts";
import { defaultMembers, everyOptionalHeader, optionalHeaders, scrapeProbe } from "./scrape-probe.ts";
import { whereverRejected, wronglyRejectedFields } from "./rejected-fields.ts";
import { judgeScraped, strictAcceptChecks } from "./open-refusals.ts";

/** The plain scrape: every option left out. */
const plain = "scrape/defaults";

const withValue = (field: RequestField, { word }: NamedValue): string => `with-${field.name}-${word}`;

const everything = scrapeFields.flatMap(({ name, valid: [first] }) => (first ? [{ name, value: first.value }] : []));

/** The same object in other JSON notations. */
const spellings: readonly { readonly word: string; readonly body: string }[] = [
  { word: "spread-out", body: '\r\n{\t"scrape_links" :\n  true ,\n\n  "only_images": false\r\n}\n' },
  { word: "escaped", body: String.raw`{"\u0073crape_links":true,"instructions":"\u00dcber\ud83d\udea2\/"}` },
];

const schemaField = "response_format";
const firstSchema = scrapeFields.find(({ name }) => name === schemaField)?.valid[0];
const schemaId = `scrape/with-${schemaField}-${firstSchema?.word ?? ""}`;

/** The first schema with annotations added: data that follow it follow the first one, too. */
const annotatedSchema = {
  title: "A page",
  description: "What the page tells.",
  ...asObject(firstSchema?.value),
};

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** Numbers of the repetitions of the plain scrape: they reveal a fault that shows at least every third time. */
const times = [2, 3];

/** Repetitions of the plain scrape. */
export const repeatedScrapeProbes: readonly Probe[] = times.map((time) => scrapeProbe(`again-${time}`));

/** The same headers in the notation of a `User-Agent`. */
const commented = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, "conformance/1 (a comment)"]));

/** Requests that a conforming target answers with 200, without the combinations. */
export const acceptedScrapeProbes: readonly Probe[] = [
  scrapeProbe("defaults"),
  ...repeatedScrapeProbes,
  ...scrapeFields.flatMap((field) =>
    field.valid.map((value) => scrapeProbe(withValue(field, value), { members: [[field.name, value.value]] })),
  ),
  ...keywordSchemas.map(({ word, value }) =>
    scrapeProbe(`with-${schemaField}-${word}`, { members: [[schemaField, value]] }),
  ),
  scrapeProbe("annotated-schema", { members: [[schemaField, annotatedSchema]] }),
  scrapeProbe("everything", { members: everything.map(({ name, value }) => [name, value]) }),
  scrapeProbe("everything-backwards", { members: everything.toReversed().map(({ name, value }) => [name, value]) }),
  scrapeProbe("default-values", { members: defaultMembers }),
  scrapeProbe("default-values-of-an-sdk", {
    members: defaultMembers,
    headers: everyOptionalHeader,
    query: "?update_metadata=true",
  }),
  ...spellings.map(({ word, body }) => scrapeProbe(`spelled-${word}`, { body })),
  scrapeProbe("update-metadata-true", { query: "?update_metadata=true" }),
  scrapeProbe("update-metadata-false", { query: "?update_metadata=false" }),
  ...optionalHeaders.map(({ word, headers }) => scrapeProbe(`with-${word}`, { headers: commented(headers) })),
];

/** Ids of the plain scrapes: where one fails, no other valid one is judged by its options. */
export const plainScrapeIds: readonly string[] = [plain, ...repeatedScrapeProbes.map(({ id }) => id)];

/** Returns whether a plain scrape was sent and failed. */
function plainFails(run: ReadonlyMap<string, Exchange> | undefined): boolean {
  return plainScrapeIds.some((id) => {
    const exchange = run?.get(id);
    return exchange !== undefined && exchange.response?.status !== 200;
  });
}

/** Judges a valid scrape, unless the plain scrape failed as well. */
export function judgeTaken(exchange: Exchange, requirement: string, run?: ReadonlyMap<string, Exchange>): Judgement {
  return plainFails(run)
    ? nothingSeen("The scrape without options did not succeed each time.")
    : judgeScraped(exchange, requirement, run);
}

/** Checks that no field is required. A scrape without options shows it for all; a refusal that names a field is counted for that field. */
const optionalChecks = scrapeFields.map(({ name }): Check => {
  const requirement = `scrape.request.${name}.optional`;
  const check: Check = {
    id: `scrape/${name}-optional`,
    title: `\`${name}\` may be left out.`,
    requirements: [requirement],
    probes: [plain],
    judge: ({ response }) =>
      response?.status === 200 ? { seen: 1, findings: [] } : nothingSeen("The scrape without options did not succeed."),
  };
  return whereverRejected(check, name, requirement, false);
});

const acceptChecks = scrapeFields.map((field): Check => {
  const requirement = `scrape.request.${field.name}.type`;
  const check: Check = {
    id: `scrape/accepts-${field.name}`,
    title: `Every kind of value that \`${field.name}\` may have is accepted.`,
    requirements: [requirement],
    probes: [...field.valid, ...(field.name === schemaField ? keywordSchemas : [])].map(
      (value) => `scrape/${withValue(field, value)}`,
    ),
    consults: plainScrapeIds,
    appliesTo: ({ id }) => id.startsWith(`scrape/with-${field.name}-`),
    judge: (exchange, _, run) => {
      const fields = rejectedFields(exchange);
      const other = fields.length > 0 && !fields.includes(field.name);
      return other ? nothingSeen(`It was rejected for ${fields.join(", ")}.`) : judgeTaken(exchange, requirement, run);
    },
  };
  return whereverRejected(check, field.name, requirement, true);
});

/** Ids of the scrapes that ask for a structure, and nothing else. */
const structuredIds = scrapeFields
  .filter(({ name }) => name === "response_format")
  .flatMap((field) =>
    field.valid.filter(({ value }) => value !== null).map((value) => `scrape/${withValue(field, value)}`),
  );

/**
 * Makes a check that scrapes with one part are accepted. A refusal that names the part violates the first requirement, any other failure
 * the last one.
 *
 * @param isolated - Beginning of the ids of the scrapes that isolate one value of the part. Default: none.
 */
function accepts(
  name: string,
  title: string,
  requirements: readonly [string, ...string[]],
  probes: string[],
  isolated?: string,
): Check {
  return {
    id: `scrape/${name}`,
    title,
    requirements,
    probes: probes.map((id) => `scrape/${id}`),
    consults: plainScrapeIds,
    ...(isolated === undefined ? {} : { appliesTo: ({ id }) => id.startsWith(`scrape/${isolated}`) }),
    judge: (exchange, _, run) => {
      const [field] = wronglyRejectedFields(exchange);
      return field === undefined
        ? judgeTaken(exchange, requirements.at(-1) ?? requirements[0], run)
        : nothingSeen(`It was rejected for \`${field}\`.`);
    },
  };
}

/** Extends a check of one part to every valid scrape that has it. */
const acceptsPart = (name: string, check: Check): Check =>
  whereverRejected(check, name, check.requirements[0] ?? "", true);

/** Requirements of the optional parts of a request outside of its body, by the name of the part. */
const outsideBody: ReadonlyMap<string, string> = new Map(
  ["update_metadata", ...Object.keys(everyOptionalHeader)].map((name) => [
    name,
    `scrape.${name.startsWith("x-") ? "header." : ""}${name}.optional`,
  ]),
);

/** Extends a check to every valid scrape that lacks one of these parts. */
const needsNothingBeside = (check: Check): Check =>
  [...outsideBody].reduce(
    (extended, [name, requirement]) => whereverRejected(extended, name, requirement, false),
    check,
  );

/** Returns the requirement that a plain scrape violates when it does not succeed. */
function brokenBy(exchange: Exchange): string {
  const missed = rejectedFields(exchange).find((name) => outsideBody.has(name));
  if (missed !== undefined) return outsideBody.get(missed) ?? "";
  return exchange.response?.status === 415 ? "scrape.request.content-type" : "scrape.status-200";
}

/** Checks that valid scrapes are accepted. Source: interface § Endpoints, § Resources and their fields. */
export const scrapeAcceptedChecks: readonly Check[] = [
  needsNothingBeside({
    id: "scrape/status-200",
    title: "A scrape without options is answered with 200.",
    requirements: [
      "scrape.status-200",
      "auth.session.bearer-header",
      tokenIsApiKey,
      "scrape.header.x-service-request-origin.optional",
      "scrape.header.x-service-sdk-version.optional",
      "scrape.request.body-is-json",
      "scrape.request.content-type",
      "scrape.update_metadata.optional",
    ],
    probes: [plain],
    consults: plainRequests,
    judge: (exchange, _, run) => {
      const blamed = rejectedFields(exchange).find((name) => scrapeFields.some((field) => field.name === name));
      if (blamed !== undefined) return nothingSeen(`It was rejected because \`${blamed}\` is missing.`);
      return judgeKey(exchange, run) ?? judgeAccepted(exchange, brokenBy(exchange), run);
    },
  }),
  ...optionalChecks,
  ...acceptChecks,
  ...strictAcceptChecks(structuredIds),
  {
    id: "scrape/accepts-annotated-schema",
    title: "A JSON Schema that is accepted is accepted with annotations, too.",
    requirements: [`scrape.request.${schemaField}.type`],
    probes: ["scrape/annotated-schema"],
    consults: [schemaId],
    judge: (exchange, _, run) =>
      run?.get(schemaId)?.response?.status === 200 && rejectedFields(exchange).every((name) => name === schemaField)
        ? judgeScraped(exchange, `scrape.request.${schemaField}.type`, run)
        : nothingSeen("The same schema without them was not accepted, or something else was refused."),
  },
  accepts(
    "accepts-any-spelling",
    "A body is accepted in every way in which JSON can be written.",
    ["scrape.request.body-is-json"],
    spellings.map(({ word }) => `spelled-${word}`),
  ),
  acceptsPart(
    "update_metadata",
    accepts(
      "accepts-update_metadata",
      "`update_metadata` may be true or false.",
      ["scrape.update_metadata.type"],
      ["update-metadata-true", "update-metadata-false"],
    ),
  ),
  acceptsPart(
    "x-service-request-origin",
    accepts(
      "accepts-request-origin",
      "The header `x-service-request-origin` is accepted.",
      ["scrape.header.x-service-request-origin.type"],
      ["with-request-origin"],
      "with-request-origin-",
    ),
  ),
  acceptsPart(
    "x-service-sdk-version",
    accepts(
      "accepts-sdk-version",
      "The header `x-service-sdk-version` is accepted.",
      ["scrape.header.x-service-sdk-version.type", "version.sdk-version-header"],
      ["with-sdk-version"],
      "with-sdk-version-",
    ),
  ),
];
