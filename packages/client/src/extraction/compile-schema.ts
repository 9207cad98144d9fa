import { compilePattern, type Matcher } from "./linear-pattern.ts";
import { assertions, type Assertion } from "./schema-keywords.ts";
import { isJsonObject, unusableFormat } from "./unusable-format.ts";

/** A compiled schema. */
export interface SchemaNode {
  /** Assertions without subschemas. */
  readonly assertions: Assertion[];
  /** Patterns of texts, with the message for a text without a match. */
  readonly patterns: [matcher: Matcher, message: string][];
  /** Subschemas of the value itself. */
  readonly allOf: SchemaNode[];
  readonly anyOf: SchemaNode[][];
  oneOf?: SchemaNode[];
  not?: SchemaNode;
  if?: SchemaNode;
  then?: SchemaNode;
  else?: SchemaNode;
  readonly dependent: [name: string, node: SchemaNode][];
  /** Subschemas of properties. */
  readonly properties: Map<string, SchemaNode>;
  readonly patternProperties: [matcher: Matcher, node: SchemaNode][];
  additional?: SchemaNode;
  names?: SchemaNode;
  /** Subschemas of items: of the first ones, and of the rest. */
  prefix: SchemaNode[];
  items?: SchemaNode;
  contains?: SchemaNode;
  minContains: number;
  maxContains: number;
  /** Subschemas of parts that no other subschema has evaluated. */
  unevaluatedItems?: SchemaNode;
  unevaluatedProperties?: SchemaNode;
  /** True for the target of a reference, whose results are cached. */
  isShared: boolean;
  /** True when it has neither references nor subschemas of the value itself. */
  isPlain: boolean;
}

type Schema = Readonly<Record<string, unknown>>;
type Compile = (value: unknown, step: string) => SchemaNode;
/** Adds a keyword to a node; returns false when its value is invalid. */
type Apply = (node: SchemaNode, value: unknown, compile: Compile) => boolean;

const one =
  (set: (node: SchemaNode, below: SchemaNode) => void): Apply =>
  (node, value, compile) => {
    set(node, compile(value, ""));
    return true;
  };
const list =
  (set: (node: SchemaNode, below: SchemaNode[]) => void): Apply =>
  (node, value, compile) => {
    if (!Array.isArray(value)) return false;
    set(node, value.map((each, index) => compile(each, `/${index}`))); // prettier-ignore
    return true;
  };
const map =
  (set: (node: SchemaNode, name: string, below: SchemaNode) => void): Apply =>
  (node, value, compile) => {
    if (!isJsonObject(value)) return false;
    for (const [name, each] of Object.entries(value)) set(node, name, compile(each, `/${name}`));
    return true;
  };
const count =
  (name: "minContains" | "maxContains"): Apply =>
  (node, value) =>
    Number.isInteger(value) && (node[name] = Number(value)) >= 0;

/** Keywords with subschemas, patterns, or a meaning beside that of another keyword. */
const applicators = new Map<string, Apply>(
  Object.entries({
    allOf: list((node, below) => node.allOf.push(...below)),
    anyOf: list((node, below) => node.anyOf.push(below)),
    oneOf: list((node, below) => (node.oneOf = below)),
    not: one((node, below) => (node.not = below)),
    if: one((node, below) => (node.if = below)),
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: one((node, below) => (node.then = below)),
    else: one((node, below) => (node.else = below)),
    dependentSchemas: map((node, name, below) => node.dependent.push([name, below])),
    properties: map((node, name, below) => node.properties.set(name, below)),
    patternProperties: map((node, name, below) => node.patternProperties.push([createMatcher(name), below])),
    additionalProperties: one((node, below) => (node.additional = below)),
    propertyNames: one((node, below) => (node.names = below)),
    prefixItems: list((node, below) => (node.prefix = below)),
    items: (node, value, compile) =>
      Array.isArray(value)
        ? list((_, below) => (node.prefix = below))(node, value, compile)
        : one((_, below) => (node.items = below))(node, value, compile),
    contains: one((node, below) => (node.contains = below)),
    minContains: count("minContains"),
    maxContains: count("maxContains"),
    unevaluatedItems: one((node, below) => (node.unevaluatedItems = below)),
    unevaluatedProperties: one((node, below) => (node.unevaluatedProperties = below)),
    $defs: map(() => undefined),
    definitions: map(() => undefined),
    pattern(node, value) {
      if (typeof value !== "string") return false;
      node.patterns.push([createMatcher(value), `Expected a match of the pattern ${value}.`]);
      return true;
    },
  } satisfies Record<string, Apply>),
);

