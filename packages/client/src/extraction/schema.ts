/** A JSON Schema, as an object. Source: interface § Resources and their fields (`response_format`). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A JSON Schema whose type is an interface without an index signature, such as `JSONSchema7` and the schemas of TypeBox, recognized
 * by its keywords.
 */
export interface JsonSchemaKeywords {
  /** The draft. */
  readonly $schema?: unknown;
  /** Another schema. */
  readonly $ref?: unknown;
  /** Allowed types. */
  readonly type?: unknown;
  /** Allowed values. */
  readonly enum?: unknown;
  /** The only allowed value. */
  readonly const?: unknown;
  /** Properties of an object. */
  readonly properties?: unknown;
  /** Items of an array. */
  readonly items?: unknown;
  /** Schemas that must all match. */
  readonly allOf?: unknown;
  /** Schemas of which at least one must match. */
  readonly anyOf?: unknown;
  /** Schemas of which exactly one must match. */
  readonly oneOf?: unknown;
}

/** A validation issue, in one form for all validators. */
export interface Issue {
  /** Message of the issue. May quote the data. */
  readonly message: string;
  /** Path in the data: property names, and indexes from 0. Empty for the data as a whole. */
  readonly path: readonly PropertyKey[];
}

/** A schema of the Standard Schema specification, version 1, which zod, arktype and valibot implement. */
export interface StandardSchema<Data> {
  /** The properties of the specification that are used. */
  readonly "~standard": {
    /** The version of the specification. */
    readonly version: 1;
    /** Name of the library. */
    readonly vendor: string;
    /** Validates a value. */
    readonly validate: (value: unknown) => Verdict<Data> | Promise<Verdict<Data>>;
    /** The types of the schema; for the compiler only. */
    readonly types?: { readonly input: unknown; readonly output: Data } | undefined;
  };
}

/** Result of the validation by a Standard Schema. */
export type Verdict<Data> =
  | { readonly value: Data; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** An issue of the Standard Schema specification. */
export interface StandardIssue {
  /** Message of the issue. */
  readonly message: string;
  /** Path in the data. */
  readonly path?: ReadonlyArray<PropertyKey | StandardPathSegment> | undefined;
}

interface StandardPathSegment {
  /** Name of a property, or index of an item. */
  readonly key: PropertyKey;
}

/** A Standard Schema that can be converted to JSON Schema, as those of zod and arktype, and of valibot with `toStandardJsonSchema`. */
export interface StandardJsonSchema<Data> extends StandardSchema<Data> {
  /** The properties of the specifications that are used. */
  readonly "~standard": StandardSchema<Data>["~standard"] & {
    /** Converts the input type to JSON Schema. */
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" | "draft-07" }) => Record<string, unknown>;
    };
  };
}

/**
 * The structure of extracted data:
 *
 * - a schema of zod, arktype or another library that converts to JSON Schema. The JSON Schema of its input is sent; the data are
 *   the output of the schema, with its defaults and transformations, and have its output type;
 * - a JSON Schema of draft 2020-12, or of the draft that its `$schema` names: 2019-09, 07, 06 or 04. The data are validated against
 *   it; their type is the type parameter of the call, which is not checked;
 * - a pair: the JSON Schema that is sent, and the schema or type guard that validates the data. Whether both agree is not checked.
 *
 * In a JSON Schema, `format` is checked where an RFC or draft defines it (`date`, `time`, `date-time`, `duration`, `email`,
 * `hostname`, `ipv4`, `ipv6`, `json-pointer`, `relative-json-pointer`, `regex`, `uri`, `uri-reference`, `uri-template`, `uuid`); other
 * formats and unknown keywords are ignored. The check takes some seconds of a processor at most, whatever schema and data are, and ends
 * with the call; what would take longer is a mismatch. `$dynamicRef`, `$recursiveAnchor` below the root, references to other documents,
 * and patterns with a lookaround, a backreference or a repetition above 1000 are `misuse`: pass a pair. A validator of the caller's own,
 * of a library or in a pair, runs as it is, without a limit of time.
 *
 * Source: interface § Resources and their fields.
 */
export type ResponseFormat<Data> =
  | StandardJsonSchema<Data>
  | readonly [
      jsonSchema: JsonSchema | JsonSchemaKeywords,
      check: StandardSchema<Data> | ((value: unknown) => value is Data),
    ]
  | ((JsonSchema | JsonSchemaKeywords) & { readonly "~standard"?: never });

/**
 * Result of an extraction. Data are present only when they are valid.
 *
 * - `failed`: the service reports a failure, with `success: false` or with a message in `error`.
 * - `missing`: the service sent neither data nor a failure.
 * - `mismatch`: the data are invalid; `issues` says where. Of data that are validated against a
 *   JSON Schema, the first 100 issues are listed.
 *
 * `raw` is `structured.data` as the service sent it.
 *
 * Source: interface § Resources and their fields.
 */
export type Extraction<Data> =
  | {
      /** The data are valid. */
      readonly success: true;
      /** The data, as the schema returned them. */
      readonly data: Data;
    }
  | {
      /** False: the data are missing or invalid. */
      readonly success: false;
      /** The service reported a failure. */
      readonly reason: "failed";
      /** Error message of the service. */
      readonly error: string | undefined;
      /** `structured.data` as the service sent it. */
      readonly raw: unknown;
    }
  | {
      /** False: the data are missing or invalid. */
      readonly success: false;
      /** The service sent no data. */
      readonly reason: "missing";
      /** `structured.data` as the service sent it. */
      readonly raw: unknown;
    }
  | {
      /** False: the data are missing or invalid. */
      readonly success: false;
      /** The data do not match the schema. */
      readonly reason: "mismatch";
      /** The validation issues. */
      readonly issues: readonly Issue[];
      /** `structured.data` as the service sent it. */
      readonly raw: unknown;
    };

/** An extraction without valid data. */
export type FailedExtraction = Extract<Extraction<never>, { success: false }>;
