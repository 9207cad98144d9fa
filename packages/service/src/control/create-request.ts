import { Ajv2020 } from "ajv/dist/2020.js";
import { faultsOf, type Fault } from "../http/faults.ts";
import type { SessionOptions } from "../sessions/session-options.ts";
import control from "./control.openapi.json" with { type: "json" };

const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false });
// As browsers read addresses: more than RFC 3986 has (`https://münchen.example/käse`), and no port that there is not.
ajv.addFormat("uri", (text) => URL.canParse(text));
ajv.addSchema(control, "control");
const validate = ajv.compile<SessionOptions>({ $ref: "control#/components/schemas/CreateSession" });

/** Takes a body for the options of a session, or tells everything that is wrong with it. Source: ours. */
export function asSessionOptions(
  body: unknown,
): { readonly options: SessionOptions } | { readonly faults: readonly Fault[] } {
  return validate(body) ? { options: body } : { faults: faultsOf(validate.errors ?? []) };
}
