/* oxlint-disable unicorn/consistent-function-scoping -- functions that run in the page can't use anything outside of them */
import type { ActFrame, ActKey, ActObstacle, ActPlace, ActScope } from "./act-place.ts";
import type { ActTarget } from "./act.ts";

/**
 * Finds what tells an element from all others of its frame. Runs in the page, in a world of its own: it uses nothing outside of itself. In
 * doubt it tells nothing: an element that is not found again costs less than one that is taken for another.
 *
 * @param describe - Describes an element; without its name when its role is another one than that which is looked for.
 * @param host - What the event came to: the element, or one in it.
 */
export function findActPlace(
  element: Element,
  { role, name }: ActTarget,
  describe: (element: Element, role?: string) => ActTarget,
  host: Element = element,
): ActPlace {
  const most = { elements: 20_000, keys: 4, characters: 100, scopes: 8, textElements: 4_000 } as const;
  const oneLine = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
  const isHiddenInput = element.matches("input[type=file]");
  const isShown = (one: Element): boolean => {
    const { width, height } = one.getBoundingClientRect();
    return width > 0 && height > 0 && one.checkVisibility({ visibilityProperty: true });
  };
  const fits = (value: string): boolean => value !== "" && value.length < most.characters;
  const stop = (obstacle: ActObstacle): ActPlace => ({ keys: [], obstacle });

  const all: Element[] = [];
  const collect = (document: Document): boolean => {
    all.length = 0;
    const roots: (Document | ShadowRoot)[] = [document];
    for (const root of roots) {
      for (const one of root.querySelectorAll("*")) {
        if (all.push(one) > most.elements) return false;
        if (one.shadowRoot) roots.push(one.shadowRoot);
      }
    }
    return true;
  };
  const findFrame = (frame: Element): ActFrame | undefined => {
    if (!collect(frame.ownerDocument)) return undefined;
    const others = all.filter((one) => one !== frame && one.localName === frame.localName);
    if (others.length === 0) return { by: "only", value: frame.localName };
    for (const by of ["title", "aria-label", "name", "id"] as const) {
      const value = frame.getAttribute(by) ?? "";
      if (fits(value) && others.every((one) => one.getAttribute(by) !== value)) return { by, value };
    }
    return undefined;
  };
  const frames: ActFrame[] = [];
  for (let view = element.ownerDocument.defaultView; view && view !== view.top;) {
    const { frameElement } = view;
    if (!frameElement) return stop("cross-origin-frame");
    const found = findFrame(frameElement);
    if (!found) return stop("ambiguous-frame");
    frames.unshift(found);
    view = frameElement.ownerDocument.defaultView;
  }

  if (host.matches("canvas, embed, object, video, audio, area, img[ismap], map")) return stop("canvas");
  const hasContent = (one: Element): boolean =>
    [...one.childNodes].some((node) => {
      if (node instanceof Element) return isShown(node);
      const range = document.createRange();
      range.selectNode(node);
      return range.getClientRects().length > 0;
    });
  const isCustom = element.localName.includes("-");
  const mayBeRoot = isCustom || (role === null && /^(?:div|span|section|article|p|main|nav)$/.test(element.localName));
  if (element === host && mayBeRoot && !element.shadowRoot && isShown(element) && !hasContent(element))
    return stop("closed-shadow-root");
  if (!collect(element.ownerDocument)) return stop("large-page");

  const keys: ActKey[] = [];
  const isOther = (one: Element): boolean => one !== element && (isHiddenInput || isShown(one));
  const isAlone = (has: (one: Element) => boolean): boolean => !all.some((one) => has(one) && isOther(one));
  const roots = (one: Element): Element | null => {
    if (one.parentElement) return one.parentElement;
    const root = one.getRootNode();
    return root instanceof ShadowRoot ? root.host : null;
  };
  const around = (one: Element): Element[] => {
    const ancestors: Element[] = [];
    for (let up = roots(one); up; up = roots(up)) ancestors.push(up);
    return ancestors;
  };
  /** Others of its role and name: those whose text can't have the name are not looked at. */
  const [firstWord = ""] = name.split(" ");
  const mayBeNamed = (one: Element): boolean =>
    name === "" ||
    (one.textContent ?? "").includes(firstWord) ||
    one.matches("input, select, textarea, [aria-label], [aria-labelledby], [title], [alt]") ||
    one.querySelector("[aria-label], [alt], svg title, slot") !== null ||
    one.shadowRoot !== null;
  const findSame = (sameRole: string): Element[] =>
    all.filter((one) => {
      if (!isOther(one) || !mayBeNamed(one)) return false;
      const { role: its, name: itsName } = describe(one, sameRole);
      return its === sameRole && (name === "" || itsName === name);
    });
  /** Elements whose text is typed by a user, or not shown: it is not reported. */
  const written = "textarea, select, script, style, noscript, [contenteditable]:not([contenteditable=false])";
  const listTexts = (one: Element): Set<string> =>
    new Set(
      [one, ...one.querySelectorAll("*")]
        .filter((part) => part.childElementCount === 0 && part.closest(written) === null)
        .map((part) => oneLine(part.textContent)),
    );
  /** Texts that are no number of anything, and no secret. */
  const mayBeTold = (text: string): boolean => fits(text) && text.length <= 60 && !/\d{6}|\S{24}/.test(text);
  const findScope = (same: readonly Element[]): ActScope | undefined => {
    const scoped =
      /^(?:form|search|dialog|alertdialog|group|radiogroup|region|article|navigation|tabpanel|menu|toolbar|list|table)$/;
    for (const scope of around(element).slice(0, 30)) {
      const described = describe(scope);
      if (described.role === "row" || described.role === "listitem") {
        const others = same.flatMap((one) =>
          around(one).filter((up) => describe(up, described.role ?? "").role === described.role),
        );
        const theirs = others.map(listTexts);
        const own = [...listTexts(scope)].filter((text) => mayBeTold(text) && text !== name);
        const text = others.includes(scope) ? undefined : own.find((one) => theirs.every((texts) => !texts.has(one)));
        if (text !== undefined) return { role: described.role, text };
      }
      if (described.role !== null && scoped.test(described.role) && fits(described.name)) {
        const isIn = (one: Element): boolean =>
          around(one).some((up) => {
            const its = describe(up, described.role ?? "");
            return its.role === described.role && its.name === described.name;
          });
        if (!same.some(isIn)) return { role: described.role, name: described.name };
      }
      if (scope.localName === "form") {
        const named = [...scope.querySelectorAll("input:not([type=hidden]), select, textarea")];
        const fields = named
          .map((field) => field.getAttribute("name") ?? "")
          .filter((field) => fits(field) && !/\d{3}/.test(field));
        const forms = same.map((one) => one.closest("form"));
        const isTheirs = (field: string): boolean =>
          forms.some((form) => form?.querySelector(`[name="${CSS.escape(field)}"]`) !== null && form !== null);
        const field = forms.some((form) => form === scope) ? undefined : fields.find((one) => !isTheirs(one));
        if (field !== undefined) return { field };
      }
    }
    return undefined;
  };

  if (role !== null && /^[a-z]+$/.test(role) && fits(name) && (!isHiddenInput || isShown(element))) {
    const same = findSame(role);
    const within = same.length > 0 && same.length < 500 ? findScope(same) : undefined;
    if (same.length === 0) keys.push({ by: "role", value: name });
    else if (within) keys.push({ by: "role", value: name, within });
  }
  const findLabel = (one: Element): string => {
    const [label] = "labels" in one && one.labels instanceof NodeList ? one.labels : [];
    return label && !(label instanceof Element && label.querySelector(`button, ${written}`) !== null)
      ? oneLine(label.textContent)
      : "";
  };
  const label = findLabel(element);
  if (fits(label) && isAlone((one) => findLabel(one) === label || one.getAttribute("aria-label") === label))
    keys.push({ by: "label", value: label });
  const attributes = [
    ["testid", "data-testid"],
    ["placeholder", "placeholder"],
    ["alt", "alt"],
    ["name", "name"],
    ["title", "title"],
    ["id", "id"],
  ] as const;
  for (const [by, attribute] of attributes) {
    const value = element.getAttribute(attribute) ?? "";
    const isCode = by === "id" || by === "name";
    // What a program has counted or hashed is another one next time.
    if (!fits(value) || (isCode && /\d{3}|[:.]|[\da-f]{8}/i.test(value)) || (by === "id" && value.length < 3)) continue;
    if (by === "name" && !element.matches("input, select, textarea, button")) continue;
    const isOne = (one: Element): boolean =>
      one.getAttribute(attribute) === value && (by !== "name" || one.localName === element.localName);
    if (isAlone(isOne)) keys.push({ by, value });
  }
  if (
    keys.length === 0 &&
    role === null &&
    fits(name) &&
    element.getRootNode() instanceof Document &&
    all.length <= most.textElements
  ) {
    const isText = (one: Element): boolean => oneLine(one.textContent) === name;
    const innermost = all.filter((one) => isShown(one) && isText(one) && ![...one.children].some(isText));
    const [only] = innermost;
    if (innermost.length === 1 && only && (element.contains(only) || only.contains(element)))
      keys.push({ by: "text", value: name });
  }
  if (isHiddenInput && isAlone((one) => one.matches("input[type=file]"))) keys.push({ by: "file-input", value: "" });
  if (keys.length === 0 && role !== null && /^[a-z]+$/.test(role) && name === "" && findSame(role).length === 0)
    keys.push({ by: "role", value: "" });
  if (keys.length === 0) return stop(name === "" ? "unnamed" : "ambiguous");
  return { ...(frames.length > 0 && { frames }), keys: keys.slice(0, most.keys) };
}
