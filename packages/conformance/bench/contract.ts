/** The contract, in the forms that the peers can read. */
import { readFileSync } from "node:fs";
import { isObject, type Fields, type Json } from "../test/targets/messages.ts";
import { endedSession, openSession } from "./suite.ts";

const source = new URL("../../../spec/generated/openapi-3.1.json", import.meta.url);

const fields = (value: Json | undefined): Fields => (isObject(value) ? value : {});

/** Changes every object of a value, the inner ones first. */
function mapped(value: Json, change: (object: Fields) => Json): Json {
  if (Array.isArray(value)) return value.map((inner) => mapped(inner, change));
  if (!isObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapped(inner, change)])));
}

/** The contract as OpenAPI 3.1, with one address and with the sessions as examples of the path parameter. */
export function contract31(address = "http://127.0.0.1:4010"): Fields {
  const contract: Json = JSON.parse(readFileSync(source, "utf8"));
  const paths = Object.entries(fields(fields(contract)["paths"])).map(([path, item]) => {
    const { servers: _, ...methods } = fields(item);
    const session = path.endsWith("/replay") ? endedSession : openSession;
    const own = mapped(methods, (object) =>
      object["$ref"] === "#/components/parameters/SessionId"
        ? { name: "session_id", in: "path", required: true, schema: { type: "string" }, example: session }
        : object,
    );
    return [path, own] as const;
  });
  return { ...fields(contract), servers: [{ url: address }], paths: Object.fromEntries(paths) };
}

/**
 * The contract as OpenAPI 3.0, for peers that read no 3.1: `nullable` for the type null, `enum` for `const`, no licence
 * identifier, and one example in place of several.
 */
export function contract30(address?: string): Fields {
  const contract = contract31(address);
  const { summary: _, license: __, ...info } = fields(contract["info"]);
  return { ...fields(mapped(contract, down)), openapi: "3.0.3", info };
}

function down(schema: Fields): Json {
  const { type, const: only, anyOf, examples, ...others } = schema;
  const schema30: Fields = { ...others };
  if (only !== undefined) schema30["enum"] = [only];
  if (isObject(examples)) schema30["example"] = fields(Object.values(examples)[0])["value"] ?? null;
  else if (examples !== undefined) schema30["examples"] = examples;
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== "null");
    if (types.length < type.length) schema30["nullable"] = true;
    if (types.length === 1 && types[0] !== undefined) schema30["type"] = types[0];
    else schema30["anyOf"] = types.map((name) => ({ type: name }));
  } else if (type !== undefined) schema30["type"] = type;
  if (Array.isArray(anyOf)) {
    const forms = anyOf.filter((form) => !isNull(form));
    if (forms.length < anyOf.length) schema30["nullable"] = true;
    if (forms.length === 1) schema30["allOf"] = forms;
    else schema30["anyOf"] = forms;
  }
  return schema30;
}

/** The trace that `down` leaves of `{ type: "null" }` is itself, as it is changed first. */
const isNull = (form: Json): boolean => isObject(form) && form["type"] === "null";

/** The schema of the contract with that name, with nothing left to look up. */
export function findSchema(name: string): Json {
  const schemas = fields(fields(contract31()["components"])["schemas"]);
  const resolve = (value: Json): Json =>
    mapped(value, (object) => {
      const reference = object["$ref"];
      return typeof reference === "string" ? resolve(schemas[reference.split("/").at(-1) ?? ""] ?? {}) : object;
    });
  return resolve(schemas[name] ?? {});
}
