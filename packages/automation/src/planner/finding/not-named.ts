import type { Page } from "playwright-core";
import { AutomationError, StepError } from "../../automation-error.ts";
import { readTree, walkNodes } from "../../snapshot/accessibility-tree.ts";
import { describePage } from "../../snapshot/describe-page.ts";
import { describeTitleAndUrl } from "../../targets/not-found.ts";
import { compareNames } from "../../targets/similar-names.ts";
import { awaitWithin } from "../../async.ts";
import type { ElementKind } from "./name-ways.ts";

/** Most elements that an error lists. */
const maxListed = 8;

/** Roles of alternatives to an element of a kind. */
const rolesOf: Readonly<Record<ElementKind, RegExp>> = {
  clickable: /^(?:button|link|tab|menuitem\w*|checkbox|radio|option|switch|treeitem|heading)$/,
  hoverable: /^(?:button|link|tab|menuitem|img|heading)$/,
  field: /^(?:textbox|searchbox|combobox|spinbutton|slider|radiogroup|group)$/,
  choice: /^(?:checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/,
  options: /^(?:combobox|listbox|radiogroup|group)$/,
  file: /^(?:button|link|textbox|group|heading)$/,
  table: /^(?:table|grid|treegrid|heading)$/,
  list: /^(?:list|listbox|heading)$/,
};

const nouns: Readonly<Record<ElementKind, string>> = {
  clickable: "element",
  hoverable: "element",
  field: "field",
  choice: "checkbox or radio button",
  options: "list of options",
  file: "file input, or button that opens a file chooser,",
  table: "table",
  list: "list",
};

/** Returns the error for a name that several elements have. */
export function createAmbiguousError(name: string, count: number): AutomationError {
  return new StepError(`ambiguous target: ${count} elements named "${name}" on the page`);
}

/** Returns the error for a name that no element has; lists alternatives, the most similar first. */
export async function createNoSuchElementError(
  page: Page,
  kind: ElementKind,
  name: string,
  role: string | undefined,
): Promise<AutomationError> {
  const nodes = [...walkNodes((await awaitWithin(3_000, readTree(page))) ?? [])].map(({ node }) => node);
  const alternatives = nodes
    .filter((node) => rolesOf[kind].test(node.role) && node.name !== "")
    .map((node) => ({ node, rank: rankCandidate(name, node.name) }))
    .sort((one, other) => other.rank - one.rank)
    .map(
      ({ node }) =>
        `${node.role} ${JSON.stringify(node.name.slice(0, 60))}${node.role === "heading" ? " (nothing to act on)" : ""}`,
    );
  const there = [...new Set(alternatives)].slice(0, maxListed);
  const text =
    kind === "clickable" && nodes.some((node) => node.text.trim() === name)
      ? " Text of that name is there, but nothing shows that it can be clicked."
      : "";
  const { snapshot } = await describePage(page, { maxCharacters: 1_500 });
  const what = `no ${role ?? nouns[kind]} named "${name}" on ${await describeTitleAndUrl(page)}`;
  const instead = there.length > 0 ? `; there is ${there.join(", ")}` : "";
  return new StepError(`there is ${what}${instead}.${text} It shows:\n${snapshot}`);
}

function rankCandidate(name: string, shown: string): number {
  const contains = shown.toLowerCase().includes(name.toLowerCase()) ? 1 : 0;
  return compareNames(name, shown) + contains;
}
