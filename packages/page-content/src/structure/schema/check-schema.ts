import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { supportedPart } from "./followed-part.ts";

/** Result of a check. */
export type SchemaVerdict =
  | {
      /** The schema can be used, and the data follows it. */
      readonly kind: "valid";
      /** Part of the data that follows it, where some had to be left out. */
      readonly part?: unknown;
    }
  | {
      /** The data does not follow the schema. */
      readonly kind: "invalid";
      /** Violations, at most ten sentences, each with its place. */
      readonly problems: readonly string[];
    }
  | {
      /** The schema can't be used. */
      readonly kind: "unusable";
      /** The reason, as the end of a sentence that starts with "response_format". */
      readonly why: string;
    };

/** Data that is to follow a schema. */
export interface CheckedData {
  /** The data. */
  readonly value: unknown;
  /** True when a part of it is enough, as the schema allows. Default: false. */
  readonly inPart?: boolean;
}

type Engine = typeof Ajv | typeof Ajv2019 | typeof Ajv2020;

const dialects: readonly (readonly [RegExp, readonly Engine[]])[] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, [Ajv2020]],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, [Ajv2019]],
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, [Ajv]],
  [/^https?:\/\/json-schema\.org\/(?:draft-0[34]\/)?schema#?$/, [Ajv]],
];

const options: Options = { strict: false, logger: false, allErrors: false, validateFormats: true };
/** One of each for the schemas of the dialects; they are compiled once. Schemas of strangers get an engine each. */
const dialectCheckers = new Map<Engine, InstanceType<Engine>>();

const maxProblemLength = 300;
const maxProblems = 10;

/**
 * Checks a schema, and data against it. Without `$schema` it is read as 2020-12, and if it is not valid as that, as
 * draft 7, as older schemas are written. A hostile schema can make this take for ever: it belongs on a thread that can
 * be ended.
 */
export function checkOnThisThread(schema: Record<string, unknown>, data?: CheckedData): SchemaVerdict {
  // An asynchronous schema would answer with a promise, which is true whatever the data is.
  const { $schema: dialect, $async: _, ...rest } = schema;
  const engines =
    dialect === undefined
      ? [Ajv2020, Ajv]
      : dialects.find(([pattern]) => typeof dialect === "string" && pattern.test(dialect))?.[1];
  if (!engines) return { kind: "unusable", why: "has an unknown `$schema` dialect" };
  const modern = asDraft7(rest);
  let why = "";
  for (const Engine of engines) {
    const used = Engine === Ajv ? modern : rest;
    // Patterns are meant for Unicode; those that are no such pattern are taken as they were before there was one.
    for (const unicodeRegExp of [true, false]) {
      try {
        checkDialect(Engine, used);
        const ajv = new Engine({ ...options, unicodeRegExp, validateSchema: false });
        ajvFormats.default(ajv);
        return judgeSchema(ajv.compile(used), data);
      } catch (error) {
        why ||=
          error instanceof RangeError ? "its references are circular" : error instanceof Error ? error.message : "";
      }
    }
  }
  return { kind: "unusable", why: `is not a JSON Schema: ${why.slice(0, maxProblemLength)}` };
}

function checkDialect(Engine: Engine, schema: Record<string, unknown>): void {
  const checker = dialectCheckers.get(Engine) ?? new Engine(options);
  dialectCheckers.set(Engine, checker);
  if (checker.validateSchema(schema) !== true)
    throw new Error(checker.errorsText(checker.errors, { dataVar: "schema" }));
}

function judgeSchema(validate: ValidateFunction, data: CheckedData | undefined): SchemaVerdict {
  if (!data || validate(data.value)) return { kind: "valid" };
  const problems = (validate.errors ?? []).slice(0, maxProblems).map(problem);
  const part = data.inPart === true ? supportedPart(validate, data.value) : undefined;
  return part === undefined ? { kind: "invalid", problems } : { kind: "valid", part };
}

function problem({ instancePath, message, params }: ErrorObject): string {
  const allowed = "allowedValues" in params ? ` ${JSON.stringify(params["allowedValues"])}` : "";
  return `${instancePath || "the data"} ${message ?? "does not follow the schema"}${allowed}`.slice(
    0,
    maxProblemLength,
  );
}

/** Keywords whose values are data, not schemas. */
const dataKeywords: ReadonlySet<string> = new Set(["const", "enum", "default", "example", "examples"]);

/** Draft 4 named ids otherwise, and its exclusive bounds were flags. */
function asDraft7(schema: object): Record<string, unknown> {
  const entries = Object.entries(schema).filter(([name, value]) => !(name === "id" && typeof value === "string"));
  const rewritten: Record<string, unknown> = Object.fromEntries(
    entries.map(([name, value]) => [name, dataKeywords.has(name) ? value : rewritePart(value)]),
  );
  for (const [flag, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    const isExclusive = rewritten[flag];
    if (typeof isExclusive !== "boolean") continue;
    delete rewritten[flag];
    if (isExclusive && typeof rewritten[bound] === "number") rewritten[flag] = rewritten[bound];
  }
  return rewritten;
}

function rewritePart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(rewritePart);
  return typeof part === "object" && part !== null ? asDraft7(part) : part;
}
