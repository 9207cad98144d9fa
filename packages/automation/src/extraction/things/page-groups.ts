import type { InPart, PageParts } from "./page-scope.ts";
import type { InPage } from "./page-view.ts";

/** An item of a group: an element, or the elements of a run, such as a heading and what follows it. */
export interface PageItem {
  readonly elements: readonly Element[];
  /** Cells of a row of a table, by column. */
  readonly cells?: readonly (Element | undefined)[];
}

/** A group: items of the same structure, side by side. */
export interface PageGroup {
  readonly kind: "table" | "list" | "parts" | "runs";
  readonly items: readonly PageItem[];
  /** The element that contains them. */
  readonly around: Element;
  /** Their structure, as a text. */
  readonly shape: string;
  /** Headers of a table, by column: the text, and the meaning of an abbreviation. */
  readonly headers?: readonly (readonly string[])[];
  /** The item of another group that contains this one. */
  readonly within?: Element | undefined;
  /** Items that are marked as ads. */
  readonly ads?: readonly PageItem[];
  /** Notes on omitted items, as sentences. */
  readonly notes: readonly string[];
}

/** Finds groups. */
export interface PageGroups extends PageParts, InPage<typeof groupsFunctions> {}

/**
 * Clusters the children of an element: elements of lists, elements that share a class, or elements with the same parts. Runs in the page.
 */
function clusterChildren(_: object, children: readonly Element[]): { shape: string; members: Element[] }[] {
  const listed = "li, article, details, figure, dl, [role=listitem], [role=article], [itemscope]";
  const clusters: { shape: string; members: Element[] }[] = [];
  const byTag = Map.groupBy(children, (one) => `${one.localName} ${one.getAttribute("role") ?? ""}`.trim());
  for (const [tag, members] of byTag) {
    const [first] = members;
    if (first?.matches(listed)) {
      for (const [type, those] of Map.groupBy(members, (one) => one.getAttribute("itemtype") ?? ""))
        clusters.push({ shape: `${tag} ${type} in ${first.parentElement?.localName}`.trim(), members: those });
      continue;
    }
    const counts = new Map<string, Element[]>();
    for (const member of members)
      for (const name of new Set(member.classList)) counts.set(name, [...(counts.get(name) ?? []), member]);
    const [most] = [...counts]
      .filter(([, those]) => those.length > 1)
      .sort(([, one], [, other]) => other.length - one.length);
    if (most) clusters.push({ shape: `${tag}.${most[0]}`, members: most[1] });
    const others = members.filter((one) => !most?.[1].includes(one) && one.childElementCount > 0);
    const byParts = Map.groupBy(others, (one) => [...one.children].map((child) => child.localName).join(" "));
    for (const [parts, those] of byParts)
      if (those.length > 1) clusters.push({ shape: `${tag} of ${parts}`, members: those });
  }
  return clusters;
}

/** Joins the items of a grid that is laid out in rows, if the rows contain nothing else. Runs in the page. */
function joinRows(page: PageGroups, members: readonly Element[], shape: string, inPart: InPart): readonly Element[] {
  const row = members[0]?.parentElement;
  const grid = row?.parentElement;
  if (!row || !grid || members[0]?.matches("li, article, dl, [role=listitem]")) return members;
  const rows = [...grid.children].filter(
    (one) => one.localName === row.localName && one.className === row.className && page.isDrawn(one) && inPart(one),
  );
  if (rows.length < 2 || row.className === "") return members;
  const name = shape.replace(/^[^.]*\.?/, "");
  const parts = rows.map((one) =>
    [...one.children].filter(
      (child) =>
        child.localName === members[0]?.localName &&
        page.isDrawn(child) &&
        (name === "" || shape.includes(" of ") || child.classList.contains(name)),
    ),
  );
  const isAll = rows.every((one, at) => parts[at]?.map((part) => page.readText(part)).join(" ") === page.readText(one));
  return isAll ? parts.flat() : members;
}

/** Splits children before each one that begins a run; drops those before the first. Runs in the page. */
function splitRuns(_: object, children: readonly Element[], begins: (one: Element) => boolean): Element[][] {
  const runs: Element[][] = [];
  for (const child of children) {
    if (begins(child)) runs.push([child]);
    else runs.at(-1)?.push(child);
  }
  return runs;
}

/** Finds runs: items without an element of their own, such as a heading and what follows it, or terms and definitions. Runs in the page. */
function findRuns(page: PageGroups, children: readonly Element[]): readonly PageItem[] | undefined {
  const [first] = children;
  const heads = children.filter((one) => one.matches("h2, h3, h4, h5, h6"));
  const levels = new Set(heads.map(({ localName }) => localName));
  const term = first?.localName === "dt" ? page.readText(first) : "";
  const repeated =
    term !== "" && children.filter((one) => one.localName === "dt" && page.readText(one) === term).length > 1;
  const begins = (one: Element): boolean =>
    repeated ? one.localName === "dt" && page.readText(one) === term : levels.size === 1 && heads.includes(one);
  const items = page.splitRuns(children, begins);
  return items.length > 1 && items.every(({ length }) => length > 1)
    ? items.map((elements) => ({ elements }))
    : undefined;
}

/**
 * Adds groups of one item: elements of the structure of another group that stand alone, such as the only dish of a section. Runs in the
 * page.
 */
