import { nameValues, type NamedValue } from "./value-classes.ts";

/** Wraps a schema as the only property of an object. */
const property = (schema: object): object => ({ type: "object", properties: { title: schema } });
const text = (more: object): object => property({ type: "string", ...more });
const number = (more: object): object => property({ type: "number", ...more });
const list = (more: object): object => property({ type: "array", ...more });
const object = (more: object): object => ({ ...property({ type: "string" }), ...more });

/**
 * JSON Schemas with one keyword each, by the keyword. Keywords of references are missing: whether those are followed is left open. Source:
 * JSON Schema 2020-12, and draft 7 where keywords have other names there.
 */
const schemas: Readonly<Record<string, object>> = {
  minLength: text({ minLength: 1 }),
  maxLength: text({ maxLength: 200 }),
  pattern: text({ pattern: "^\\S" }),
  format: text({ format: "uri" }),
  contentEncoding: text({ contentEncoding: "base64" }),
  contentMediaType: text({ contentMediaType: "text/html" }),
  minimum: number({ minimum: 0 }),
  maximum: number({ maximum: 1e6 }),
  exclusiveMinimum: number({ exclusiveMinimum: -1 }),
  exclusiveMaximum: number({ exclusiveMaximum: 1e6 }),
  multipleOf: number({ multipleOf: 0.01 }),
  integer: property({ type: "integer" }),
  boolean: property({ type: "boolean" }),
  null: property({ type: "null" }),
  "types-in-list": property({ type: ["string", "null"] }),
  enum: property({ enum: ["ferry", "harbour"] }),
  const: property({ const: "ferry" }),
  items: list({ items: { type: "string" } }),
  prefixItems: list({ prefixItems: [{ type: "string" }] }),
  additionalItems: list({ items: [{ type: "string" }], additionalItems: false }),
  unevaluatedItems: list({ prefixItems: [{ type: "string" }], unevaluatedItems: false }),
  contains: list({ contains: { type: "string" } }),
  minContains: list({ contains: { type: "string" }, minContains: 0 }),
  maxContains: list({ contains: { type: "string" }, maxContains: 9 }),
  minItems: list({ minItems: 0 }),
  maxItems: list({ maxItems: 50 }),
  uniqueItems: list({ uniqueItems: true }),
  required: object({ required: ["title"] }),
  additionalProperties: object({ additionalProperties: false }),
  unevaluatedProperties: object({ unevaluatedProperties: false }),
  patternProperties: object({ patternProperties: { "^x-": { type: "string" } } }),
  propertyNames: object({ propertyNames: { maxLength: 80 } }),
  minProperties: object({ minProperties: 0 }),
  maxProperties: object({ maxProperties: 90 }),
  dependentRequired: object({ dependentRequired: { title: [] } }),
  dependentSchemas: object({ dependentSchemas: { title: { type: "object" } } }),
  dependencies: object({ dependencies: { title: [] } }),
  allOf: property({ allOf: [{ type: "string" }] }),
  anyOf: property({ anyOf: [{ type: "string" }, { type: "null" }] }),
  oneOf: property({ oneOf: [{ type: "string" }, { type: "null" }] }),
  not: property({ not: { type: "object" } }),
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, in an object that nobody awaits
  if: object({ if: { properties: { title: { const: "ferry" } } }, then: true, else: true }),
  title: text({ title: "A title" }),
  description: text({ description: "What the page calls itself." }),
  default: text({ default: "" }),
  examples: text({ examples: ["Ferry"] }),
  deprecated: text({ deprecated: false }),
  readOnly: text({ readOnly: true }),
  writeOnly: text({ writeOnly: false }),
  "dollar-schema": object({ $schema: "https://json-schema.org/draft/2020-12/schema" }),
  "dollar-id": object({ $id: "https://conformance.example/page.schema.json" }),
  "dollar-comment": object({ $comment: "a comment" }),
};

const kebabCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** JSON Schemas with one keyword each. */
export const keywordSchemas: readonly NamedValue[] = nameValues(schemas).map(({ word, value }) => ({
  word: `keyword-${kebabCase(word)}`,
  value,
}));
