import { allNodes, type AccessibleNode, type PlacedNode } from "../snapshot/accessibility-tree.ts";
import type { ElementFacts } from "./element-facts.ts";
import { alsoBeing, byAttribute, byLabel, byRole, byTestId, byText, cssAttribute, having } from "./selector-text.ts";

/** Longest name that a selector holds, in characters. */
const longestName = 120;
const scopeRoles = new Set(
  (
    "form search dialog alertdialog navigation region group radiogroup row listitem article table grid tabpanel menu toolbar list " +
    "complementary banner contentinfo figure"
  ).split(" "),
);
/** Those in which a person does one thing: a part of the same name elsewhere is for another. */
const workplaces = new Set(["form", "search", "dialog", "alertdialog"]);
/** Those that pages have once, or in few places. */
const landmarks = new Set([
  "form",
  "search",
  "dialog",
  "alertdialog",
  "navigation",
  "banner",
  "contentinfo",
  "complementary",
]);
const containers = new Set([
  "table",
  "grid",
  "treegrid",
  "list",
  "form",
  "dialog",
  "navigation",
  "main",
  "article",
  "search",
  "figure",
]);
const testIds = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"];

/** Selectors that may lead to an element, the most lasting first; whether they do is to be seen. */
export function lastingSelectors(seen: PlacedNode, tree: readonly PlacedNode[], facts: ElementFacts): string[] {
  const { node } = seen;
  const self = selfSelector(node);
  const scoped =
    self === undefined
      ? []
      : [...scopesOf(seen).map((scope) => `${scope} >> ${self}`), ...nearHeading(seen, tree, self)];
  const inForm = self === undefined ? [] : workplacesOf(seen, facts).map((scope) => `${scope} >> ${self}`);
  const byHeaders = containers.has(node.role) ? containerSelectors(node) : [];
  const isAlone =
    self !== undefined && node.name !== "" && tree.filter((placed) => isSame(placed.node, node)).length === 1;
  return [
    // Another part of that name may come to stand elsewhere.
    ...inForm.slice(0, 1),
    ...(isAlone
      ? [self, ...inForm.slice(1, 2), ...scoped.slice(0, 1)]
      : [...byHeaders, ...scoped.slice(0, 4), ...(self === undefined ? [] : [self])]),
    ...facts.labels.slice(0, 1).map(byLabel),
    ...["placeholder", "alt", "title"].flatMap((name) => attribute(facts, name, (value) => byAttribute(name, value))),
    ...testIds.flatMap((name) =>
      attribute(facts, name, (value) => (name === "data-testid" ? byTestId(value) : cssAttribute(name, value))),
    ),
    ...attribute(facts, "name", (value) => `${facts.tag}${cssAttribute("name", value)}${valueOf(facts)}`),
    ...(facts.text === "" ? [] : [byText(facts.text)]),
    ...(facts.tag === "a" ? attribute(facts, "href", (value) => `a${cssAttribute("href", value)}`) : []),
    ...attribute(facts, "id", (value) => (isMade(value) ? "" : cssAttribute("id", value))),
  ].filter(Boolean);
}

/** Selectors by place, for when nothing else tells an element from others. */
export function structuralSelectors(seen: PlacedNode, tree: readonly PlacedNode[], facts: ElementFacts): string[] {
  const self = selfSelector(seen.node);
  const heading = self === undefined ? undefined : headingBefore(seen, tree);
  const behind =
    heading === undefined
      ? []
      : [`${byRole("heading", heading.name)} >> xpath=following::* >> ${alsoBeing(self ?? "")} >> nth=0`];
  const numbered = self === undefined ? [] : [0, 1, 2, 3, 4, 5, 6, 7].map((index) => `${self} >> nth=${index}`);
  return [...behind, facts.path, ...numbered];
}

function isSame(one: AccessibleNode, other: AccessibleNode): boolean {
  return one.role === other.role && one.name === other.name;
}

function selfSelector({ role, name }: AccessibleNode): string | undefined {
  if (role === "generic" || role === "text" || role === "" || role === "iframe") return undefined;
  if (name === "") return byRole(role);
  return name.length <= longestName ? byRole(role, name) : undefined;
}

/** Returns the scopes of an element, the nearest first. */
function scopesOf({ node, ancestors }: PlacedNode): string[] {
  return ancestors
    .filter(({ role }) => scopeRoles.has(role))
    .toReversed()
    .slice(0, 4)
    .flatMap((scope) => selectorsOfScope(scope, node));
}

