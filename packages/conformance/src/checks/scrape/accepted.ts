import { judgeAccepted } from "../answers.ts";
import { judgeKey, plainRequests, tokenIsApiKey } from "../shown-sessions.ts";
import { rejectedFields } from "../blamed-fields.ts";
import type { Probe } from "../../http/probe.ts";
import { nothingSeen, type Check, type Judgement, type Exchanges, inError, judgeStatus } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import { type NamedValue, keywordSchemas } from "../../contract/value-classes.ts";
import { isObject } from "../../http/json.ts";
import { defaultMembers, everyOptionalHeader, optionalHeaders, makeScrapeProbe, validMembers } from "./scrape-probe.ts";
import { coverRejections, listWronglyRejected } from "./rejected-fields.ts";
import { judgeScraped, listStrictChecks } from "./open-refusals.ts";
import { makeCheck } from "../make-check.ts";
import { asksToWait } from "../setup-statuses.ts";

/** The plain scrape: every option left out. */
const plain = "scrape/defaults";

const nameValue = (name: string, { word }: NamedValue): string => `with-${name}-${word}`;

/** The same object in other JSON notations. */
const spellings = [
  { word: "spread-out", body: '\r\n{\t"scrape_links" :\n  true ,\n\n  "only_images": false\r\n}\n' },
  { word: "escaped", body: String.raw`{"\u0073crape_links":true,"instructions":"\u00dcber\ud83d\udea2\/"}` },
];

const schemaField = "response_format";
const firstSchema = scrapeFields.find(({ name }) => name === schemaField)?.valid[0];
const schemaId = `scrape/with-${schemaField}-${firstSchema?.word ?? ""}`;

/** The first schema with annotations added: data that follow it follow the first one, too. */
const annotatedSchema = { title: "A page", description: "What the page tells.", ...asObject(firstSchema?.value) };

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** Numbers of the repetitions of the plain scrape: they reveal a fault that shows at least every third time. */
const times = [2, 3];

/** Repetitions of the plain scrape. */
export const repeatedScrapeProbes: readonly Probe[] = times.map((time) => makeScrapeProbe(`again-${time}`));

/** The same headers in the notation of a `User-Agent`. */
const addComments = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, "conformance/1 (a comment)"]));

/** Requests that a conforming target answers with 200, without the combinations. */
export const acceptedScrapeProbes: readonly Probe[] = [
  makeScrapeProbe("defaults"),
  ...repeatedScrapeProbes,
  ...scrapeFields.flatMap((field) =>
    field.valid.map((value) => makeScrapeProbe(nameValue(field.name, value), { members: [[field.name, value.value]] })),
  ),
  ...keywordSchemas.map(({ word, value }) =>
    makeScrapeProbe(`with-${schemaField}-${word}`, { members: [[schemaField, value]] }),
  ),
  makeScrapeProbe("annotated-schema", { members: [[schemaField, annotatedSchema]] }),
  makeScrapeProbe("everything", { members: validMembers }),
  makeScrapeProbe("everything-backwards", { members: validMembers.toReversed() }),
  makeScrapeProbe("default-values", { members: defaultMembers }),
  makeScrapeProbe("default-values-of-an-sdk", {
    members: defaultMembers,
    headers: everyOptionalHeader,
    query: "?update_metadata=true",
  }),
  ...spellings.map(({ word, body }) => makeScrapeProbe(`spelled-${word}`, { body })),
  makeScrapeProbe("update-metadata-true", { query: "?update_metadata=true" }),
  makeScrapeProbe("update-metadata-false", { query: "?update_metadata=false" }),
  ...optionalHeaders.map(({ word, headers }) => makeScrapeProbe(`with-${word}`, { headers: addComments(headers) })),
];

/** Ids of the plain scrapes: where one fails, no other valid one is judged by its options. */
export const plainScrapeIds: readonly string[] = [plain, ...repeatedScrapeProbes.map(({ id }) => id)];

/** Returns whether a plain scrape was sent and failed. */
function hasPlainFailed(run: Exchanges): boolean {
  return plainScrapeIds.some((id) => {
    const exchange = run?.get(id);
    return exchange !== undefined && exchange.response?.status !== 200;
  });
}

/** Judges a valid scrape, unless the plain scrape failed as well. */
export function judgeTaken(exchange: Exchange, run?: Exchanges, requirement?: string): Judgement {
  return hasPlainFailed(run)
    ? nothingSeen("The scrape without options did not succeed each time.")
    : judgeScraped(exchange, run, requirement);
}

/** Checks that no field is required. A scrape without options shows it for all; a refusal that names a field is counted for that field. */
const optionalChecks = scrapeFields.map(({ name }): Check => {
  const check = makeCheck(
    `scrape/${name}-optional`,
    [plain],
    ({ response }) =>
      response?.status === 200
        ? { assertions: 1, findings: [] }
        : nothingSeen("The scrape without options did not succeed."),
    { title: `\`${name}\` may be left out.` },
  );
  return coverRejections(check, name, false);
});

const acceptChecks = scrapeFields.map(({ name, valid }): Check => {
  const values = [...valid, ...(name === schemaField ? keywordSchemas : [])];
  const check = makeCheck(
    `scrape/accepts-${name}`,
    values.map((value) => `scrape/${nameValue(name, value)}`),
    (exchange, _, run) => {
      const fields = rejectedFields(exchange);
      const other = fields.length > 0 && !fields.includes(name);
      return other ? nothingSeen(`It was rejected for ${fields.join(", ")}.`) : judgeTaken(exchange, run);
    },
    {
      title: `Every kind of value that \`${name}\` may have is accepted.`,
      consults: plainScrapeIds,
      appliesTo: ({ id }) => id.startsWith(`scrape/with-${name}-`),
    },
  );
  return coverRejections(check, name, true);
});

