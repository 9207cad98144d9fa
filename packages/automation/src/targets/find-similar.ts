import type { Page } from "playwright-core";
import {
  walkNodes,
  readTree,
  readNodeText,
  type AccessibleNode,
  type PlacedNode,
} from "../snapshot/accessibility-tree.ts";
import { compareToExpectation, type TargetExpectation, type TargetScope } from "./expectation.ts";
import { compareNames } from "./similar-names.ts";

/** Least similarity of an element, from 0 to 1. */
const minSimilarity = 0.6;
/** Similarity from which the scope does not matter. */
const highSimilarity = 0.9;
/** Least difference to the second most similar element. */
const minLead = 0.1;

/**
 * Finds the one element that is most similar to the expected one: interchangeable role, similar name, same scope.
 * Undefined if it is ambiguous: a wrong element is worse than none.
 */
export async function findSimilar(
  page: Page,
  expected: TargetExpectation,
  signal?: AbortSignal,
): Promise<{ selector: string; foundAs: string } | undefined> {
  if (expected.role === undefined || expected.name === undefined || expected.name === "") return undefined;
  const [best, second] = [...walkNodes(await readTree(page, signal).catch(() => []))]
    .map(({ node, ancestors }) => ({
      node,
      ancestors,
      likeness: compareToExpectation(expected, node.role, node.name),
    }))
    .filter((one) => one.likeness >= minSimilarity && one.node.ref !== "")
    .filter((one) => isIn(one, expected.within))
    .filter(
      (one) =>
        one.likeness >= highSimilarity ||
        expected.places.length === 0 ||
        expected.places.some((place) => isIn(one, place)),
    )
    .sort((one, other) => other.likeness - one.likeness);
  if (best === undefined || (second !== undefined && best.likeness - second.likeness < minLead)) return undefined;
  const { role, name, ref } = best.node;
  return { selector: `aria-ref=${ref}`, foundAs: `${role} ${JSON.stringify(name)}` };
}

function isIn({ node, ancestors }: PlacedNode, scopes: readonly TargetScope[]): boolean {
  return scopes.every((scope) =>
    scope.isBeside ? isBeside(ancestors, scope) : ancestors.some((one) => fits(one, scope, node)),
  );
}

function fits(node: AccessibleNode, scope: TargetScope, meant: AccessibleNode): boolean {
  const isKind =
    node.role === scope.role && (scope.name === undefined || compareNames(scope.name, node.name) >= minSimilarity);
  if (!isKind || scope.text === undefined) return isKind;
  const { text } = scope;
  return (
    [...walkNodes([node])].some(
      (one) =>
        one.node !== meant && [one.node.name, one.node.text].some((own) => own !== "" && compareNames(text, own) === 1),
    ) || compareNames(text, readNodeText(node)) === 1
  );
}

/** Returns whether the nearest ancestor with headings contains the heading of a scope. */
function isBeside(ancestors: readonly AccessibleNode[], { role, name }: TargetScope): boolean {
  for (const around of ancestors.toReversed()) {
    const headings = [...walkNodes(around.children)].filter(({ node }) => node.role === role);
    if (headings.length > 0)
      return headings.some(({ node }) => name === undefined || compareNames(name, node.name) >= minSimilarity);
  }
  return false;
}
