import { Validator, type Schema, type SchemaDraft } from "@cfworker/json-schema";
import { ClientError } from "./client-error.ts";
import type { Issue, JsonSchema, Verdict } from "./schema.ts";

const drafts: readonly (readonly [part: string, draft: SchemaDraft])[] = [
  ["draft-04", "4"],
  ["draft-06", "7"],
  ["draft-07", "7"],
  ["2019-09", "2019-09"],
];

/**
 * A check of data against a plain JSON Schema, of the draft that `$schema` names; otherwise of draft 2020-12.
 *
 * @throws {ClientError} `misuse` when the schema is none.
 */
export function checkFrom(jsonSchema: JsonSchema): (value: unknown) => Verdict<unknown> {
  const named = String(jsonSchema["$schema"]);
  const draft = drafts.find(([part]) => named.includes(part))?.[1] ?? "2020-12";
  let validator: Validator;
  try {
    validator = new Validator(jsonSchema as Schema, draft, false);
  } catch (cause) {
    throw new ClientError("misuse", "response_format is no usable JSON Schema", { cause });
  }
  return (value) => {
    const { valid, errors } = validator.validate(value);
    return valid ? { value } : { issues: errors.map(({ error, instanceLocation }) => issue(error, instanceLocation)) };
  };
}

/** @param pointer - JSON pointer as a URI fragment, such as `#/items/0`. */
function issue(message: string, pointer: string): Issue {
  const steps = pointer.split("/").slice(1);
  return { message, path: steps.map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")) };
}
