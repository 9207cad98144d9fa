import { code, headingSlug, prose, table } from "../markdown.ts";

/** A node of an OpenAPI document. */
export type Node = Readonly<Record<string, unknown>>;

/** Returns a value as a node; an empty one when it is no object. */
export function node(value: unknown): Node {
  return isNode(value) ? value : {};
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a value as a list of nodes. */
export function nodes(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.map(node) : [];
}

/** Returns a text field of a node; an empty text when there is none. */
export function text(from: Node, name: string): string {
  const value = from[name];
  return typeof value === "string" ? value.trim() : "";
}

/** Keywords of a schema, and their texts. */
const bounds: readonly (readonly [keyword: string, say: (value: unknown) => string])[] = [
  ["format", (value) => `format ${code(String(value))}`],
  ["pattern", (value) => `matches ${code(String(value))}`],
  ["minimum", (value) => `at least ${String(value)}`],
  ["exclusiveMinimum", (value) => `more than ${String(value)}`],
  ["maximum", (value) => `at most ${String(value)}`],
  ["exclusiveMaximum", (value) => `less than ${String(value)}`],
  ["minLength", (value) => `at least ${String(value)} characters`],
  ["maxLength", (value) => `at most ${String(value)} characters`],
  ["minItems", (value) => `at least ${String(value)} items`],
  ["maxItems", (value) => `at most ${String(value)} items`],
  ["uniqueItems", (value) => (value === true ? "all items different" : "")],
  ["default", (value) => `default ${code(JSON.stringify(value))}`],
];

/** Describes the type of a schema, in Markdown; named schemas are links to the page of schemas. */
export function describeType(schema: unknown, schemas: string): string {
  if (schema === true || schema === undefined) return "any value";
  const one = node(schema);
  const reference = text(one, "$ref");
  if (reference !== "") {
    const name = reference.split("/").at(-1) ?? "";
    return `[${name}](${schemas}#${headingSlug(name)})`;
  }
  if ("const" in one) return code(JSON.stringify(one["const"]));
  if (Array.isArray(one["enum"])) return one["enum"].map((value) => code(JSON.stringify(value))).join(" or ");
  for (const keyword of ["oneOf", "anyOf"]) {
    const options = one[keyword];
    // Alternatives that only require fields are no types of their own.
    if (Array.isArray(options) && options.some((option) => !isNode(option) || !("required" in option))) {
      return [...new Set(options.map((option) => describeType(option, schemas)))].join(" or ");
    }
  }
  const all = nodes(one["allOf"]);
  const types = Array.isArray(one["type"])
    ? one["type"].map(String)
    : [text(one, "type")].filter((type) => type !== "");
  if (types.length === 0)
    return all.length > 0
      ? all.map((part) => describeType(part, schemas)).join(" and ")
      : isNode(one["properties"])
        ? "object"
        : "any value";
  return types
    .map((type) => (type === "array" && "items" in one ? `array of ${describeType(one["items"], schemas)}` : type))
    .join(" or ");
}

/** Describes further constraints of a schema: bounds, formats, a default. */
export function describeBounds(schema: unknown): string {
  const one = node(schema);
  return bounds
    .flatMap(([keyword, say]) => (keyword in one ? [say(one[keyword])] : []))
    .filter((part) => part !== "")
    .join("; ");
}

/** Returns the fields of an object as a table, those of objects in it by their paths; an empty text when it has none. */
export function describeFields(schema: unknown, schemas: string): string {
  const rows = fieldRows(node(schema), "", schemas);
  return rows.length === 0 ? "" : table(["field", "type", "meaning"], rows);
}

function fieldRows(schema: Node, before: string, schemas: string): string[][] {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const own = Object.entries(node(schema["properties"])).flatMap(([name, value]) => {
    const field = node(value);
    const path = `${before}${name}`;
    const meaning = [prose(text(field, "description")), sentence(describeBounds(field))].filter((part) => part !== "");
    const row = [
      `${code(path)}${required.includes(name) ? " (required)" : ""}`,
      describeType(value, schemas),
      meaning.join(" "),
    ];
    const inner = isNode(field["items"]) ? fieldRows(field["items"], `${path}[].`, schemas) : [];
    return [[row], fieldRows(field, `${path}.`, schemas), inner].flat();
  });
  return [...nodes(schema["allOf"]).flatMap((part) => fieldRows(part, before, schemas)), ...own];
}

function sentence(words: string): string {
  return words === "" ? "" : `${words[0]?.toUpperCase()}${words.slice(1)}.`;
}
