import type { Page } from "playwright-core";
import { formatUrl, shorten } from "../quote.ts";
import { AutomationError, StepError } from "../automation-error.ts";
import { walkNodes, readTree } from "../snapshot/accessibility-tree.ts";
import { areInterchangeable, type TargetExpectation } from "./expectation.ts";
import { compareNames } from "./similar-names.ts";
import { awaitWithin } from "../async.ts";

const maxCandidates = 6;
const controls =
  /^(?:button|link|textbox|searchbox|combobox|spinbutton|checkbox|radio|switch|tab|menuitem|option|slider|table|list)$/;

/** Returns the error for a target that no element, or several elements, match; lists what the page shows instead. */
export async function createNotFoundError(
  page: Page,
  label: string,
  expected: TargetExpectation,
  matches: number,
  signal?: AbortSignal,
): Promise<AutomationError> {
  const alternatives = await listCandidates(page, expected, signal);
  const what = matches > 1 ? `${label} is ambiguous: ${matches} elements match` : `no element matches ${label}`;
  const instead = alternatives.length > 0 ? `seen: ${alternatives.join(", ")}` : "no controls are visible";
  return new StepError(`on ${await describeTitleAndUrl(page)} ${what}; ${instead}`);
}

/** Describes a page: title, and URL without its query, which may contain secrets. */
export async function describeTitleAndUrl(page: Page): Promise<string> {
  const title = (await awaitWithin(1000, page.title())) ?? "";
  return `the page ${JSON.stringify(shorten(title, 60))} (${formatUrl(page.url())})`;
}

async function listCandidates(
  page: Page,
  { role, name }: TargetExpectation,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const nodes = [...walkNodes((await awaitWithin(3000, readTree(page, signal))) ?? [])].map((placed) => placed.node);
  const ranked = nodes
    .filter((node) => controls.test(node.role) || node.role === role)
    .map((node) => ({
      node,
      rank:
        (role !== undefined && areInterchangeable(role, node.role) ? 1 : 0) + 2 * compareNames(name ?? "", node.name),
    }))
    .sort((one, other) => other.rank - one.rank);
  return [...new Set(ranked.map(({ node }) => `${node.role} ${JSON.stringify(shorten(node.name, 60))}`))].slice(
    0,
    maxCandidates,
  );
}
