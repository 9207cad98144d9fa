/** Keywords that say something of data. */
const keywords: ReadonlySet<string> = new Set(
  (
    "$ref $dynamicRef $recursiveRef allOf anyOf oneOf not if enum const type properties patternProperties additionalProperties required items prefixItems contains " +
    "propertyNames minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format minItems maxItems uniqueItems " +
    "minProperties maxProperties dependentRequired dependentSchemas dependencies unevaluatedProperties unevaluatedItems"
  ).split(" "),
);

/** Keywords of JSON Schema that an object has and that say something of data. */
export function listKeywords(schema: object): readonly string[] {
  return Object.keys(schema).filter((name) => keywords.has(name));
}
