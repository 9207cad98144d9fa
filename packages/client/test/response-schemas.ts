import openapi from "@cloud-browser/spec/openapi.json" with { type: "json" };

/** Contract keywords that say what a value is, and not what it means. */
const valueKeywords = new Set(["type", "properties", "items", "anyOf", "enum"]);

/** Returns a schema of the contract as responses are validated: what is inferred or required left out, and fields that may be null. */
export function getSchema(name: string): unknown {
  return getStrict(Reflect.get(openapi.components.schemas, name));
}

function getStrict(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(getStrict);
  const { $ref, "x-assumed": assumed = [], ...own }: Record<string, unknown> = { ...schema };
  if (typeof $ref === "string") return getSchema($ref.replace(/.*\//, ""));
  const omitted = Array.isArray(assumed) ? assumed : [];
  const words = Object.entries(own).filter(([word]) => valueKeywords.has(word) && !omitted.includes(word));
  return Object.fromEntries(
    words.map(([word, value]) => [word, word === "properties" ? getFields(value) : getStrict(value)]),
  );
}

/** A field that is null counts as absent: the interface does not show which fields are always present. */
function getFields(fields: unknown): unknown {
  return Object.fromEntries(
    Object.entries(Object(fields)).map(([name, field]) => {
      const schema: Record<string, unknown> = { ...Object(getStrict(field)) };
      if (typeof schema["type"] === "string") schema["type"] = [schema["type"], "null"];
      return [name, schema];
    }),
  );
}
