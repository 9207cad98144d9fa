/** A JSON Schema, as an object. Source: interface § Resources and their fields (`response_format`). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One way in which data does not fit its schema; as the Standard Schema specification has it. Source: ours. */
export interface Issue {
  /** What is wrong. May quote the data. */
  readonly message: string;
  /** Where in the data it is. */
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/** A schema by the Standard Schema specification, version 1, as zod, arktype and valibot have it. Source: ours. */
export interface StandardSchema<Data> {
  /** What the specification defines; the part of it that is used. */
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

/** What a Standard Schema says of a value. Source: ours. */
export type Verdict<Data> =
  | { readonly value: Data; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/** A Standard Schema that can also give JSON Schema: zod and arktype can, valibot with `toStandardJsonSchema`. Source: ours. */
export interface StandardJsonSchema<Data> extends StandardSchema<Data> {
  /** What the specifications define; the part of it that is used. */
  readonly "~standard": StandardSchema<Data>["~standard"] & {
    /** Gives the JSON Schema of what goes in. */
    readonly jsonSchema: { readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown> };
  };
}

/**
 * The structure that extracted data must follow.
 *
 * - a schema of zod, arktype or another library that gives JSON Schema: its type is that of the data;
 * - a JSON Schema: data are checked against it, and their type is the type parameter of the call;
 * - a pair: the JSON Schema that is sent, and the schema or the guard that data are checked with.
 *
 * Source: interface § Resources and their fields, ours.
 */
export type ResponseFormat<Data> =
  | StandardJsonSchema<Data>
  | readonly [jsonSchema: JsonSchema, check: StandardSchema<Data> | ((value: unknown) => value is Data)]
  | (JsonSchema & { readonly "~standard"?: never });

/**
 * What became of an extraction. Data are there only when they were checked.
 *
 * - `failed`: the service says that it could not extract them; `error` is its message.
 * - `missing`: the service says nothing of a failure, and gave no data.
 * - `mismatch`: there are data, and they do not fit; `issues` says where.
 *
 * `raw` is `structured.data` as the service sent it.
 *
 * Source: interface § Resources and their fields.
 */
export type Extraction<Data> =
  | { readonly success: true; readonly data: Data }
  | { readonly success: false; readonly reason: "failed"; readonly error: string | undefined; readonly raw: unknown }
  | { readonly success: false; readonly reason: "missing"; readonly raw: unknown }
  | { readonly success: false; readonly reason: "mismatch"; readonly issues: readonly Issue[]; readonly raw: unknown };

/** An extraction without data. Source: ours. */
export type FailedExtraction = Extract<Extraction<never>, { success: false }>;
