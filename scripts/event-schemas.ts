/** JSON Schema (2020-12) of the events, for validators that read no OpenAPI. */
import { getName } from "./event-union.ts";
import { isObject, mapObjects, getValue, type Json, type JsonObject } from "./json.ts";

const dialect = "https://json-schema.org/draft/2020-12/schema";
/** Base of the identifiers, which are not addresses: nothing is served there. */
const base = "https://cloud-browser.example/spec/";

/**
 * Returns the files: one for each listed type of event, one for all other types, and one for any event.
 *
 * What is valid is what the conformance suite lets pass by default: keywords that are our inference are left out, and a field that may be
 * null instead of absent is null or of its type.
 *
 * @param nullable - Ids of the readings whose default lets null through.
 * @throws Error when an event has a mark of another reading, for which there is no rule here.
 */
export function listEventSchemas(contract: Json, nullable: ReadonlySet<string>): Record<string, Json> {
  const schemas = getValue(contract, "components", "schemas");
  const union = getValue(schemas, "AutomationEvent");
  const choices = getValue(union, "oneOf");
  if (!isObject(union) || !Array.isArray(choices)) throw new Error("the contract has no union of events");
  const names = choices.map((choice) => getName(getValue(choice, "$ref")));
  const plain = Object.fromEntries(names.map((name) => [name, simplifySchema(getValue(schemas, name), nullable)]));
  const single = Object.entries(plain).map(([name, schema]): [string, Json] => {
    const path = `events/${getType(schema)}.schema.json`;
    return [path, { $schema: dialect, $id: base + path, title: name, ...schema }];
  });
  const path = "events.schema.json";
  const any: JsonObject = {
    $schema: dialect,
    $id: base + path,
    title: "AutomationEvent",
    description: union["description"] ?? "",
    oneOf: names.map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: plain,
  };
  return { [path]: any, ...Object.fromEntries(single) };
}

/** The type of events that a schema describes; `unknown` for that of all other types. */
function getType(schema: JsonObject): string {
  const type = getValue(schema, "properties", "type", "const");
  return typeof type === "string" ? type : "unknown";
}

/** A schema without extensions, which some validators refuse, and without what they mark. */
function simplifySchema(schema: Json | undefined, nullable: ReadonlySet<string>): JsonObject {
  const plain = mapObjects(schema ?? null, (node) => {
    const marks = [node["x-reading"] ?? []].flat().map(String);
    const unknown = marks.find((mark) => !nullable.has(mark));
    if (unknown !== undefined) throw new Error(`no rule in scripts/event-schemas.ts holds the reading ${unknown} open`);
    const assumed = new Set([node["x-assumed"] ?? []].flat());
    const own = Object.fromEntries(
      Object.entries(node).filter(([keyword]) => !keyword.startsWith("x-") && !assumed.has(keyword)),
    );
    return marks.length > 0 && own["type"] !== undefined ? { ...own, type: [own["type"], "null"].flat() } : own;
  });
  if (!isObject(plain)) throw new Error("an event of the union has no schema");
  return plain;
}
