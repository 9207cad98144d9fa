import type { Frame, Locator, Page } from "playwright-core";
import type { NamedKind } from "../../targets/same-name.ts";
import { findCards, findHiddenLabels } from "./hidden-choices.ts";
import { findBesideText, findUnnamed } from "./unlabelled-fields.ts";
import { findShowing, type PagePattern } from "./shown-names.ts";
import { findUnderHeadings } from "./under-heading.ts";

type Role = Parameters<Page["getByRole"]>[0];

/** Root of a search: a frame or an element. */
export type Root = Frame | Locator;

/** Kinds of elements that instructions name. */
export type ElementKind = "clickable" | "hoverable" | "field" | "choice" | "options" | "file" | "table" | "list";

/** A way to find elements by a name: a locator, and a test that its elements have to pass. */
export interface NameWay {
  /** Locates elements, whether they have the name or not. */
  readonly parts: Locator;
  /** True if its elements need not be visible. Default: only visible ones count. */
  readonly mayBeHidden?: true;
  /** Runs in the page; returns the indexes of those that have the name. Default: all have it. */
  readonly test?: (elements: readonly Element[], pattern: PagePattern) => number[];
  /** Runs in the page; returns the indexes of those that count at all. Default: all do. */
  readonly onlyIf?: (elements: readonly Element[]) => number[];
}

/** Elements that can be labelled and filled. */
const fields =
  "input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=image], [type=reset], [type=hidden]), textarea, select, [contenteditable], [role=textbox], [role=searchbox], [role=combobox], [role=spinbutton]";
const choices =
  "input[type=checkbox], input[type=radio], [role=checkbox], [role=radio], [role=switch], [role=menuitemcheckbox], [role=menuitemradio]";
const lists =
  "select, [role=combobox], [role=listbox], button[aria-haspopup=listbox], [role=button][aria-haspopup=listbox]";
const controls =
  "button, a[href], summary, label, input[type=submit], input[type=button], [role=button], [role=link], [role=tab], [role=menuitem], [role=option], [role=switch], [role=checkbox], [role=radio], [role=treeitem], [onclick], [tabindex]:not([tabindex='-1'])";
const fileInputs = "input[type=file]";
const cards = "div, li, span, section, article, p, td, a, button";

/** Roles whose accessible name may differ from their text, label, title and picture. */
const clickableRoles: readonly Role[] = ["button", "link", "checkbox", "radio"];

function locateByRoles(root: Root, roles: readonly Role[], name: RegExp): Locator {
  const [first, ...others] = roles.map((role) => root.getByRole(role, { name }));
  if (first === undefined) throw new TypeError("no role");
  return others.reduce((all, one) => all.or(one), first);
}

/** Returns the indexes of elements that contain one file input, or can be clicked. Runs in the page. */
function findDropZones(elements: readonly Element[]): number[] {
  return elements.flatMap((element, index) => {
    const isOne = element.querySelectorAll("input[type=file]").length === 1;
    const isInner = [...elements].some((other) => other !== element && element.contains(other));
    return !isInner && (isOne || getComputedStyle(element).cursor === "pointer") ? [index] : [];
  });
}

/** Ways for each kind of element, the most reliable first. */
const ways: Readonly<Record<ElementKind, (root: Root, name: RegExp) => readonly NameWay[]>> = {
  clickable: (root, name) => [
    {
      parts: locateByRoles(root, clickableRoles, name)
        .or(root.getByText(name))
        .or(root.getByTitle(name))
        .or(root.getByAltText(name))
        .or(root.getByLabel(name)),
    },
    { parts: root.locator(controls), test: findShowing },
  ],
  hoverable: (root, name) => [
    { parts: locateByRoles(root, clickableRoles, name) },
    { parts: root.getByText(name).or(root.getByTitle(name)).or(root.getByAltText(name)).or(root.getByLabel(name)) },
    { parts: root.locator(controls), test: findShowing },
  ],
  field: (root, name) => [
    {
      parts: locateByRoles(root, ["combobox"], name).or(
        root.locator(fields).and(root.getByLabel(name).or(root.getByPlaceholder(name)).or(root.getByTitle(name))),
      ),
    },
    { parts: root.locator(fields), test: findShowing },
    { parts: root.locator(fields), test: findBesideText },
    { parts: locateByRoles(root, ["radiogroup", "group"], name) },
    { parts: root.locator(fields), test: findUnnamed },
  ],
  choice: (root, name) => [
    {
      parts: locateByRoles(root, ["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"], name).or(
        root.locator(choices).and(root.getByLabel(name).or(root.getByTitle(name))),
      ),
    },
    { parts: root.locator(choices), test: findShowing },
    { parts: root.locator("label"), test: findShowing, onlyIf: findHiddenLabels },
    { parts: root.locator(cards), test: findShowing, onlyIf: findCards },
  ],
  options: (root, name) => [
    {
      parts: locateByRoles(root, ["combobox"], name).or(
        root.locator(lists).and(root.getByLabel(name).or(root.getByTitle(name))),
      ),
    },
    { parts: root.locator(lists), test: findShowing },
    { parts: root.locator("select"), test: findBesideText },
    { parts: locateByRoles(root, ["radiogroup", "group"], name) },
    { parts: root.locator("select"), test: findUnnamed },
  ],
  // A file input is often hidden behind what opens its file chooser.
  file: (root, name) => [
    {
      parts: root.locator(fileInputs).and(root.getByLabel(name).or(root.getByTitle(name))),
      mayBeHidden: true,
    },
    { parts: root.locator(fileInputs), test: findShowing, mayBeHidden: true },
    { parts: root.locator(fileInputs), test: findBesideText, mayBeHidden: true },
    { parts: root.locator(fileInputs), test: findUnderHeadings, mayBeHidden: true },
    { parts: locateByRoles(root, ["button", "link"], name) },
    { parts: root.locator(controls), test: findShowing },
    { parts: root.locator(cards), test: findShowing, onlyIf: findDropZones },
    { parts: root.locator(fileInputs), test: findUnnamed, mayBeHidden: true },
  ],
  table: (root, name) => [
    { parts: locateByRoles(root, ["table", "grid", "treegrid"], name) },
    { parts: root.locator("table, [role=table], [role=grid], [role=treegrid]"), test: findUnderHeadings },
  ],
  list: (root, name) => [
    { parts: locateByRoles(root, ["list", "listbox"], name) },
    { parts: root.locator("ul, ol, dl, [role=list], [role=listbox]"), test: findUnderHeadings },
  ],
};

/** Returns the ways to find an element of a kind by a name; by its role first, if the task names one. */
export function listNameWays(
  root: Root,
  kind: ElementKind,
  name: RegExp,
  role: string | undefined,
): readonly NameWay[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the roles of clause-names.ts
  const first = role === undefined ? [] : [{ parts: root.getByRole(role as Role, { name }) }];
  return [...first, ...ways[kind](root, name)];
}

/** Returns the kind of name that an element of a kind has. */
export function readNamedKind(kind: ElementKind): NamedKind {
  return kind === "field" || kind === "options" || kind === "file" ? "field" : "control";
}
