import { isDeepStrictEqual } from "node:util";
import type { DiffContext } from "./diff-context.ts";
import { isObject, asList, readNode, type ContractDocument, type Node } from "./document.ts";
import { readMeaning } from "./schema-form.ts";

/** One alternative of `security`: schemes that are required together, each with its scopes. */
interface Alternative {
  readonly schemes: ReadonlyMap<string, readonly string[]>;
  /** Name in messages. */
  readonly name: string;
}

/**
 * Compares the security requirements of an operation.
 *
 * Any change of who is let in is breaking, in both directions: a scheme that is asked for now locks callers out, and one
 * that no longer is opens what was closed, which no release may do unseen. A further way in beside those that stay, and
 * fewer scopes, are additive.
 */
export function diffSecurity(before: Node, after: Node, context: DiffContext, place: readonly string[]): void {
  const where = [...place, "security"];
  const was = listAlternatives(before, context.old);
  const is = listAlternatives(after, context.now);
  const removals = was.filter((way) => !is.some((other) => other.name === way.name));
  const additions = is.filter((way) => !was.some((other) => other.name === way.name));
  for (const way of was) {
    const other = is.find((candidate) => candidate.name === way.name);
    if (other) diffAlternative(way, other, context, where);
  }
  for (const way of removals) {
    const same = additions.findIndex((other) =>
      isDeepStrictEqual(listDefinitions(way, context.old), listDefinitions(other, context.now)),
    );
    const [renamed] = same === -1 ? [] : additions.splice(same, 1);
    if (renamed) context.list.add("documentation", where, `${way.name} is called ${renamed.name} now`);
    else if (way.schemes.size === 0) context.list.add("breaking", where, "credentials are needed now");
    else context.list.add("breaking", where, `${way.name} was removed`);
  }
  for (const way of additions) {
    if (way.schemes.size === 0)
      context.list.add("breaking", where, "credentials are no longer needed: everybody has access");
    else context.list.add(removals.length > 0 ? "breaking" : "additive", where, `${way.name} was added`);
  }
}

/** Returns the alternatives of `security`. An operation without any has one empty alternative. */
function listAlternatives(operation: Node, { root }: ContractDocument): Alternative[] {
  const ways = asList(operation["security"] ?? root["security"]).map((way) => {
    const schemes = new Map(Object.entries(readNode(way)).map(([name, scopes]) => [name, asList(scopes).map(String)]));
    return { schemes, name: [...schemes.keys()].toSorted().join(" with ") };
  });
  return ways.length > 0 ? ways : [{ schemes: new Map(), name: "" }];
}

function describeScheme(name: string, document: ContractDocument): unknown {
  const schemes = readNode(readNode(document.root["components"])["securitySchemes"]);
  return Object.hasOwn(schemes, name) ? readMeaning(schemes[name], document) : undefined;
}

function listDefinitions({ schemes }: Alternative, document: ContractDocument): unknown[] {
  return [...schemes].map(([name, scopes]) => [describeScheme(name, document), scopes.toSorted()]);
}

function diffAlternative(
  was: Alternative,
  is: Alternative,
  { old, now, list }: DiffContext,
  where: readonly string[],
): void {
  for (const [name, scopes] of was.schemes) {
    const [before, after] = [describeScheme(name, old), describeScheme(name, now)];
    if (!isDeepStrictEqual(before, after)) list.add("breaking", where, `${name} changed${kinds(before, after)}`);
    const newScopes = is.schemes.get(name) ?? [];
    const more = newScopes.filter((scope) => !scopes.includes(scope));
    const fewer = scopes.filter((scope) => !newScopes.includes(scope));
    if (more.length > 0) list.add("breaking", where, `${name} needs the scope ${more.join(", ")} now`);
    if (fewer.length > 0) list.add("additive", where, `${name} no longer needs the scope ${fewer.join(", ")}`);
  }
}

function kinds(before: unknown, after: unknown): string {
  const [was, is] = [findKind(before), findKind(after)];
  return was === is ? "" : ` from ${was} to ${is}`;
}

function findKind(scheme: unknown): string {
  const { type, scheme: word } = readNode(scheme);
  return isObject(scheme) ? [type, word].filter((part) => typeof part === "string").join(" ") : "nothing";
}