/**
 * Compiles a JSON Schema, of the draft that `$schema` names; by default of draft 2020-12.
 *
 * @throws {Error} `unusableFormat`, with the location in the schema, where it is invalid or can't be checked.
 */
export function compileSchema(root: Schema): { root: SchemaNode; tracks: boolean } {
  const named = String(root["$schema"]);
  const isDraft4 = named.includes("draft-04");
  const isOld = /draft-0[467]/.test(named);
  const idKeyword = isDraft4 ? "id" : "$id";
  const nodes = new Map<unknown, SchemaNode>();
  const all: SchemaNode[] = [];
  const bases = new Map<unknown, string>();
  const targets = new Map<string, unknown>();
  const references: { node: SchemaNode; to: string; base: string; at: string }[] = [];
  let tracks = false;

  const compile = (schema: unknown, base: string, at: string): SchemaNode => {
    const known = nodes.get(schema);
    if (known && typeof schema !== "boolean") return known;
    if (typeof schema !== "boolean" && !isJsonObject(schema)) throw wrong(at);
    const node = emptyNode();
    nodes.set(schema, node);
    all.push(node);
    if (schema === false) node.assertions.push(() => "No value is allowed here.");
    if (typeof schema === "boolean") return node;
    const refersOnly = isOld && typeof schema["$ref"] === "string";
    const here = refersOnly && schema !== root ? base : identify(schema, base, at);
    bases.set(schema, here);
    tracks ||= "unevaluatedProperties" in schema || "unevaluatedItems" in schema;
    for (const [keyword, value] of Object.entries(schema)) {
      const place = `${at}/${keyword}`;
      if (refersOnly && !/^(?:\$ref|\$defs|definitions)$/.test(keyword)) continue;
      if (!add(node, schema, keyword, value, here, place)) throw wrong(place);
    }
    return node;
  };

  /** Adds a keyword to a node; unknown ones are ignored. Returns false when its value is invalid. */
  const add = (
    node: SchemaNode,
    schema: Schema,
    keyword: string,
    value: unknown,
    base: string,
    at: string,
  ): boolean => {
    const below: Compile = (each, step) => compile(each, base, at + step);
    if (keyword === "$ref" || keyword === "$recursiveRef") {
      if (typeof value !== "string" || (keyword === "$recursiveRef" && value !== "#")) return false;
      references.push({ node, to: value, base, at });
      return true;
    }
    if (keyword === "$dynamicRef") return false;
    // Which schema it means would depend on the way to it.
    if (keyword === "$recursiveAnchor") return value === false || schema === root;
    if (keyword === "additionalItems" || keyword === "dependencies") return addOld(node, schema, keyword, value, below);
    const makesAssertion = assertions.get(keyword);
    if (makesAssertion) {
      const assertion = makesAssertion(value, schema, isDraft4);
      return assertion !== undefined && node.assertions.push(assertion) > 0;
    }
    return applicators.get(keyword)?.(node, value, below) ?? true;
  };

  /** Remembers the identifiers of a schema; returns its base URI. */
  const identify = (schema: Schema, base: string, at: string): string => {
    const { [idKeyword]: id, $anchor: anchor } = schema;
    let here = base;
    if (id !== undefined || schema === root) {
      if (id !== undefined && typeof id !== "string") throw wrong(`${at}/${idKeyword}`);
      const uri = resolve(id ?? "", base, `${at}/${idKeyword}`);
      targets.set(uri, schema);
      if (!id?.startsWith("#")) targets.set((here = uri.replace(/#.*/, "")), schema);
    }
    if (anchor !== undefined) {
      if (typeof anchor !== "string") throw wrong(`${at}/$anchor`);
      targets.set(`${here}#${anchor}`, schema);
    }
    return here;
  };

  /** Finds the schema that a URI names; returns it with its base URI. */
  const find = (uri: string): [schema: unknown, base: string] => {
    const [document = "", fragment = ""] = uri.split("#");
    if (targets.has(uri)) return [targets.get(uri), document];
    let [schema, base] = [targets.get(document), document];
    if (!fragment.startsWith("/")) return [fragment === "" ? schema : undefined, base];
    for (const step of fragment.slice(1).split("/")) {
      const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
      const holder: Schema | undefined = typeof schema === "object" && schema !== null ? { ...schema } : undefined;
      schema = holder && Object.hasOwn(holder, name) ? holder[name] : undefined;
      base = bases.get(schema) ?? base;
    }
    return [schema, base];
  };

  const start = compile(root, "https://schema.invalid/", "");
  for (const { node, to, base, at } of references) {
    const uri = resolve(to, base, at);
    const [schema, home] = find(uri);
    if (schema === undefined) throw wrong(at);
    const target = compile(schema, home, at);
    target.isShared = true;
    node.allOf.push(target);
  }
  for (const node of all) node.isPlain = !node.isShared && listSame(node).length === 0;
  assertNoCircle(all);
  return { root: start, tracks };
}

function addOld(node: SchemaNode, schema: Schema, keyword: string, value: unknown, compile: Compile): boolean {
  if (keyword === "additionalItems") {
    if (Array.isArray(schema["items"])) node.items = compile(value, "");
    return true;
  }
  if (!isJsonObject(value)) return false;
  for (const [name, each] of Object.entries(value)) {
    if (!Array.isArray(each)) node.dependent.push([name, compile(each, `/${name}`)]);
    else node.dependent.push([name, compile({ required: each }, `/${name}`)]);
  }
  return true;
}

function emptyNode(): SchemaNode {
  return {
    assertions: [],
    patterns: [],
    allOf: [],
    anyOf: [],
    dependent: [],
    properties: new Map(),
    patternProperties: [],
    prefix: [],
    minContains: 1,
    maxContains: Infinity,
    isShared: false,
    isPlain: true,
  };
}

/** Refuses schemas that apply themselves to the same value again. A schema that several reference is allowed. */
function assertNoCircle(nodes: Iterable<SchemaNode>): void {
  const state = new Map<SchemaNode, "open" | "done">();
  const visit = (node: SchemaNode): void => {
    if (state.get(node) === "done") return;
    if (state.has(node)) throw unusableFormat("the JSON Schema of response_format has circular references");
    state.set(node, "open");
    for (const below of listSame(node)) visit(below);
    state.set(node, "done");
  };
  for (const node of nodes) visit(node);
}

/** Returns the subschemas of the value itself. */
function listSame({ allOf, anyOf, oneOf = [], dependent, ...node }: SchemaNode): SchemaNode[] {
  const single = [node.not, node.if, node.then, node.else].filter((each) => each !== undefined);
  return [allOf, ...anyOf, oneOf, dependent.map(([, each]) => each), single].flat();
}

function createMatcher(source: string): Matcher {
  try {
    return compilePattern(source);
  } catch {
    throw unusableFormat(
      `the pattern ${JSON.stringify(source)} of response_format can't be matched in linear time, as it is none, or has a ` +
        "lookaround, a backreference, a modifier or a repetition above 1000: rewrite it, or pass [jsonSchema, check] with a check " +
        "of your own",
    );
  }
}

function resolve(reference: string, base: string, at: string): string {
  try {
    return new URL(reference, base).href;
  } catch (cause) {
    throw wrong(at, cause);
  }
}

function wrong(at: string, cause?: unknown): Error {
  return unusableFormat(`the JSON Schema of response_format can't be checked at #${at}: pass a pair`, cause);
}
