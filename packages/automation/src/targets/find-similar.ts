import type { Page } from "playwright-core";
import { allNodes, readTree, textOf, type AccessibleNode, type PlacedNode } from "../snapshot/accessibility-tree.ts";
import { likeness, type Expectation, type Scope } from "./expectation.ts";
import { nameSimilarity } from "./similar-names.ts";

/** How alike an element has to be. */
const leastLikeness = 0.6;
/** How alike it has to be wherever it is; with less, it has to be where it was. */
const nearlySame = 0.9;
/** How much less alike every other element has to be. */
const leastLead = 0.1;

/**
 * Finds the one element of a page that is like the one meant: of its kind, with nearly its name, in the same place.
 * None when there are several such: taking the wrong one is worse than taking none.
 */
export async function findAlike(
  page: Page,
  expected: Expectation,
  signal?: AbortSignal,
): Promise<{ selector: string; foundAs: string } | undefined> {
  if (expected.role === undefined || expected.name === undefined || expected.name === "") return undefined;
  const [best, second] = [...allNodes(await readTree(page, signal).catch(() => []))]
    .map(({ node, ancestors }) => ({ node, ancestors, likeness: likeness(expected, node.role, node.name) }))
    .filter((one) => one.likeness >= leastLikeness && one.node.ref !== "")
    .filter((one) => isIn(one, expected.within))
    .filter(
      (one) =>
        one.likeness >= nearlySame || expected.places.length === 0 || expected.places.some((place) => isIn(one, place)),
    )
    .sort((one, other) => other.likeness - one.likeness);
  if (best === undefined || (second !== undefined && best.likeness - second.likeness < leastLead)) return undefined;
  const { role, name, ref } = best.node;
  return { selector: `aria-ref=${ref}`, foundAs: `${role} ${JSON.stringify(name)}` };
}

function isIn({ node, ancestors }: PlacedNode, scopes: readonly Scope[]): boolean {
  return scopes.every((scope) =>
    scope.isBeside ? isBeside(ancestors, scope) : ancestors.some((one) => fits(one, scope, node)),
  );
}

function fits(node: AccessibleNode, scope: Scope, meant: AccessibleNode): boolean {
  const isKind =
    node.role === scope.role && (scope.name === undefined || nameSimilarity(scope.name, node.name) >= leastLikeness);
  if (!isKind || scope.text === undefined) return isKind;
  const { text } = scope;
  return (
    [...allNodes([node])].some(
      (one) =>
        one.node !== meant &&
        [one.node.name, one.node.text].some((own) => own !== "" && nameSimilarity(text, own) === 1),
    ) || nameSimilarity(text, textOf(node)) === 1
  );
}

/** Tells whether a heading is in the smallest part around an element that has any. */
function isBeside(ancestors: readonly AccessibleNode[], { role, name }: Scope): boolean {
  for (const around of ancestors.toReversed()) {
    const headings = [...allNodes(around.children)].filter(({ node }) => node.role === role);
    if (headings.length > 0)
      return headings.some(({ node }) => name === undefined || nameSimilarity(name, node.name) >= leastLikeness);
  }
  return false;
}
