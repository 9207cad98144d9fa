/** A choice among similar elements, of which the next run may need another. */
export interface NamedChoice {
  /** The part of its name that differs from the others. */
  readonly value: string;
  /** Name for the variable: that of its group, or a word for its kind such as `option` or `day`. */
  readonly variable: string;
}

/** Arguments of {@link readChoice}. */
export interface ChoiceQuestion {
  /** Accessible name of the element. */
  readonly name: string;
  /** Values of the task so far: a name that begins with one is a suggestion for it. */
  readonly typed: readonly string[];
}

/**
 * Reads the choice that an element stands for: an option, a day, a suggestion, a row, an item of a tree, or an action of one of several
 * rows ("Remove Kim"). Undefined for an element that is the same in every run: "Save", "Edit", a single checkbox.
 * Runs in the page.
 */
export function readChoice(element: Element, { name, typed }: ChoiceQuestion): NamedChoice | undefined {
  const oneLine = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
  const native: Readonly<Record<string, string>> = { a: "link", button: "button", summary: "button", option: "option" };
  const inputs: Readonly<Record<string, string>> = { radio: "radio", checkbox: "checkbox" };
  const getRole = (one: Element): string =>
    one.getAttribute("role") ??
    (one instanceof HTMLInputElement ? (inputs[one.type] ?? "button") : (native[one.localName] ?? ""));
  const getName = (one: Element): string => {
    const labels = "labels" in one && one.labels instanceof NodeList ? [...one.labels] : [];
    const label = labels.map((each) => oneLine(each.textContent)).join(" ");
    return oneLine(one.getAttribute("aria-label")) || label || oneLine(one.textContent);
  };
  const getText = (id: string): string => oneLine(document.getElementById(id)?.textContent);
  const readGroupName = (one: Element, selector: string): string => {
    const group = selector === "" ? null : one.closest(selector);
    if (!group) return "";
    const by = (group.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean);
    const head = [...group.children].find((child) => child.matches("legend, caption"));
    return oneLine(group.getAttribute("aria-label")) || by.map(getText).join(" ") || oneLine(head?.textContent);
  };
  const isDay = (text: string): boolean => /^(?:[1-9]|[12]\d|3[01])$/.test(text);
  const role = getRole(element);
  const isControl = ["button", "link", "tab", "menuitem", "switch"].includes(role);
  const createChoice = (kind: string, groups: string, value = name): NamedChoice | undefined => {
    if (value === "" || value.length > 80) return undefined;
    const group = readGroupName(element, groups);
    return { value, variable: kind !== "day" && group !== "" && group.length <= 40 ? group : kind };
  };
  if (element.closest("nav, [role=navigation], [role=tablist], [role=menubar], [role=toolbar], thead, th"))
    return undefined;

  // What is one of several by its role.
  const kinds: readonly (readonly [selector: string, kind: string, groups: string])[] = [
    ["[role=option], option", "option", "[role=listbox], select"],
    ["[role=gridcell]", "day", "[role=grid]:not(table)"],
    ["[role=treeitem]", "item", "[role=tree]"],
    ["[role=radio], input[type=radio]", "option", "[role=radiogroup], fieldset"],
    ["[role=menuitemradio]", "option", "[role=menu]"],
  ];
  for (const [selector, kind, groups] of kinds) {
    const holder = element.closest(selector);
    if (!holder) continue;
    const isWhole = holder === element || getName(holder) === name || getName(holder) === getName(element);
    if (isWhole) return createChoice(kind === "day" && !isDay(name) ? "cell" : kind, groups);
  }

  // One of several boxes of a group.
  if (role === "checkbox") {
    const group = element.closest("fieldset, [role=group], ul, ol, table, [role=listbox], [role=list]");
    const boxes = group?.querySelectorAll("input[type=checkbox], [role=checkbox]").length ?? 0;
    if (group && boxes > 1 && !element.closest("tr, [role=row]"))
      return createChoice("choice", "fieldset, [role=group]");
  }

  /** Returns the corresponding elements of the other rows. */
  const listBeside = (row: Element): readonly Element[] => {
    const listAlike = (one: Element): readonly Element[] =>
      [...one.querySelectorAll(element.localName)].filter((other) => getRole(other) === role);
    const at = listAlike(row).indexOf(element);
    const rows = [...(row.parentElement?.children ?? [])].filter(
      (other) =>
        other !== row && other.localName === row.localName && other.getAttribute("role") === row.getAttribute("role"),
    );
    return rows.flatMap((other) => listAlike(other)[at] ?? []);
  };
  /** Returns the words of the name without those that all names begin or end with. */
  const findDifferingPart = (others: readonly string[]): string => {
    const own = name.split(" ");
    const lists = others.map((other) => other.split(" "));
    let start = 0;
    while (start < own.length - 1 && lists.every((list) => list[start] === own[start])) start += 1;
    let end = 0;
    while (end < own.length - 1 - start && lists.every((list) => list.at(-1 - end) === own.at(-1 - end))) end += 1;
    return own.slice(start, own.length - end).join(" ");
  };
  const cell = element.closest("td, [role=cell]");
  const cells = [...(cell?.parentElement?.children ?? [])].filter((other) => other !== cell).map(getName);
  if (cell && isDay(oneLine(cell.textContent)) && cells.some(isDay)) return createChoice("day", "");
  const row = element.closest("tr, [role=row], li, [role=listitem], article");
  if (row && row !== element) {
    const others = listBeside(row).map(getName).filter(Boolean);
    const isCell = cell !== null;
    const hasMore = isCell || getName(row) !== getName(element);
    const differ = others.length > 0 && others.every((other) => other !== name);
    if (differ && (isCell || !isControl || role === "checkbox"))
      return createChoice("row", "table, [role=table]", findDifferingPart(others));
    const part = findDifferingPart(others);
    if (differ && hasMore && part !== name) return createChoice("row", "ul, ol, [role=list]", part);
  }
  if (row === element)
    return createChoice(row.matches("tr, [role=row]") ? "row" : "item", "table, ul, ol, [role=table], [role=list]");

  // A suggestion for what was typed.
  const begun = typed.some(
    (text) =>
      text.length > 1 &&
      name !== text &&
      name.toLocaleLowerCase().startsWith(text.toLocaleLowerCase()) &&
      !/^\s/.test(name.slice(text.length)),
  );
  const submits = element.matches("[type=submit], form button:not([type])");
  if (begun && !submits) return createChoice("suggestion", "[role=listbox]");

  // One of several elements of the same form side by side: things drawn by the page itself, times, seats, sizes that are pressed.
  const siblings = [...(element.parentElement?.children ?? [])].filter(
    (other) => other !== element && other.localName === element.localName && getRole(other) === role,
  );
  if (siblings.length === 0 || submits) return undefined;
  const readShape = (text: string): string =>
    text.replaceAll(/\d+/g, "9").replaceAll(/(?<=9)\p{L}$|^\p{L}(?=9)/gu, "A");
  const isNumbered = /\d/.test(name) && siblings.every((other) => /\d/.test(getName(other)));
  const sameShape =
    isNumbered &&
    siblings.filter((other) => readShape(getName(other)) === readShape(name)).length * 2 >= siblings.length;
  const pressed = ["aria-pressed", "aria-checked", "aria-selected"];
  const isToggled = pressed.some(
    (state) => element.hasAttribute(state) && siblings.some((other) => other.hasAttribute(state)),
  );
  const groups = "fieldset, [role=group], [role=radiogroup], [role=listbox]";
  if (sameShape) return createChoice(isDay(name) && siblings.length > 20 ? "day" : "choice", groups);
  if (isToggled || (!isControl && role !== "checkbox" && role !== "radio")) return createChoice("choice", groups);
  return undefined;
}
