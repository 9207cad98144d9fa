import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import control from "./control.openapi.json" with { type: "json" };

const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false });
// As browsers read addresses: more than RFC 3986 has (`https://münchen.example/käse`), and no port that there is not.
ajv.addFormat("uri", (text) => URL.canParse(text)).addFormat("date-time", true);
ajv.addSchema(control, "control");

/** Returns the validator of a schema of the control document, such as `CreateSession`. */
export function compileValidator<Body>(schema: keyof typeof control.components.schemas): ValidateFunction<Body> {
  return ajv.compile<Body>({ $ref: `control#/components/schemas/${schema}` });
}