/** Ids of the scrapes that ask for a structure, and nothing else. */
const structuredIds = (scrapeFields.find(({ name }) => name === schemaField)?.valid ?? []).flatMap((one) =>
  one.value === null ? [] : [`scrape/${nameValue(schemaField, one)}`],
);

/**
 * Makes a check that scrapes with one part are accepted. A refusal that names the part violates the first requirement, any other failure
 * the last one.
 *
 * @param isolated - Beginning of the ids of the scrapes that isolate one value of the part. Default: none.
 */
function makeAcceptCheck(name: string, probes: readonly string[], isolated?: string): Check {
  const check = makeCheck(
    `scrape/accepts-${name}`,
    probes.map((id) => `scrape/${id}`),
    (exchange, _, run) => {
      const [field] = listWronglyRejected(exchange);
      return field === undefined
        ? judgeTaken(exchange, run, check.requirements.at(-1))
        : nothingSeen(`It was rejected for \`${field}\`.`);
    },
    {
      consults: plainScrapeIds,
      ...(isolated !== undefined && { appliesTo: ({ id }) => id.startsWith(`scrape/${isolated}`) }),
    },
  );
  return check;
}

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
    (extended, [name, requirement]) => coverRejections(extended, name, false, requirement),
    check,
  );

/** Returns the requirement that a plain scrape violates when it does not succeed. */
function findBroken(exchange: Exchange): string {
  const missed = rejectedFields(exchange).find((name) => outsideBody.has(name));
  if (missed !== undefined) return outsideBody.get(missed) ?? "";
  return exchange.response?.status === 415 ? "scrape.request.content-type" : "scrape.status-200";
}

/** Checks that valid scrapes are accepted. Source: interface § Endpoints, § Resources and their fields. */
export const scrapeAcceptedChecks: readonly Check[] = [
  needsNothingBeside(
    makeCheck(
      "scrape/status-200",
      [plain],
      (exchange, _, run) => {
        const blamed = rejectedFields(exchange).find((name) => scrapeFields.some((field) => field.name === name));
        if (blamed !== undefined) return nothingSeen(`It was rejected because \`${blamed}\` is missing.`);
        return judgeKey(exchange, run) ?? judgeAccepted(exchange, run, findBroken(exchange));
      },
      {
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
        consults: plainRequests,
      },
    ),
  ),
  ...optionalChecks,
  ...acceptChecks,
  ...listStrictChecks(structuredIds),
  makeCheck(
    "scrape/accepts-annotated-schema",
    ["scrape/annotated-schema"],
    (exchange, _, run) =>
      run?.get(schemaId)?.response?.status === 200 && rejectedFields(exchange).every((name) => name === schemaField)
        ? judgeScraped(exchange, run)
        : nothingSeen("The same schema without them was not accepted, or something else was refused."),
    { consults: [schemaId] },
  ),
  makeAcceptCheck(
    "any-spelling",
    spellings.map(({ word }) => `spelled-${word}`),
  ),
  coverRejections(
    makeAcceptCheck("update_metadata", ["update-metadata-true", "update-metadata-false"]),
    "update_metadata",
    true,
  ),
  ...optionalHeaders.map(({ word, headers }) =>
    coverRejections(makeAcceptCheck(word, [`with-${word}`], `with-${word}-`), Object.keys(headers).join(""), true),
  ),
];

/** Notations of the media type of JSON: with parameters, which JSON has none of, and in capitals. Source: RFC 9110, section 8.3; RFC 8259. */
const notations: Readonly<Record<string, string>> = {
  charset: "application/json; charset=utf-8",
  "charset-in-capitals": "application/json;charset=UTF-8",
  "charset-in-quotes": 'application/json; charset="utf-8"',
  profile: 'application/json; profile="https://conformance.example/page"',
  "two-parameters": "application/json; charset=utf-8; version=1",
  capitals: "Application/JSON",
};

/** Plain scrapes whose media type is written in other ways. Whether a target takes them is left open by default. */
export const mediaTypeProbes: readonly Probe[] = Object.entries(notations).map(([word, type]) =>
  makeScrapeProbe(`typed-${word}`, {
    headers: { "content-type": type },
    members: [["instructions", "Åpne about:blank 🛳️"]],
    expects: "open",
  }),
);

/** Judges that a body is read, however its media type is written. */
const judgeNotation: Check["judge"] = ({ plan, response, failure }, _, run) => {
  if (plainScrapeIds.some((id) => (run?.get(id)?.response?.status ?? 200) !== 200))
    return nothingSeen("The scrape without options did not succeed each time.");
  if (!response) return inError(failure?.message ?? "no response");
  const { status } = response;
  if (asksToWait(status)) return inError(`The target answered ${status}: it asks to retry later.`);
  return judgeStatus(status === 200, `200: ${plan.headers?.["content-type"]} is the media type of JSON`, status);
};

/** Checks of the notation of the media type. Source: interface § Endpoints. */
export const mediaTypeChecks: readonly Check[] = [
  makeCheck(
    "scrape/accepts-any-media-type-notation",
    mediaTypeProbes.map(({ id }) => id),
    judgeNotation,
    { consults: plainScrapeIds },
  ),
];
