/** Keywords that constrain data. */
const keywords: ReadonlySet<string> = new Set(
  (
    "$ref $dynamicRef $recursiveRef allOf anyOf oneOf not if enum const type properties patternProperties additionalProperties required items prefixItems contains " +
    "propertyNames minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format minItems maxItems uniqueItems " +
    "minProperties maxProperties dependentRequired dependentSchemas dependencies unevaluatedProperties unevaluatedItems"
  ).split(" "),
);

/** Lists the keywords of JSON Schema in an object that constrain data. */
export function listKeywords(schema: object): readonly string[] {
  return Object.keys(schema).filter((name) => keywords.has(name));
}
