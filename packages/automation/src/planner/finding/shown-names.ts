/** A pattern, as it is passed to a page. */
export interface PagePattern {
  /** Its source. */
  readonly source: string;
  /** Its flags. */
  readonly flags: string;
}

/**
 * Finds the elements that show a name, ignoring icons, badges and hints beside it. The name of a card is its heading, or its first line if
 * that stands out; the name of a field is its label. Runs in the page.
 *
 * @returns Indexes of the elements.
 */
export function findShowing(elements: readonly Element[], { source, flags }: PagePattern): number[] {
  const pattern = new RegExp(source, flags);
  const badgeWords =
    /^(?:\+?\d[\d.,]*\+?[km]?|new|beta|neu|nouveau|nuevo|nuovo|novo|nieuw|ny|nowe|новое|新着?|새로운)$/iu;
  const badgeClass = /badge|count|pill|chip|bubble|notif|tag\b/i;
  const iconClass =
    /(?:^|[\s_-])icons?(?:$|[\s_-])|material-(?:icons|symbols)|glyphicon|(?:^|\s)fa[srlbd]?(?:$|[\s-])/i;
  const hintClass = /hint|help|desc|muted|subtitle|secondary|note\b|meta\b/i;
  const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
  const readClass = (element: Element): string => element.getAttribute("class") ?? "";

  const isBadge = (part: Element, within: Element): boolean => {
    const text = oneLine(part.textContent ?? "");
    if (!badgeWords.test(text)) return false;
    if (badgeClass.test(readClass(part)) || part.localName === "sup") return true;
    const { backgroundColor, borderTopLeftRadius } = getComputedStyle(part);
    const isFilled =
      !/transparent|^rgba\(.*, 0\)$/.test(backgroundColor) &&
      backgroundColor !== getComputedStyle(within).backgroundColor;
    return isFilled && Number.parseFloat(borderTopLeftRadius) > 0;
  };
  const isAside = (part: Element, within: Element): boolean =>
    part.matches(
      "svg, kbd, [aria-hidden=true], .sr-only, .visually-hidden, script, style, template, input, select, textarea, button",
    ) ||
    (part.matches("i, span, em, b") && iconClass.test(readClass(part))) ||
    isBadge(part, within);

  interface Run {
    readonly text: string;
    readonly size: number;
    readonly weight: number;
    readonly top: number;
    readonly bottom: number;
    readonly isHint: boolean;
    readonly isSmall: boolean;
  }
  const listRuns = (element: Element): Run[] => {
    const runs: Run[] = [];
    const walk = (node: Node, isHint: boolean, isSmall: boolean): void => {
      for (const child of node.childNodes) {
        if (child instanceof Element) {
          if (isAside(child, element) || child.getClientRects().length === 0) continue;
          walk(child, isHint || hintClass.test(readClass(child)), isSmall || child.localName === "small");
        } else if (child instanceof Text && oneLine(child.data) !== "" && child.parentElement) {
          const range = document.createRange();
          range.selectNodeContents(child);
          const { top, bottom } = range.getBoundingClientRect();
          const { fontSize, fontWeight } = getComputedStyle(child.parentElement);
          const style = { size: Number.parseFloat(fontSize), weight: Number(fontWeight) || 400 };
          runs.push({ text: child.data, ...style, top, bottom, isHint, isSmall });
        }
      }
    };
    walk(element, false, false);
    return runs;
  };
  /** Returns the first words, if everything after them is set apart: in smaller or thinner type on lines of its own, or as a hint. */
  const findLead = (runs: readonly Run[]): string | undefined => {
    const [first] = runs;
    if (first === undefined) return undefined;
    const isLead = (run: Run): boolean =>
      run.size === first.size && run.weight === first.weight && !run.isHint && !run.isSmall;
    const end = runs.findIndex((run) => !isLead(run));
    if (end < 1) return undefined;
    const lead = runs.slice(0, end);
    const bottom = Math.max(...lead.map((run) => run.bottom));
    const isBesides = (run: Run): boolean =>
      run.isHint ||
      (run.isSmall && /^\s*[\p{Lu}\d(\p{Sc}+]/u.test(run.text)) ||
      (run.top >= bottom - 2 && (run.size < first.size || run.weight < first.weight));
    return runs.slice(end).every(isBesides) ? lead.map(({ text }) => text).join(" ") : undefined;
  };
  const listNames = (element: Element): string[] => {
    const runs = listRuns(element);
    const headings = [...element.querySelectorAll("h1, h2, h3, h4, h5, h6, [role=heading]")];
    const [heading] = headings.length === 1 ? headings : [];
    return [
      runs.map(({ text }) => text).join(" "),
      findLead(runs),
      heading &&
        listRuns(heading)
          .map(({ text }) => text)
          .join(" "),
    ]
      .filter((name) => name !== undefined)
      .map(oneLine)
      .filter((name) => name !== "" && name.length <= 500);
  };
  const listNamingElements = (element: Element): Element[] => {
    const ids = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean);
    const root = element.getRootNode();
    return root instanceof Document || root instanceof ShadowRoot
      ? ids.flatMap((id) => root.getElementById(id) ?? [])
      : [];
  };
  const listLabels = (element: Element): Element[] => {
    const own = "labels" in element && element.labels instanceof NodeList ? [...element.labels] : [];
    return [...own, ...listNamingElements(element)].filter((label): label is Element => label instanceof Element);
  };
  /** Returns the joined text of the elements of `aria-labelledby`. */
  const joinNames = (element: Element): string =>
    oneLine(
      listNamingElements(element)
        .map((label) => label.textContent ?? "")
        .join(" "),
    );
  const isField = (element: Element): boolean => element.matches("input, select, textarea");
  return elements.flatMap((element, index) => {
    const labels = isField(element) ? listLabels(element) : [element];
    return pattern.test(joinNames(element)) || labels.some((part) => listNames(part).some((name) => pattern.test(name)))
      ? [index]
      : [];
  });
}
