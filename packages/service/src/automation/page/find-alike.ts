import type { Locator, Page } from "playwright-core";
import { allNodes, readTree, textOf, type AccessibleNode, type PlacedNode } from "./accessibility-tree.ts";
import { likeness, type Expectation, type Scope } from "./expectation.ts";
import { nameSimilarity } from "./similar-names.ts";

/** How alike an element has to be. */
const leastLikeness = 0.6;
/** How much less alike every other element has to be. */
const leastLead = 0.1;

/**
 * Finds the one element of a page that is like the one meant: of its kind, with nearly its name, in the same place.
 * None when there are several such: taking the wrong one is worse than taking none.
 *
 * Source: ours.
 */
export async function findAlike(
  page: Page,
  expected: Expectation,
  signal?: AbortSignal,
): Promise<{ locator: Locator; foundAs: string } | undefined> {
  if (expected.role === undefined || expected.name === undefined || expected.name === "") return undefined;
  const placed = [...allNodes(await readTree(page, signal).catch(() => []))];
  const [best, second] = placed
    .map((one, index) => ({ ...one, index, likeness: likeness(expected, one.node.role, one.node.name) }))
    .filter((one) => one.likeness >= leastLikeness && one.node.ref !== "")
    .filter(({ node, ancestors, index }) =>
      expected.within.every((scope) => (scope.isBefore ? isBehind(placed, index, scope) : ancestors.some((one) => fits(one, scope, node)))),
    )
    .sort((one, other) => other.likeness - one.likeness);
  if (best === undefined || (second !== undefined && best.likeness - second.likeness < leastLead)) return undefined;
  const { role, name, ref } = best.node;
  return { locator: page.getByRef(ref), foundAs: `${role} ${JSON.stringify(name)}` };
}

function fits(node: AccessibleNode, scope: Scope, meant: AccessibleNode): boolean {
  const isKind = node.role === scope.role && (scope.name === undefined || nameSimilarity(scope.name, node.name) >= leastLikeness);
  if (!isKind || scope.text === undefined) return isKind;
  const { text } = scope;
  return [...allNodes([node])].some(
    (one) => one.node !== meant && [one.node.name, one.node.text].some((own) => own !== "" && nameSimilarity(text, own) === 1),
  ) || nameSimilarity(text, textOf(node)) === 1;
}

/** Whether the heading before an element is the one meant. */
function isBehind(placed: readonly PlacedNode[], index: number, { role, name }: Scope): boolean {
  const heading = placed.slice(0, index).findLast(({ node }) => node.role === role)?.node;
  return heading !== undefined && (name === undefined || nameSimilarity(name, heading.name) >= leastLikeness);
}