function addSingles(
  page: PageGroups,
  groups: readonly PageGroup[],
  all: readonly Element[],
  like: string | undefined,
): readonly PageGroup[] {
  const allGroups: PageGroup[] = [...groups];
  const membersByShape = new Map<string, Set<Element>>(like === undefined ? [] : [[like, new Set()]]);
  for (const { shape, items } of groups) {
    const members = membersByShape.get(shape) ?? new Set<Element>();
    for (const { elements } of items) for (const one of elements) members.add(one);
    membersByShape.set(shape, members);
  }
  for (const [shape, members] of membersByShape) {
    const [, tag, className] = /^([\w-]+)[^.]*\.(\S+)$/.exec(shape) ?? [];
    const isSingle = (one: Element): boolean => {
      if (members.has(one)) return false;
      if (className !== undefined) return one.localName === tag && one.classList.contains(className);
      const kind = `${one.localName} ${one.getAttribute("role") ?? ""}`.trim();
      const type = one.getAttribute("itemtype") ?? "";
      return shape === `${kind} ${type} in ${one.parentElement?.localName}`.trim();
    };
    for (const one of all.filter(isSingle)) {
      const isInside = [...members].some((other) => other.contains(one));
      if (!isInside && one.parentElement)
        allGroups.push({ kind: "parts", items: [{ elements: [one] }], around: one.parentElement, shape, notes: [] });
    }
  }
  return allGroups;
}

/** Leaves out items that are marked as ads. Runs in the page. */
function dropAds(page: PageGroups, group: PageGroup): PageGroup {
  const mark =
    /^(?:ads?|sponsored|advert(?:isement)?|promoted|anzeige|gesponsert|werbung|publicité|annonce|sponsorisé|patrocinado|anuncio|publicidad|sponsorizzato|annuncio|advertentie|gesponsord|reklama?|sponsorowane|реклама|広告|广告|광고)\W*$/iu;
  const findAdMark = (item: PageItem): string | undefined => {
    const lines = item.elements.flatMap((element) => page.readLines(element));
    const line = lines
      .slice(0, 3)
      .concat(lines.slice(-2))
      .find((one) => mark.test(one));
    if (line !== undefined) return line;
    const small = item.elements.flatMap((element) => [
      ...element.querySelectorAll("span, small, div, em, i, b, strong"),
    ]);
    const label = small.find(
      (one) => one.childElementCount === 0 && mark.test((one.textContent ?? "").trim()) && page.isDrawn(one),
    );
    if (label) return page.readText(label);
    return item.elements
      .flatMap((element) => page.listClassWords(element).flat())
      .find((word) => /^(?:ads?|advert|sponsored|promoted)$/.test(word));
  };
  const marks = group.items.map(findAdMark);
  const ads = marks.flatMap((one) => one ?? []);
  if (ads.length === 0 || ads.length === group.items.length) return group;
  const note = `${ads.length} marked ${JSON.stringify(ads[0])} ${ads.length === 1 ? "was" : "were"} left out.`;
  return {
    ...group,
    ads: group.items.filter((_, at) => marks[at] !== undefined),
    items: group.items.filter((_, at) => marks[at] === undefined),
    notes: [...group.notes, note],
  };
}

/** Lists the groups in a part of the page, without tables; with lists of one item if `withLone` is true. Runs in the page. */
function listGroups(
  page: PageGroups,
  inPart: InPart,
  withLone: boolean,
  like: string | undefined,
): readonly PageGroup[] {
  const left =
    "script, style, template, noscript, head, option, select, table *, [role=row], [role=table] *, [role=grid] *, svg *, br, hr";
  const all = page
    .select(document.body, "*")
    .slice(0, 30_000)
    .filter((one) => !one.matches(left) && inPart(one));
  const hasContent = (one: Element): boolean =>
    page.readText(one) !== "" || one.matches("img, a[aria-label]") || one.querySelector("img") !== null;
  const groups: PageGroup[] = [];
  const joined = new Set<Element>();
  for (const [around, children] of Map.groupBy(all.filter(hasContent), (one) => one.parentElement)) {
    if (around === null) continue;
    for (const { shape, members } of page.clusterChildren(children)) {
      const isLone = withLone && members[0]?.matches("li, article, [role=listitem]");
      if (members.length < (isLone ? 1 : 2) || members.some((one) => joined.has(one))) continue;
      const whole = page.joinRows(members, shape, inPart);
      if (whole !== members) for (const one of whole) joined.add(one);
      const outer = whole === members ? around : (around.parentElement ?? around);
      const kind = around.matches("ul, ol, menu, [role=list]") ? "list" : "parts";
      groups.push({
        kind,
        items: whole.slice(0, 5000).map((one) => ({ elements: [one] })),
        around: outer,
        shape,
        notes: [],
      });
    }
    if (
      around.localName === "dl" &&
      new Set(children.filter((one) => one.localName === "dt").map((one) => page.readText(one))).size > 1
    ) {
      const terms = page.splitRuns(children, (one) => one.localName === "dt");
      groups.push({ kind: "runs", items: terms.map((one) => ({ elements: one })), around, shape: "terms", notes: [] });
    }
    const runs = page.findRuns(children);
    if (runs)
      groups.push({
        kind: "runs",
        items: runs,
        around,
        shape: `runs of ${runs[0]?.elements[0]?.localName}`,
        notes: [],
      });
  }
  const whole = page.addSingles(groups, all, like);
  const outer = new Set(
    whole.flatMap(({ items, kind }) =>
      items.length > 1 && kind !== "runs" ? items.flatMap(({ elements }) => elements) : [],
    ),
  );
  const findOuter = (group: PageGroup): Element | undefined => {
    const own = new Set(group.items.flatMap(({ elements }) => elements));
    let at: Element | null = group.around;
    while (at && (own.has(at) || !outer.has(at))) at = at.parentElement;
    return at ?? undefined;
  };
  return whole.map((group) => page.dropAds({ ...group, within: findOuter(group) }));
}

/** The functions of this module, which run in the page. */
export const groupsFunctions = { clusterChildren, joinRows, splitRuns, findRuns, addSingles, dropAds, listGroups };
