/** A value with a word for it, which becomes part of a probe's id. */
export interface NamedValue {
  /** Kebab-case. */
  readonly word: string;
  /** The value, as it goes into the request. */
  readonly value: unknown;
}

/** Returns values by their words, in their order. */
export const nameValues = (values: Readonly<Record<string, unknown>>): NamedValue[] =>
  Object.entries(values).map(([word, value]) => ({ word, value }));

/** A long text, far below any payload limit of a server. */
const longText = "Keep each title as it is written. ".repeat(60);

/** Free text in many writing systems, notations and lengths, without U+0000 and lone surrogates, which not every language can represent. */
export const textClasses: readonly NamedValue[] = nameValues({
  "one-letter": "x",
  space: " ",
  accents: "Größe, naïve cafés – Cafe\u0301 a\u0308o\u0308",
  astral: "𝒜𠮷 🛳️ 👩‍🚀 🇪🇺",
  "right-to-left": "שלום \u202Eעולם\u202C مرحبا بالعالم",
  control: "\u0001\b\t\v\f\u001B\u001F\u007F\u0085\u200B\u2028\u2029\uFEFF",
  lines: "first\r\nsecond\n\nthird\rlast\n",
  markup: '<b class="x">&amp;</b><!-- - --></script><![CDATA[x]]>',
  quotes: `'"\`; DROP TABLE pages; -- {{7*7}} \${x} %s %00 \\ \\n $1`,
  json: '{"selector":null,"instructions":["x"]}',
  "word-null": "null",
  digits: "0",
  long: longText,
});

/** Selectors of every kind of CSS, each of which selects one element of any page: without a match the answer is left open. */
export const selectorClasses: readonly NamedValue[] = nameValues({
  root: ":root",
  child: "html > body",
  descendant: "html body",
  sibling: "head + body",
  "later-sibling": "head ~ body",
  list: "body, conformance-none",
  capitals: "BODY",
  attribute: "body:not([data-conformance])",
  "attribute-operators":
    'body:not([class~="no ne"]):not([id^="conformance-"]):not([lang|="zz"]):not([title*="\\"none\\"" i])',
  id: "body:not(#conformance-none)",
  class: "body:not(.conformance-none.other)",
  position: "body:nth-of-type(2n+1)",
  last: "body:last-of-type",
  is: ":is(body, conformance-none)",
  where: ":where(html) > body",
  has: "html:has(> body)",
  spaces: "  html\n>\tbody ",
  long: `body:not(${Array.from({ length: 70 }, (_, at) => `.conformance-${at}`).join(", ")})`,
  escaped: "body:not(#\\31 0\\:a\\.b)",
  letters: "body:not(.größe):not(#第二):not([title='🛳️'])",
});

const many = (count: number, name: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => name(at));

/** Lists of tags in any case and number. */
export const tagClasses: readonly NamedValue[] = nameValues({
  one: ["nav"],
  capitals: ["NAV", "Footer", "aSIDE"],
  digits: ["h1", "h6"],
  twice: ["nav", "nav", "NAV"],
  foreign: ["svg", "foreignObject", "linearGradient", "mi"],
  void: ["br", "img", "hr", "wbr"],
  "no-content": ["script", "style", "template", "noscript"],
  obsolete: ["marquee", "font", "center"],
  unknown: ["conformance-none"],
  letters: ["x-größe", "x-第二"],
  prefixes: ["h", "h1", "header", "head-line"],
  hundreds: many(300, (at) => `x-${at}`),
});

const ofObject = (properties: object, more: object = {}): object => ({ type: "object", properties, ...more });

/** Returns one property of each name, in an object that has `__proto__` as a property of its own. */
function listProperties(names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, { type: "string" }]));
}

function nestedTo(depth: number): object {
  return depth === 0 ? { type: "string" } : ofObject({ inner: nestedTo(depth - 1) });
}

/** JSON Schemas with each common keyword, none with a reference: whether those are followed is left open. */
export const schemaClasses: readonly NamedValue[] = nameValues({
  texts: ofObject({
    title: { type: "string", minLength: 1, maxLength: 200, pattern: "^\\S.*$" },
    updated: { type: "string", format: "date-time" },
    link: { type: "string", format: "uri" },
  }),
  numbers: ofObject({
    price: { type: "number", minimum: 0, exclusiveMaximum: 1e6, multipleOf: 0.01 },
    rank: { type: "integer", exclusiveMinimum: -1, maximum: 100 },
  }),
  lists: ofObject({
    tags: { type: "array", items: { type: "string" }, minItems: 0, maxItems: 50, uniqueItems: true },
    pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
    some: { type: "array", contains: { type: "string" }, minContains: 0, maxContains: 9 },
  }),
  objects: ofObject(
    { name: { type: "string" } },
    {
      required: [],
      additionalProperties: { type: ["string", "number", "null"] },
      patternProperties: { "^x-": { type: "string" } },
      propertyNames: { maxLength: 80 },
      minProperties: 0,
      maxProperties: 90,
      dependentRequired: { name: [] },
    },
  ),
  closed: ofObject({ name: { type: "string" } }, { required: ["name"], additionalProperties: false }),
  values: ofObject({ kind: { enum: ["ferry", 7, null, false] }, version: { const: 1 } }),
  combined: ofObject({
    all: { allOf: [{ type: "string" }, { minLength: 1 }] },
    any: { anyOf: [{ type: "string" }, { type: "null" }] },
    one: { oneOf: [{ type: "string" }, { type: "number" }] },
    none: { not: { type: "object" } },
  }),
  conditional: ofObject(
    { kind: { type: "string" }, decks: { type: "integer" } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, in an object that nobody awaits
    { if: { properties: { kind: { const: "ferry" } } }, then: { properties: { decks: true } }, else: true },
  ),
  annotated: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $comment: "–",
    title: "Größe",
    description: "What the page tells.",
    ...ofObject({ name: { type: "string", default: "", examples: ["Ferry 🛳️"], deprecated: false, readOnly: true } }),
  },
  "older-draft": { $schema: "http://json-schema.org/draft-07/schema#", ...ofObject({ a: { type: "string" } }) },
  "types-in-lists": { type: ["object", "array", "null"], properties: { a: { type: ["string", "null"] } } },
  anything: ofObject({ a: true, b: {}, c: false }),
  "inherited-names": ofObject(
    listProperties(["constructor", "__proto__", "prototype", "toString", "hasOwnProperty", "valueOf"]),
    { required: ["constructor", "__proto__"] },
  ),
  "odd-names": ofObject(listProperties(["", "a b", "größe", "第二", "a.b", "a/b~c", "$ref", "type", "0", "null"])),
  deep: nestedTo(20),
  wide: ofObject(listProperties(many(150, (at) => `field_${at}`))),
  "list-of-objects": { type: "array", items: ofObject({ name: { type: "string" } }) },
  "text-alone": { type: "string" },
});

/** Values of the optional headers, which are any text that a header carries. */
export const headerClasses: readonly NamedValue[] = nameValues({
  version: "0.0.0-beta.1+build.7",
  // Without a query: reports take those out, as presigned URLs have their signature there.
  address: "https://app.example:8443/a%20b",
  list: 'a, b;q=0.1, "c d"; e="\\""',
  word: "null",
  letter: "x",
  name: "conformance",
  long: "conformance-".repeat(40),
});

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
