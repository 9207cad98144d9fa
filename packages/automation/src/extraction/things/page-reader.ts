/* oxlint-disable unicorn/consistent-function-scoping -- functions that run in the page can't use anything outside of them */
import type { PageAsk, PageField, PageReading, PageThing } from "./page-ask.ts";
import type { Candidate, PageCandidates } from "./page-candidates.ts";
import type { PageGroup } from "./page-groups.ts";
import type { InPart } from "./page-scope.ts";
import type { InPage } from "./page-view.ts";

/** Reads what is asked for. */
export interface PageReader extends PageCandidates {
  readonly readElements: InPage<typeof readElements>;
  readonly readEmails: InPage<typeof readEmails>;
  readonly readAlone: InPage<typeof readAlone>;
  readonly choose: InPage<typeof choose>;
  readonly findBeside: InPage<typeof findBeside>;
  readonly describeGroups: InPage<typeof describeGroups>;
  readonly readIn: InPage<typeof readIn>;
  readonly readThings: InPage<typeof readThings>;
}

/** Reads elements of a kind: each link once. Runs in the page. */
export function readElements(page: PageReader, selector: string, inPart: InPart): readonly PageThing[] {
  const found = page.select(document.body, selector).filter((element) => inPart(element));
  const things = found.flatMap((element): PageThing[] => {
    const own = element instanceof HTMLInputElement ? element.value : "";
    const text =
      element.localName === "pre" && element instanceof HTMLElement
        ? element.innerText.trim()
        : page.sayingOf(element) || own;
    const url =
      element instanceof HTMLAnchorElement
        ? element.href
        : element instanceof HTMLImageElement
          ? element.src
          : undefined;
    if (url !== undefined && element.localName === "a") {
      const value = { text, url };
      return /^(?:https?|mailto|tel|ftp):/i.test(url) ? [{ id: JSON.stringify(value), value }] : [];
    }
    const isEmpty = text === "" && !element.matches("img, input, table, ul, ol, form, video, iframe, [role]");
    return isEmpty ? [] : [{ id: `${text} ${url ?? ""}`, value: url === undefined ? text : { text, url } }];
  });
  return selector.startsWith("a[") ? [...new Map(things.map((one) => [one.id, one])).values()] : things;
}

