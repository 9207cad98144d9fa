/* oxlint-disable unicorn/consistent-function-scoping -- functions that run in the page can't use anything outside of them */
import type { ActTarget } from "./act.ts";

/**
 * Describes an element by role and accessible name, as Playwright's `getByRole` computes them for interactive elements. Runs in an
 * isolated world of the page: it uses nothing outside of itself.
 */
export function describeActTarget(element: Element, onlyRole?: string): ActTarget {
  const maxCharacters = 100;
  const maxNodes = 300;
  const oneLine = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
  const inputRoles: Readonly<Record<string, string>> = {
    button: "button",
    checkbox: "checkbox",
    file: "button",
    image: "button",
    number: "spinbutton",
    radio: "radio",
    range: "slider",
    reset: "button",
    search: "searchbox",
    submit: "button",
  };
  const tagRoles: Readonly<Record<string, string>> = {
    article: "article",
    button: "button",
    dialog: "dialog",
    fieldset: "group",
    details: "group",
    form: "form",
    h1: "heading",
    h2: "heading",
    h3: "heading",
    h4: "heading",
    h5: "heading",
    h6: "heading",
    img: "img",
    li: "listitem",
    main: "main",
    nav: "navigation",
    ol: "list",
    option: "option",
    p: "paragraph",
    svg: "img",
    table: "table",
    td: "cell",
    textarea: "textbox",
    th: "columnheader",
    tr: "row",
    ul: "list",
  };
  const findRole = (one: Element): string | null => {
    const [role] = (one.getAttribute("role") ?? "").trim().split(/\s+/);
    if (role) return role === "none" || role === "presentation" ? null : role;
    const tag = one.localName;
    if (tag === "a" || tag === "area") return one.hasAttribute("href") ? "link" : null;
    if (tag === "select")
      return one.hasAttribute("multiple") || Number(one.getAttribute("size")) > 1 ? "listbox" : "combobox";
    if (tag === "input") {
      const type = one instanceof HTMLInputElement ? one.type : "text";
      const suggests = one.hasAttribute("list") && ["email", "tel", "text", "url", "search"].includes(type);
      return suggests ? "combobox" : (inputRoles[type] ?? "textbox");
    }
    if (tag === "img" && one.getAttribute("alt") === "" && !one.hasAttribute("title")) return null;
    return tagRoles[tag] ?? null;
  };
  /** Elements whose text was typed by a user, or is not rendered. */
  const noText = "input, select, textarea, script, style, noscript, [contenteditable]:not([contenteditable=false])";
  const isHidden = (one: Element): boolean => one.getAttribute("aria-hidden") === "true" || !one.checkVisibility();
  let nodes = 0;
  /** Returns the text of a node and its descendants, without hidden parts and values of fields. */
  const textIn = (node: Node, isTop: boolean): string => {
    nodes += 1;
    if (nodes > maxNodes) return "";
    if (node instanceof Text) return node.data;
    if (!(node instanceof Element)) return "";
    if (!isTop && (isHidden(node) || node.matches(noText))) return "";
    const own = isTop ? "" : getLabel(node) || (node.matches("img, area") ? (node.getAttribute("alt") ?? "") : "");
    if (own !== "") return own;
    const children = node.shadowRoot?.childNodes ?? node.childNodes;
    const text = [...children].map((child) => textIn(child, false)).join("");
    return /^(?:inline|contents)/.test(getComputedStyle(node).display) ? text : ` ${text} `;
  };
  const getLabel = (one: Element): string => oneLine(one.getAttribute("aria-label"));
  const root = element.getRootNode();
  const byIds = (ids: string): string => {
    if (!(root instanceof Document || root instanceof ShadowRoot)) return "";
    return oneLine(
      ids
        .split(/\s+/)
        .map((id) => root.getElementById(id))
        .map((one) => (one ? getLabel(one) || textIn(one, true) : ""))
        .join(" "),
    );
  };
  const joinLabels = (one: Element): string => {
    const labels = "labels" in one && one.labels instanceof NodeList ? [...one.labels] : [];
    return oneLine(labels.map((label) => textIn(label, true)).join(" "));
  };
  const role = findRole(element);
  if (onlyRole !== undefined && role !== onlyRole) return { role, name: "" };
  const namedByContent =
    /^(?:button|cell|checkbox|columnheader|gridcell|heading|link|menuitem|menuitemcheckbox|menuitemradio|option|radio|row|rowheader|switch|tab|tooltip|treeitem)$/;
  const getName = (): string => {
    const byAria = byIds(element.getAttribute("aria-labelledby") ?? "") || getLabel(element);
    if (byAria !== "") return byAria;
    const title = oneLine(element.getAttribute("title"));
    if (element instanceof HTMLInputElement && ["button", "submit", "reset"].includes(element.type)) {
      const preset = element.type === "submit" ? "Submit" : element.type === "reset" ? "Reset" : "";
      return oneLine(element.value) || joinLabels(element) || title || preset;
    }
    if (element.matches("input, select, textarea, meter, progress, output")) {
      const alt = element.matches("input[type=image i]") ? oneLine(element.getAttribute("alt")) : "";
      return alt || joinLabels(element) || title || oneLine(element.getAttribute("placeholder"));
    }
    if (element.matches("img, area")) return oneLine(element.getAttribute("alt")) || title;
    if (element instanceof SVGElement) return oneLine(element.querySelector("title")?.textContent) || title;
    // What somebody writes in is not its name.
    if (element instanceof HTMLElement && element.isContentEditable) return joinLabels(element) || title;
    const isNamed = role === null || namedByContent.test(role);
    return (isNamed ? joinLabels(element) || oneLine(textIn(element, true)) : "") || title;
  };
  return { role, name: getName().slice(0, maxCharacters) };
}
