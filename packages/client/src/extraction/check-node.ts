import { runPausing, type CheckBudget, type Pausing } from "./budget.ts";
import type { SchemaNode } from "./compile-schema.ts";
import { isJsonObject } from "./unusable-format.ts";

/** Fault of a value, or of a part of it. */
export interface SchemaFault {
  /** Message; absent when `inner` has it. */
  readonly message?: string;
  /** The property or item that `inner` is about. Default: the value itself. */
  readonly step?: PropertyKey;
  /** Faults of that property or item. */
  readonly inner?: readonly SchemaFault[];
}

/** Result of a schema for a value. */
interface Finding {
  /** Empty when the value is valid. */
  readonly failures: readonly SchemaFault[];
  /** Properties and items of the value that a subschema evaluated. */
  readonly evaluated: ReadonlySet<PropertyKey>;
}

/** Failures of one value after which no more are looked for. */
const enough = 100;
const none: ReadonlySet<PropertyKey> = new Set();
const valid: Finding = { failures: [], evaluated: none };

/**
 * Checks data against a compiled schema.
 *
 * The result of a referenced schema for a value is cached: nothing is checked twice, however schemas reference each other.
 *
 * @throws {Error} when the check takes too many steps.
 */
export function* checkNode(
  schema: { readonly root: SchemaNode; readonly tracks: boolean },
  data: unknown,
  budget: CheckBudget,
): Pausing<readonly SchemaFault[]> {
  const remembered = new Map<SchemaNode, Map<unknown, Finding>>();

  function* visit(node: SchemaNode, value: unknown): Pausing<Finding> {
    if (!node.isShared) return yield* find(node, value);
    budget.spend(100);
    const findings = remembered.get(node) ?? new Map<unknown, Finding>();
    remembered.set(node, findings);
    const finding = findings.get(value) ?? (yield* find(node, value));
    findings.set(value, finding);
    return finding;
  }

  function* find(node: SchemaNode, value: unknown): Pausing<Finding> {
    if (budget.spend(10 + node.assertions.length)) yield;
    const failures: SchemaFault[] = [];
    for (const assertion of node.assertions) {
      const wrong = assertion(value, budget);
      const message = typeof wrong === "object" ? yield* wrong : wrong;
      if (message !== undefined) failures.push({ message });
    }
    const evaluated = schema.tracks ? new Set<PropertyKey>() : undefined;
    if (typeof value === "string") yield* matchPatterns(node, value, failures);
    else if (Array.isArray(value)) yield* visitItems(node, value, failures, evaluated);
    else if (isJsonObject(value)) yield* visitProperties(node, value, failures, evaluated);
    yield* visitSame(node, value, failures, evaluated);
    if (evaluated) yield* visitRest(node, value, failures, evaluated);
    return failures.length === 0 && !evaluated ? valid : { failures, evaluated: evaluated ?? none };
  }

  function* matchPatterns({ patterns }: SchemaNode, text: string, failures: SchemaFault[]): Pausing<void> {
    for (const [matches, message] of patterns) if (!(yield* matches(text, budget))) failures.push({ message });
  }

  /** Visits the subschemas of the value itself. */
  function* visitSame(
    node: SchemaNode,
    value: unknown,
    failures: SchemaFault[],
    evaluated?: Set<PropertyKey>,
  ): Pausing<void> {
    /** Returns whether a subschema holds; if so, the parts that it evaluated count as evaluated. */
    function* holds(below: SchemaNode, inner?: SchemaFault[]): Pausing<boolean> {
      const found = yield* runPausing(visit(below, value));
      const isValid = found.failures.length === 0;
      if (isValid) for (const each of found.evaluated) evaluated?.add(each);
      else inner?.push({ inner: found.failures });
      return isValid;
    }
    for (const below of node.allOf) yield* holds(below, failures);
    for (const choices of node.anyOf) {
      const inner: SchemaFault[] = [];
      let fits = false;
      for (const below of choices) {
        if (yield* holds(below, inner)) fits = true;
        if (fits && !evaluated) break;
      }
      if (!fits) failures.push({ message: "Expected to match a schema of anyOf.", inner });
    }
    if (node.oneOf) {
      const inner: SchemaFault[] = [];
      let fitting = 0;
      for (const below of node.oneOf) {
        if (yield* holds(below, inner)) fitting++;
        if (fitting > 1) break;
      }
      if (fitting === 0) failures.push({ message: "Expected to match a schema of oneOf.", inner });
      if (fitting > 1) failures.push({ message: "Expected to match only one schema of oneOf." });
    }
    if (node.not) {
      const found = yield* runPausing(visit(node.not, value));
      if (found.failures.length === 0) failures.push({ message: "Expected not to match the schema of not." });
    }
    if (node.if) {
      const branch = (yield* holds(node.if)) ? node.then : node.else;
      if (branch) yield* holds(branch, failures);
    }
    if (isJsonObject(value)) {
      for (const [name, below] of node.dependent) if (Object.hasOwn(value, name)) yield* holds(below, failures);
    }
  }

  /** Visits a property or item. */
  function* visitPart(below: SchemaNode, step: PropertyKey, part: unknown, failures: SchemaFault[]): Pausing<boolean> {
    // Most parts are single values that only assertions speak of.
    const isPlain = below.isPlain && (typeof part !== "object" || part === null);
    const { failures: inner } = yield* isPlain ? find(below, part) : runPausing(visit(below, part));
    if (inner.length > 0) failures.push({ step, inner });
    return inner.length === 0;
  }

  function* visitItems(
    node: SchemaNode,
    items: readonly unknown[],
    failures: SchemaFault[],
    evaluated?: Set<PropertyKey>,
  ): Pausing<void> {
    const { prefix, items: rest, contains } = node;
    const last = rest || contains ? items.length : Math.min(prefix.length, items.length);
    let contained = 0;
    for (let index = 0; index < last && failures.length < enough; index++) {
      const below = prefix[index] ?? rest;
      if (below) {
        yield* visitPart(below, index, items[index], failures);
        evaluated?.add(index);
      }
      if (contains && (yield* runPausing(visit(contains, items[index]))).failures.length === 0) {
        contained++;
        evaluated?.add(index);
      }
    }
    if (!contains || failures.length >= enough) return;
    const { minContains, maxContains } = node;
    if (contained < minContains)
      failures.push({ message: `Expected at least ${minContains} items that contains describes.` });
    if (contained > maxContains)
      failures.push({ message: `Expected at most ${maxContains} items that contains describes.` });
  }

  function* visitProperties(
    node: SchemaNode,
    object: Readonly<Record<string, unknown>>,
    failures: SchemaFault[],
    evaluated?: Set<PropertyKey>,
  ): Pausing<void> {
    const { properties, patternProperties, additional, names } = node;
    if (properties.size === 0 && patternProperties.length === 0 && !additional && !names) return;
    for (const name of Object.keys(object)) {
      if (failures.length >= enough) return;
      if (budget.spend(2)) yield;
      if (names) yield* visitPart(names, name, name, failures);
      const own = properties.get(name);
      const found = own ? [own] : [];
      for (const [matches, below] of patternProperties) if (yield* matches(name, budget)) found.push(below);
      if (additional && found.length === 0) found.push(additional);
      for (const below of found) yield* visitPart(below, name, object[name], failures);
      if (found.length > 0) evaluated?.add(name);
    }
  }

  /** Visits the parts that no subschema has evaluated. */
  function* visitRest(
    node: SchemaNode,
    value: unknown,
    failures: SchemaFault[],
    evaluated: Set<PropertyKey>,
  ): Pausing<void> {
    const below = Array.isArray(value) ? node.unevaluatedItems : node.unevaluatedProperties;
    if (!below || typeof value !== "object" || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      if (budget.spend(2)) yield;
      const step = Array.isArray(value) ? Number(name) : name;
      if (evaluated.has(step)) continue;
      yield* visitPart(below, step, part, failures);
      evaluated.add(step);
    }
  }

  yield* assertFinite(data, budget);
  const { failures } = yield* runPausing(visit(schema.root, data));
  return failures;
}

/** @throws {Error} when a number is too large: `JSON.parse` returns `Infinity` for it. */
function* assertFinite(data: unknown, budget: CheckBudget): Pausing<void> {
  const left: unknown[] = [data];
  while (left.length > 0) {
    const value = left.pop();
    if (budget.spend(1)) yield;
    if (value === Infinity || value === -Infinity) throw new Error("a number is too large");
    if (typeof value === "object" && value !== null) for (const each of Object.values(value)) left.push(each);
  }
}
