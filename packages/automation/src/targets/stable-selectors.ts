import { walkNodes, type AccessibleNode, type PlacedNode } from "../snapshot/accessibility-tree.ts";
import type { ElementFacts } from "./element-facts.ts";
import {
  selectAlso,
  byAttribute,
  byLabel,
  byRole,
  byTestId,
  byText,
  byCssAttribute,
  selectHaving,
} from "./selector-text.ts";

/** Longest name that a selector holds, in characters. */
const maxNameCharacters = 120;
const scopeRoles = new Set(
  (
    "form search dialog alertdialog navigation region group radiogroup row listitem article table grid tabpanel menu toolbar list " +
    "complementary banner contentinfo figure"
  ).split(" "),
);
/** Roles of forms and dialogs: an element of the same name outside of them has another purpose. */
const formRoles = new Set(["form", "search", "dialog", "alertdialog"]);
/** Roles that occur once on a page, or a few times. */
const landmarks = new Set("form search dialog alertdialog navigation banner contentinfo complementary".split(" "));
const containers = new Set("table grid treegrid list form dialog navigation main article search figure".split(" "));
const testIds = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"];

/** Returns candidate selectors for an element, the most stable first. They still have to be verified. */
export function listStableSelectors(element: PlacedNode, tree: readonly PlacedNode[], facts: ElementFacts): string[] {
  const { node } = element;
  const self = selectByRole(node);
  const scoped =
    self === undefined
      ? []
      : [...listScopes(element).map((scope) => `${scope} >> ${self}`), ...listHeadingSelectors(element, tree, self)];
  const inForm = self === undefined ? [] : listFormScopes(element, facts).map((scope) => `${scope} >> ${self}`);
  const byHeaders = containers.has(node.role) ? listContainerSelectors(node) : [];
  const isAlone =
    self !== undefined && node.name !== "" && tree.filter((placed) => isSame(placed.node, node)).length === 1;
  return [
    // Another element of that name may be added elsewhere.
    ...inForm.slice(0, 1),
    ...(isAlone
      ? [self, ...inForm.slice(1, 2), ...scoped.slice(0, 1)]
      : [...byHeaders, ...scoped.slice(0, 4), ...(self === undefined ? [] : [self])]),
    ...facts.labels.slice(0, 1).map(byLabel),
    ...["placeholder", "alt", "title"].flatMap((name) =>
      selectByAttribute(facts, name, (value) => byAttribute(name, value)),
    ),
    ...testIds.flatMap((name) =>
      selectByAttribute(facts, name, (value) =>
        name === "data-testid" ? byTestId(value) : byCssAttribute(name, value),
      ),
    ),
    ...selectByAttribute(facts, "name", (value) => `${facts.tag}${byCssAttribute("name", value)}${quoteValue(facts)}`),
    ...(facts.text === "" ? [] : [byText(facts.text)]),
    ...(facts.tag === "a" ? selectByAttribute(facts, "href", (value) => `a${byCssAttribute("href", value)}`) : []),
    ...selectByAttribute(facts, "id", (value) => (isGenerated(value) ? "" : byCssAttribute("id", value))),
  ].filter(Boolean);
}

/** Returns selectors by position, for an element that nothing else distinguishes. */
export function listStructuralSelectors(
  element: PlacedNode,
  tree: readonly PlacedNode[],
  facts: ElementFacts,
): string[] {
  const self = selectByRole(element.node);
  const heading = self === undefined ? undefined : findHeadingBefore(element, tree);
  const behind =
    heading === undefined
      ? []
      : [`${byRole("heading", heading.name)} >> xpath=following::* >> ${selectAlso(self ?? "")} >> nth=0`];
  const numbered = self === undefined ? [] : [0, 1, 2, 3, 4, 5, 6, 7].map((index) => `${self} >> nth=${index}`);
  return [...behind, facts.path, ...numbered];
}

function isSame(one: AccessibleNode, other: AccessibleNode): boolean {
  return one.role === other.role && one.name === other.name;
}

function selectByRole({ role, name }: AccessibleNode): string | undefined {
  if (role === "generic" || role === "text" || role === "" || role === "iframe") return undefined;
  if (name === "") return byRole(role);
  return name.length <= maxNameCharacters ? byRole(role, name) : undefined;
}

/** Returns the scopes of an element, the nearest first. */
function listScopes({ node, ancestors }: PlacedNode): string[] {
  return ancestors
    .filter(({ role }) => scopeRoles.has(role))
    .toReversed()
    .slice(0, 4)
    .flatMap((scope) => listScopeSelectors(scope, node));
}