/** Reads the e-mail addresses of a part of the page, each once. Runs in the page. */
export function readEmails(page: PageReader, inPart: InPart): readonly PageThing[] {
  const pattern = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;
  const found = new Map<string, PageThing>();
  for (const element of page
    .select(document.body, "*")
    .filter((one) => inPart(one) && !one.matches("script, style, template, noscript"))) {
    const own = [...element.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .map(({ textContent }) => textContent ?? "")
      .join(" ");
    const address = element.matches("a[href^='mailto:']")
      ? decodeURIComponent((element.getAttribute("href") ?? "").slice(7).replace(/\?.*$/, ""))
      : "";
    for (const [email] of `${own} ${address}`.matchAll(pattern))
      if (!found.has(email.toLowerCase())) found.set(email.toLowerCase(), { id: email, value: email });
  }
  return [...found.values()];
}

/** Reads a property that the part of the page has once, and in no group. Runs in the page. */
export function readAlone(
  page: PageReader,
  { fields, as, of, isGeneral }: PageAsk,
  inPart: InPart,
  groups: readonly PageGroup[],
): PageReading | undefined {
  const [field] = fields;
  if (
    !field ||
    fields.length > 1 ||
    as === "records" ||
    field.kind === "name" ||
    field.kind === "text" ||
    (of && !isGeneral)
  )
    return undefined;
  const shown = page.select(document.body, "*").filter((one) => inPart(one));
  const outer = shown.filter(
    (one) => !one.parentElement || !inPart(one.parentElement) || one.parentElement === document.body,
  );
  const item = { elements: outer.filter((one) => !outer.some((other) => other !== one && other.contains(one))) };
  for (const [way, read] of [
    ["property", page.byProperty],
    ["label", page.byLabel],
    ["class", page.byClass],
    ["look", page.byLook],
  ] as const) {
    const values = page
      .narrow(read(item, field), field)
      .filter(
        ({ element }) =>
          !element ||
          !groups.some(({ items }) =>
            items.some(
              ({ elements }) =>
                items.length > 1 && elements.some((one) => one.contains(element)) && element.matches("li"),
            ),
          ),
      );
    const [value, another] = values;
    if (value && another)
      return {
        refused: `several ${field.several} are on the page, in no list: ${values
          .slice(0, 4)
          .map(({ text }) => JSON.stringify(text.slice(0, 40)))
          .join(", ")}`,
        isNone: false,
      };
    if (value)
      return {
        things: [{ id: value.text, value: value.text, ...(field.kind === "price" ? { price: value.text } : {}) }],
        shape: `alone by ${way}`,
        notes: [],
      };
  }
  return undefined;
}

/** Chooses the group that is meant, or all of those alike. Runs in the page. */
export function choose(
  page: PageReader,
  all: readonly Candidate[],
  { isAll, as, of, fields }: PageAsk,
): Candidate | { readonly refused: string } | undefined {
  const best = Math.max(...all.map(({ fit }) => fit));
  const fitting = of || fields.length === 0 ? all.filter(({ fit }) => fit === best) : all;
  const elementsOf = ({ group }: Candidate): readonly Element[] => group.items.flatMap(({ elements }) => elements);
  const valuesOf = ({ things }: Candidate): string => JSON.stringify(things.map(({ value }) => value));
  const holds = (outer: Candidate, inner: Candidate): boolean =>
    outer !== inner &&
    elementsOf(inner).every((one) => elementsOf(outer).some((other) => other !== one && other.contains(one)));
  const covers = (one: Candidate, other: Candidate): boolean =>
    elementsOf(other).every((element) => elementsOf(one).some((outer) => outer.contains(element)));
  const isRepeated = (one: Candidate, index: number): boolean =>
    fitting.some(
      (other, at) =>
        at !== index &&
        ((one.shape.startsWith("text of ") && !other.shape.startsWith("text of ") && holds(other, one)) ||
          (holds(other, one) && (fields.length === 0 || valuesOf(one) === valuesOf(other) || as === "count")) ||
          (valuesOf(one) === valuesOf(other) && covers(other, one) && (at < index || !covers(one, other)))),
    );
  const left = fitting.filter((one, index) => !isRepeated(one, index));
  const inOrder = left.sort((one, other) => {
    const [a] = elementsOf(one);
    const [b] = elementsOf(other);
    return a && b && (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 ? -1 : 1;
  });
  const [first, ...others] = inOrder;
  if (!first || others.length === 0) return first;
  const isAlike = inOrder.every(({ shape }) => shape === first.shape);
  if (isAlike && (isAll || as === "count"))
    return {
      ...first,
      things: inOrder.flatMap(({ things }) => things),
      notes: [...new Set(inOrder.flatMap(({ notes }) => notes))],
    };
  const noun = of?.several ?? fields[0]?.several ?? "things";
  const names = [
    ...new Set(
      inOrder.map(({ group, things }) => `${JSON.stringify(page.nameOfGroup(group).slice(0, 60))} (${things.length})`),
    ),
  ];
  const advice = isAlike ? "name one (under X), or say all" : "name one (under X)";
  const parts = inOrder.every(({ group }) => group.kind === "table") ? "tables" : "parts of the page";
  return {
    refused: `ambiguous: ${inOrder.length} ${parts} have ${noun}: ${names.slice(0, 8).join(", ")}; ${advice}`,
  };
}

/** Finds a value of a property that stands in no group: the price of what a page is about, beside those of what it lists. Runs in the page. */
export function findBeside(
  page: PageReader,
  field: PageField,
  groups: readonly PageGroup[],
  inPart: InPart,
): string | undefined {
  const inGroups = new Set(
    groups.flatMap(({ items, ads = [], around, kind }) =>
      kind === "runs" ? [] : kind === "table" ? [around] : [...items, ...ads].flatMap(({ elements }) => elements),
    ),
  );
  const isInGroup = (element: Element): boolean => {
    let at: Element | null = element.parentElement;
    while (at && !inGroups.has(at)) at = at.parentElement;
    return at !== null;
  };
  const money = /^(?:[€$£¥₹]\s?\d[\d.,]*|\d[\d.,]*\s?[€$£¥₹])$/u;
  const other = /total|shipping|delivery|tax|vat|discount|deposit|fee|summe|versand|livraison|envío/iu;
  const isValue = (element: Element): boolean => {
    const isMarked =
      (element.getAttribute("itemprop") ?? "").split(/\s+/).some((name) => field.marks.includes(name.toLowerCase())) ||
      page.wordsOf(element).some((words) => field.marks.includes(words.at(-1) ?? ""));
    const text = page.textOf(element);
    if (field.kind === "price" && !/\d/.test(text)) return false;
    if (field.kind === "price" && other.test(element.parentElement?.textContent ?? "")) return false;
    return text !== "" && (isMarked || (field.kind === "price" && element.childElementCount === 0 && money.test(text)));
  };
  if (field.kind === "name" || field.kind === "text" || field.kind === undefined) return undefined;
  const all = page.select(document.body, "*").filter((element) => inPart(element) && !isInGroup(element));
  const found = all.find(
    (element) =>
      !inGroups.has(element) &&
      isValue(element) &&
      !groups.some(
        ({ items }) => items.length > 1 && items.some(({ elements }) => elements.some((one) => element.contains(one))),
      ),
  );
  return found && page.textOf(found);
}

/** Says what groups a page has. Runs in the page. */
export function describeGroups(page: PageReader, groups: readonly PageGroup[]): string {
  const seen = groups
    .filter(({ items }) => items.length > 1)
    .slice(0, 200)
    .map((group) => {
      const name = page.nameOfGroup(group).slice(0, 60);
      const columns = (group.headers ?? [])
        .map(([header]) => header)
        .join(", ")
        .slice(0, 120);
      const what =
        group.kind === "table"
          ? `a table${columns === "" ? "" : ` with the columns ${columns}`}`
          : `a group of ${group.items.length}`;
      return name === "" ? what : `${what} under ${JSON.stringify(name)}`;
    });
  const distinct = [...new Set(seen)].slice(0, 5);
  return distinct.length === 0 ? "it shows no tables, lists or other groups" : `it shows ${distinct.join("; ")}`;
}

/** Reads what is asked for in a part of the page. Runs in the page. */
export function readIn(page: PageReader, ask: PageAsk, inPart: InPart): PageReading {
  const { fields, of, as, elements, isBare } = ask;
  const [field] = fields;
  const noun = of ?? field;
  if (elements !== undefined && fields.length === 0) {
    const things = page.readElements(elements, inPart);
    return things.length > 0 || as === "count"
      ? { things, shape: "elements", notes: [] }
      : { refused: `there are no ${noun?.several ?? "such elements"}`, isNone: true };
  }
  if (field?.kind === "email" && as !== "records" && fields.length === 1 && !of) {
    const things = page.readEmails(inPart);
    if (things.length > 0) return { things, shape: "emails", notes: [] };
  }
  const groups = [...page.listTables(inPart), ...page.listGroups(inPart, fields.length === 0 || isBare, ask.like)];
  const verdicts = groups.map((group) => page.judge(group, ask, groups));
  const candidates = verdicts.flatMap((one) => (one && "things" in one && one.things.length > 0 ? [one] : []));
  const isInGroup = (element: Element): boolean =>
    candidates.some(({ group }) => group.items.some((item) => item.elements.some((one) => one.contains(element))));
  const totals = noun ? page.statedTotal(noun, isInGroup) : [];
  const [total, anotherTotal] = totals;
  const chosen = candidates.length > 0 ? page.choose(candidates, ask) : undefined;
  if (chosen && "refused" in chosen) return { refused: chosen.refused, isNone: false };
  if (chosen) {
    const { things, shape, notes } = chosen;
    const beside = field && chosen.fit < 2 && fields.length === 1 ? page.findBeside(field, groups, inPart) : undefined;
    if (beside !== undefined)
      return {
        refused: `ambiguous: ${JSON.stringify(beside.slice(0, 40))} stands beside the ${things.length} ${field?.several} of ${JSON.stringify(page.nameOfGroup(chosen.group).slice(0, 60))}; name the part that is meant: under X`,
        isNone: false,
      };
    if (as === "count" && anotherTotal)
      return {
        refused: `the page says different numbers: ${totals.map(({ words }) => JSON.stringify(words)).join(", ")}`,
        isNone: false,
      };
    return { things, shape, notes, like: chosen.group.shape, ...(total && !anotherTotal ? { total } : {}) };
  }
  if (as === "count" && total && !anotherTotal) return { things: [], shape: "stated", notes: [], total };
  const several = verdicts.flatMap((one) => (one && "several" in one ? [one.several] : []));
  if (several[0] !== undefined) return { refused: several[0], isNone: false };
  const declared = page.readDeclared(ask);
  if (declared) return { things: declared, shape: "declared", notes: [] };
  const wanted = fields.length > 0 ? fields.map(({ several: word }) => word).join(", ") : (of?.several ?? "things");
  const unfit = verdicts.flatMap((one) => (one && "unfit" in one ? [one.unfit] : []));
  if (unfit.length > 0 && of)
    return {
      refused: `nothing says that what the page lists (${[...new Set(unfit)]
        .slice(0, 4)
        .map((one) => JSON.stringify(one))
        .join(", ")}) are ${of.several}: no ${wanted}`,
      isNone: true,
    };
  const alone = page.readAlone(ask, inPart, groups);
  if (alone) return alone;
  if (field && elements !== undefined) {
    const things = page.readElements(elements, inPart);
    if (things.length > 0) return { things, shape: "elements", notes: [] };
  }
  return { refused: `no ${wanted} were found; ${page.describeGroups(groups)}`, isNone: true };
}

/** Reads what is asked for: in the part that the task names, or in the content of the page. Runs in the page. */
export function readThings(page: PageReader, ask: PageAsk): PageReading {
  const { place, elements, fields } = ask;
  if (place) {
    const part = page.findPlace(place);
    return "refused" in part ? { refused: part.refused, isNone: true } : page.readIn(ask, part);
  }
  const mains = page.select(document.body, "main, [role=main]");
  const isContent: InPart = (element) => page.zoneOf(element) === "";
  const [main, another] = mains;
  const anywhere: InPart = () => true;
  const isWhole = elements !== undefined && fields.length === 0 && !/^(?:a\[|img)/.test(elements);
  const isSpread = (elements !== undefined && fields.length === 0) || fields[0]?.kind === "email";
  const parts: readonly InPart[] = isWhole
    ? [anywhere]
    : [
        ...(main && !another ? [(element: Element) => main.contains(element) && isContent(element)] : []),
        isContent,
        (element) => /^(?:aside)?$/.test(page.zoneOf(element)),
        ...(isSpread ? [anywhere] : []),
      ];
  let reading: PageReading = { refused: "the page is empty", isNone: true };
  for (const part of parts) {
    const now = page.readIn(ask, part);
    const isEmpty = "things" in now && now.things.length === 0 && now.total === undefined;
    if (!("refused" in reading) || reading.refused === "the page is empty" || !("refused" in now)) reading = now;
    if (("things" in now && !isEmpty) || ("refused" in now && !now.isNone)) break;
  }
  if (!isSpread || isWhole || "refused" in reading) return reading;
  const all = page.readIn(ask, anywhere);
  const more = "things" in all ? all.things.length - reading.things.length : 0;
  if (ask.isAll) return all;
  return more > 0
    ? {
        ...reading,
        notes: [...reading.notes, `${more} more ${more === 1 ? "is" : "are"} outside of the main content.`],
      }
    : reading;
}
