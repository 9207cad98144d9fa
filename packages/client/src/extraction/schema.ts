/** A JSON Schema, as an object. Source: interface § Resources and their fields (`response_format`). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Keywords of schemas that other packages declare as an interface, such as `JSONSchema7` and those of TypeBox: a type without an index
 * signature, known by its keywords.
 */
export interface JsonSchemaKeywords {
  /** The draft. */
  readonly $schema?: unknown;
  /** Another schema. */
  readonly $ref?: unknown;
  /** Types of a value. */
  readonly type?: unknown;
  /** Values of a value. */
  readonly enum?: unknown;
  /** The value. */
  readonly const?: unknown;
  /** Properties of an object. */
  readonly properties?: unknown;
  /** Items of an array. */
  readonly items?: unknown;
  /** Schemas of which all fit. */
  readonly allOf?: unknown;
  /** Schemas of which one or more fit. */
  readonly anyOf?: unknown;
  /** Schemas of which one fits. */
  readonly oneOf?: unknown;
}

/** One way in which data do not fit; the same whatever judged them. */
export interface Issue {
  /** Message of the issue. May quote the data. */
  readonly message: string;
  /** Where in the data it is: names of properties, and numbers of items from 0. Empty: the data as a whole. */
  readonly path: readonly PropertyKey[];
}

/** A schema by the Standard Schema specification, version 1, as zod, arktype and valibot have it. */
export interface StandardSchema<Data> {
  /** Part of the specification that is used. */
  readonly "~standard": {
    /** The version of the specification. */
    readonly version: 1;
    /** The library. */
    readonly vendor: string;
    /** Checks a value. */
    readonly validate: (value: unknown) => Verdict<Data> | Promise<Verdict<Data>>;
    /** The types of the schema; for the compiler only. */
    readonly types?: { readonly input: unknown; readonly output: Data } | undefined;
  };
}

/** Result of a Standard Schema for a value. */
export type Verdict<Data> =
  | { readonly value: Data; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** An issue as the Standard Schema specification has it. */
export interface StandardIssue {
  /** Message of the issue. */
  readonly message: string;
  /** Where in the data it is. */
  readonly path?: ReadonlyArray<PropertyKey | StandardPathSegment> | undefined;
}

interface StandardPathSegment {
  /** The name of a property, or the number of an element. */
  readonly key: PropertyKey;
}

/** A Standard Schema that can also give JSON Schema: zod and arktype can, valibot with `toStandardJsonSchema`. */
export interface StandardJsonSchema<Data> extends StandardSchema<Data> {
  /** Part of the specifications that is used. */
  readonly "~standard": StandardSchema<Data>["~standard"] & {
    /** Gives the JSON Schema of what goes in. */
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" | "draft-07" }) => Record<string, unknown>;
    };
  };
}

/**
 * The structure that extracted data must follow.
 *
 * - a schema of zod, arktype or another library that gives JSON Schema. The JSON Schema of its input is sent; data are what the
 *   schema makes of the answer, with its defaults and transformations, and have its output type;
 * - a JSON Schema of draft 2020-12, or of the draft that its `$schema` names: 2019-09, 07, 06 or 04. Data are checked against it,
 *   and their type is the type parameter of the call, which nobody checks;
 * - a pair: the JSON Schema that is sent, and the schema or the guard that data are checked with. Nothing checks that the two agree.
 *
 * Of a JSON Schema: `format` is checked where RFC or draft define it (`date`, `time`, `date-time`, `duration`, `email`,
 * `hostname`, `ipv4`, `ipv6`, `json-pointer`, `relative-json-pointer`, `regex`, `uri`, `uri-reference`, `uri-template`, `uuid`); other
 * formats and unknown keywords say nothing. `pattern` and `patternProperties` are matched in linear time. `$dynamicRef`, references to
 * other documents, and patterns with a lookaround, a backreference or a repetition above 1000 are `misuse`: pass a pair.
 *
 * Source: interface § Resources and their fields, ours.
 */
export type ResponseFormat<Data> =
  | StandardJsonSchema<Data>
  | readonly [
      jsonSchema: JsonSchema | JsonSchemaKeywords,
      check: StandardSchema<Data> | ((value: unknown) => value is Data),
    ]
  | ((JsonSchema | JsonSchemaKeywords) & { readonly "~standard"?: never });

/**
 * Outcome of an extraction. Data are there only when they were checked.
 *
 * - `failed`: the service says that it could not extract them, by `success` or by `error`, which is its message.
 * - `missing`: the service says nothing of a failure, and gave no data.
 * - `mismatch`: there are data, and they do not fit; `issues` says where. Of large data that are checked against a JSON Schema (more
 *   than 10,000 values) not all issues are listed.
 *
 * `raw` is `structured.data` as the service sent it.
 *
 * Source: interface § Resources and their fields.
 */
export type Extraction<Data> =
  | {
      /** The data came, and passed the check. */
      readonly success: true;
      /** Data as the schema returned them. */
      readonly data: Data;
    }
  | {
      /** There are no data that can be used. */
      readonly success: false;
      /** The service could not extract them. */
      readonly reason: "failed";
      /** Error message of the service. */
      readonly error: string | undefined;
      /** `structured.data` as the service sent it. */
      readonly raw: unknown;
    }
  | {
      /** There are no data that can be used. */
      readonly success: false;
      /** The service sent none. */
      readonly reason: "missing";
      /** `structured.data` as the service sent it. */
      readonly raw: unknown;
    }
  | {
      /** There are no data that can be used. */
      readonly success: false;
      /** They don't follow the schema. */
      readonly reason: "mismatch";
      /** Where they don't. */
      readonly issues: readonly Issue[];
      /** `structured.data` as the service sent it. */
      readonly raw: unknown;
    };

/** An extraction without data. */
export type FailedExtraction = Extract<Extraction<never>, { success: false }>;