/** Returns selectors of the dialog or form around an element, the nearest first: by role and name, or by a field of the form. */
function listFormScopes({ node, ancestors }: PlacedNode, { form }: ElementFacts): string[] {
  const around = ancestors.filter(({ role }) => formRoles.has(role)).toReversed();
  const byRoles = around.slice(0, 1).flatMap((scope) => listScopeSelectors(scope, node));
  const fields = (form?.fields ?? []).filter((name) => !isGeneratedName(name)).slice(0, 2);
  const byFields = fields.map((name) => `form:has(${byCssAttribute("name", name)})`);
  const byId =
    form !== undefined && form.id !== "" && !isGenerated(form.id) ? [`form${byCssAttribute("id", form.id)}`] : [];
  return [...byRoles, ...byFields, ...byId, ...(form === undefined ? [] : ["form"])];
}

function listScopeSelectors(scope: AccessibleNode, meant: AccessibleNode): string[] {
  const { role, name } = scope;
  const isNamedByText = role === "row" || role === "listitem";
  const byName = name !== "" && name.length <= maxNameCharacters && !isNamedByText ? [byRole(role, name)] : [];
  const texts = isNamedByText || role === "article" ? listDistinguishingTexts(scope, meant) : [];
  const plain = landmarks.has(role) ? [byRole(role)] : [];
  return byName.concat(
    texts.map((text) => `${byRole(role)} >> ${selectHaving(byText(text))}`),
    plain,
  );
}

/** Returns short texts of a row or an item that distinguish it from others, without the text of the element itself. */
function listDistinguishingTexts(scope: AccessibleNode, meant: AccessibleNode): string[] {
  const texts = [...walkNodes(scope.children)]
    .filter(({ node, ancestors }) => node !== meant && !ancestors.includes(meant))
    .map(({ node }) => node.text || (node.children.length === 0 ? node.name : ""))
    .filter((text) => text !== "" && text !== meant.name && text.length <= 60);
  return [...new Set(texts)].slice(0, 3);
}

/** Selects by the heading above: in the smallest ancestor that contains both and no other heading of its level. */
function listHeadingSelectors(element: PlacedNode, tree: readonly PlacedNode[], self: string): string[] {
  const heading = findHeadingBefore(element, tree);
  if (heading === undefined) return [];
  const [, level = "2"] = /^level=(\d)$/.exec(heading.states.find((state) => state.startsWith("level=")) ?? "") ?? [];
  const parts = `xpath=ancestor::*[count(.//h${level})<2]`;
  return [`${byRole("heading", heading.name)} >> ${parts} >> ${selectHaving(self)} >> nth=-1 >> ${self}`];
}

function findHeadingBefore({ node }: PlacedNode, tree: readonly PlacedNode[]): AccessibleNode | undefined {
  const index = tree.findIndex((placed) => placed.node === node);
  const heading = tree.slice(0, Math.max(0, index)).findLast((placed) => placed.node.role === "heading")?.node;
  return heading !== undefined && heading.name !== "" && heading.name.length <= maxNameCharacters ? heading : undefined;
}

/** Selects a table by its headers. */
function listContainerSelectors(node: AccessibleNode): string[] {
  const headers = [...walkNodes([node])]
    .filter((placed) => placed.node.role === "columnheader" && placed.node.name !== "")
    .slice(0, 3);
  if (headers.length === 0) return [];
  return [
    `${byRole(node.role)}${headers.map((header) => ` >> ${selectHaving(byRole("columnheader", header.node.name))}`).join("")}`,
  ];
}

function selectByAttribute(facts: ElementFacts, name: string, selector: (value: string) => string): string[] {
  const value = facts.attributes[name];
  return value === undefined ? [] : [selector(value)];
}

/** Selects by the value, too, as radio buttons and checkboxes of one name differ by it. */
function quoteValue({ attributes: { type, value } }: ElementFacts): string {
  return value !== undefined && (type === "radio" || type === "checkbox") ? byCssAttribute("value", value) : "";
}

/** Returns whether the name of a field looks generated. */
function isGeneratedName(name: string): boolean {
  return /\d{3,}|[0-9a-f]{8}/i.test(name);
}

/** Returns whether an id looks generated. */
function isGenerated(id: string): boolean {
  return /\d{3,}|[:.]|^[a-z0-9]{1,4}$|[0-9a-f]{8}/i.test(id);
}