/** The dialog or form that it is in, the nearest first: by role and name, or by a field that the form has. */
function workplacesOf({ node, ancestors }: PlacedNode, { form }: ElementFacts): string[] {
  const around = ancestors.filter(({ role }) => workplaces.has(role)).toReversed();
  const byRoles = around.slice(0, 1).flatMap((scope) => selectorsOfScope(scope, node));
  const fields = (form?.fields ?? []).filter((name) => !isNumbered(name)).slice(0, 2);
  const byFields = fields.map((name) => `form:has(${cssAttribute("name", name)})`);
  const byId = form !== undefined && form.id !== "" && !isMade(form.id) ? [`form${cssAttribute("id", form.id)}`] : [];
  return [...byRoles, ...byFields, ...byId, ...(form === undefined ? [] : ["form"])];
}

function selectorsOfScope(scope: AccessibleNode, meant: AccessibleNode): string[] {
  const { role, name } = scope;
  const isNamedByText = role === "row" || role === "listitem";
  const named = name !== "" && name.length <= longestName && !isNamedByText ? [byRole(role, name)] : [];
  const texts = isNamedByText || role === "article" ? tellingTexts(scope, meant) : [];
  const plain = landmarks.has(role) ? [byRole(role)] : [];
  return named.concat(
    texts.map((text) => `${byRole(role)} >> ${having(byText(text))}`),
    plain,
  );
}

/** Short texts of a row or an item that tell it from others, beside the element itself. */
function tellingTexts(scope: AccessibleNode, meant: AccessibleNode): string[] {
  const texts = [...allNodes(scope.children)]
    .filter(({ node, ancestors }) => node !== meant && !ancestors.includes(meant))
    .map(({ node }) => node.text || (node.children.length === 0 ? node.name : ""))
    .filter((text) => text !== "" && text !== meant.name && text.length <= 60);
  return [...new Set(texts)].slice(0, 3);
}

/** By the heading that it stands under: in the smallest part that holds both, and no other such heading. */
function nearHeading(seen: PlacedNode, tree: readonly PlacedNode[], self: string): string[] {
  const heading = headingBefore(seen, tree);
  if (heading === undefined) return [];
  const [, level = "2"] = /^level=(\d)$/.exec(heading.states.find((state) => state.startsWith("level=")) ?? "") ?? [];
  const parts = `xpath=ancestor::*[count(.//h${level})<2]`;
  return [`${byRole("heading", heading.name)} >> ${parts} >> ${having(self)} >> nth=-1 >> ${self}`];
}

function headingBefore({ node }: PlacedNode, tree: readonly PlacedNode[]): AccessibleNode | undefined {
  const index = tree.findIndex((placed) => placed.node === node);
  const heading = tree.slice(0, Math.max(0, index)).findLast((placed) => placed.node.role === "heading")?.node;
  return heading !== undefined && heading.name !== "" && heading.name.length <= longestName ? heading : undefined;
}

/** A table by its headers; other parts by the first text in them. */
function containerSelectors(node: AccessibleNode): string[] {
  const headers = [...allNodes([node])]
    .filter((placed) => placed.node.role === "columnheader" && placed.node.name !== "")
    .slice(0, 3);
  if (headers.length === 0) return [];
  return [
    `${byRole(node.role)}${headers.map((header) => ` >> ${having(byRole("columnheader", header.node.name))}`).join("")}`,
  ];
}

function attribute(facts: ElementFacts, name: string, selector: (value: string) => string): string[] {
  const value = facts.attributes[name];
  return value === undefined ? [] : [selector(value)];
}

/** Fields of one name differ by their values. */
function valueOf({ attributes: { type, value } }: ElementFacts): string {
  return value !== undefined && (type === "radio" || type === "checkbox") ? cssAttribute("value", value) : "";
}

/** Tells whether a name of a field looks like one that a program makes anew each time. */
function isNumbered(name: string): boolean {
  return /\d{3,}|[0-9a-f]{8}/i.test(name);
}

/** Tells whether an id looks like one that a program makes anew each time. */
function isMade(id: string): boolean {
  return /\d{3,}|[:.]|^[a-z0-9]{1,4}$|[0-9a-f]{8}/i.test(id);
}
