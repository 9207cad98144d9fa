import { isObject, mapObjects, getValue, type Json, type JsonObject } from "./json.ts";

/** Place in an item of a stream, a parsed server-sent event, that describes the JSON in it. */
const eventPlace = ["itemSchema", "properties", "data", "contentSchema"] as const;

/** Returns the schema of the events of a stream; undefined for a media type that is not a stream of JSON. */
export function findEventSchema(media: JsonObject): Json | undefined {
  return getValue(media, ...eventPlace);
}

/** Returns the name of a schema that a reference leads to. */
export function getName(reference: Json | undefined): string {
  return typeof reference === "string" ? (reference.split("/").at(-1) ?? "") : "";
}

/**
 * Leaves only the listed events in the union: neither OpenAPI 3.1 nor a discriminated union of TypeScript can say "any other".
 *
 * The mark `x-reading` says that it is the strict way to understand the table of events.
 */
export function closeUnions(contract: Json): Json {
  const open = new Set<string>();
  const closedContract = mapObjects(contract, (schema) => {
    const { discriminator, oneOf, ...others } = schema;
    const fallback = getValue(discriminator, "defaultMapping");
    if (fallback === undefined || !Array.isArray(oneOf)) return schema;
    open.add(getName(fallback));
    const listedEvents = oneOf.filter((choice) => getValue(choice, "$ref") !== fallback);
    return { ...others, "x-reading": "events.unknown-type", oneOf: listedEvents };
  });
  return removeSchemas(closedContract, open);
}

/** Removes schemas from the components. */
function removeSchemas(contract: Json, names: ReadonlySet<string>): Json {
  const components = getValue(contract, "components");
  const schemas = getValue(components, "schemas");
  if (!isObject(contract) || !isObject(components) || !isObject(schemas)) return contract;
  const others = Object.fromEntries(Object.entries(schemas).filter(([name]) => !names.has(name)));
  return { ...contract, components: { ...components, schemas: others } };
}
