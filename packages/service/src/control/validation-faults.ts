import type { ErrorObject } from "ajv";

/** One validation error, as on the wire. Source: interface § ValidationError and HTTPValidationError. */
export interface Fault {
  /** Where: `body`, `query` or `path`, then the way to the value. */
  readonly loc: readonly (string | number)[];
  /** Message for people. */
  readonly msg: string;
  /** Error type for programs. */
  readonly type: string;
  /** The value that is wrong. */
  readonly input?: unknown;
  /** Parameters of the rule that was broken. */
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** Longest text of a wrong value that is sent back, in characters of JSON. */
const inputLimit = 1_000;

/**
 * Converts errors of the validator to the `ValidationError` of the wire, one for each place.
 *
 * Source: interface § ValidationError and HTTPValidationError; the words of `type` and `msg` are ours.
 *
 * @param errors - With `allErrors` and `verbose`.
 */
export function toFaults(errors: readonly ErrorObject[]): Fault[] {
  return errors.map((error) => {
    const at = ["body", ...error.instancePath.split("/").slice(1).map(readStep)];
    return describeFault(error, at);
  });
}

function describeFault(
  { keyword, params, message = "", data, parentSchema }: ErrorObject,
  at: readonly (string | number)[],
): Fault {
  const named: Readonly<Record<string, unknown>> = params;
  switch (keyword) {
    case "additionalProperties":
      return {
        loc: [...at, String(named["additionalProperty"])],
        msg: "Extra inputs are not permitted",
        type: "extra_forbidden",
      };
    case "required":
      return { loc: [...at, String(named["missingProperty"])], msg: "Field required", type: "missing" };
    case "type": {
      const types = [named["type"]].flat().map(String);
      const first = types[0] ?? "value";
      return {
        loc: at,
        msg: `Input should be a valid ${types.join(" or ")}`,
        type: `${first}_type`,
        ...findInput(data),
        ctx: { expected: types.join(" or ") },
      };
    }
    default:
      return {
        loc: at,
        msg: `Input ${findRule(named, parentSchema?.["description"]) ?? message}`,
        type: keyword.toLowerCase(),
        ...findInput(data),
        ctx: { ...named },
      };
  }
}

/** Says what is allowed: the values, or, in place of a pattern, what the schema says of it. Undefined for rules that say it themselves. */
function findRule(params: Readonly<Record<string, unknown>>, description: unknown): string | undefined {
  const { allowedValues: values, pattern } = params;
  if (Array.isArray(values)) return `should be one of ${values.map((value) => JSON.stringify(value)).join(", ")}`;
  if (pattern === undefined || typeof description !== "string") return undefined;
  return `should be: ${description.split(". ", 1)[0]}`;
}

/** A segment of a JSON pointer; numbers are indices, as no property has a numeric name. */
function readStep(step: string): string | number {
  if (/^(0|[1-9]\d*)$/.test(step)) return Number(step);
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

function findInput(input: unknown): { readonly input?: unknown } {
  try {
    return JSON.stringify(input)?.length > inputLimit ? {} : { input };
  } catch {
    return {}; // it is nested too deep to be written
  }
}
