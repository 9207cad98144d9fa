import type { PageAsk, PageReading } from "./page-ask.ts";
import type { Candidate } from "./page-candidates.ts";
import type { PageGroup } from "./page-groups.ts";
import type { PageLoose } from "./page-loose.ts";
import type { InPart } from "./page-scope.ts";
import type { InPage } from "./page-view.ts";

/** Answers a question. */
export interface ThingsReader extends PageLoose, InPage<typeof readerFunctions> {}

/** Chooses the group that answers the question, or joins all groups of its structure. Runs in the page. */
function choose(
  page: ThingsReader,
  all: readonly Candidate[],
  { isAll, as, of, fields }: PageAsk,
): Candidate | { readonly refused: string } | undefined {
  const best = Math.max(...all.map(({ fit }) => fit));
  const fitting = of || fields.length === 0 ? all.filter(({ fit }) => fit === best) : all;
  const listElements = ({ group }: Candidate): readonly Element[] => group.items.flatMap(({ elements }) => elements);
  const writeValues = ({ things }: Candidate): string => JSON.stringify(things.map(({ value }) => value));
  const holds = (outer: Candidate, inner: Candidate): boolean =>
    outer !== inner &&
    listElements(inner).every((one) => listElements(outer).some((other) => other !== one && other.contains(one)));
  const covers = (one: Candidate, other: Candidate): boolean =>
    listElements(other).every((element) => listElements(one).some((outer) => outer.contains(element)));
  const isRepeated = (one: Candidate, index: number): boolean =>
    fitting.some(
      (other, at) =>
        at !== index &&
        ((one.shape.startsWith("text of ") && !other.shape.startsWith("text of ") && holds(other, one)) ||
          (holds(other, one) && (fields.length === 0 || writeValues(one) === writeValues(other) || as === "count")) ||
          (writeValues(one) === writeValues(other) && covers(other, one) && (at < index || !covers(one, other)))),
    );
  const left = fitting.filter((one, index) => !isRepeated(one, index));
  const inOrder = left.sort((one, other) => {
    const [a] = listElements(one);
    const [b] = listElements(other);
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
      inOrder.map(
        ({ group, things }) => `${JSON.stringify(page.readGroupName(group).slice(0, 60))} (${things.length})`,
      ),
    ),
  ];
  const advice = isAlike ? "name one (under X), or say all" : "name one (under X)";
  const parts = inOrder.every(({ group }) => group.kind === "table") ? "tables" : "parts of the page";
  return {
    refused: `ambiguous: ${inOrder.length} ${parts} have ${noun}: ${names.slice(0, 8).join(", ")}; ${advice}`,
  };
}

/** Describes the groups of a page, for a refusal. Runs in the page. */
function describeGroups(page: ThingsReader, groups: readonly PageGroup[]): string {
  const descriptions = groups
    .filter(({ items }) => items.length > 1)
    .slice(0, 200)
    .map((group) => {
      const name = page.readGroupName(group).slice(0, 60);
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
  const distinct = [...new Set(descriptions)].slice(0, 5);
  return distinct.length === 0 ? "it shows no tables, lists or other groups" : `it shows ${distinct.join("; ")}`;
}

/** Answers a question from a part of the page. Runs in the page. */
function readIn(page: ThingsReader, ask: PageAsk, inPart: InPart): PageReading {
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
  const verdicts = groups.map((group) => page.judgeGroup(group, ask, groups));
  const candidates = verdicts.flatMap((one) => (one && "things" in one && one.things.length > 0 ? [one] : []));
  const isInGroup = (element: Element): boolean =>
    candidates.some(({ group }) => group.items.some((item) => item.elements.some((one) => one.contains(element))));
  const totals = noun ? page.findStatedTotals(noun, isInGroup) : [];
  const [total, anotherTotal] = totals;
  const choice = candidates.length > 0 ? page.choose(candidates, ask) : undefined;
  if (choice && "refused" in choice) return { refused: choice.refused, isNone: false };
  if (choice) {
    const { things, shape, notes } = choice;
    const beside = field && choice.fit < 2 && fields.length === 1 ? page.findBeside(field, groups, inPart) : undefined;
    if (beside !== undefined)
      return {
        refused: `ambiguous: ${JSON.stringify(beside.slice(0, 40))} stands beside the ${things.length} ${field?.several} of ${JSON.stringify(page.readGroupName(choice.group).slice(0, 60))}; name the part that is meant: under X`,
        isNone: false,
      };
    if (as === "count" && anotherTotal)
      return {
        refused: `the page says different numbers: ${totals.map(({ words }) => JSON.stringify(words)).join(", ")}`,
        isNone: false,
      };
    return { things, shape, notes, like: choice.group.shape, ...(total && !anotherTotal ? { total } : {}) };
  }
  if (as === "count" && total && !anotherTotal) return { things: [], shape: "stated", notes: [], total };
  const several = verdicts.flatMap((one) => (one && "several" in one ? [one.several] : []));
  if (several[0] !== undefined) return { refused: several[0], isNone: false };
  const declared = page.readDeclaredThings(ask);
  if (declared) return { things: declared, shape: "declared", notes: [] };
  const requested = fields.length > 0 ? fields.map(({ several: word }) => word).join(", ") : (of?.several ?? "things");
  const unfit = verdicts.flatMap((one) => (one && "unfit" in one ? [one.unfit] : []));
  if (unfit.length > 0 && of)
    return {
      refused: `nothing says that what the page lists (${[...new Set(unfit)]
        .slice(0, 4)
        .map((one) => JSON.stringify(one))
        .join(", ")}) are ${of.several}: no ${requested}`,
      isNone: true,
    };
  const alone = page.readAlone(ask, inPart, groups);
  if (alone) return alone;
  if (field && elements !== undefined) {
    const things = page.readElements(elements, inPart);
    if (things.length > 0) return { things, shape: "elements", notes: [] };
  }
  return { refused: `no ${requested} were found; ${page.describeGroups(groups)}`, isNone: true };
}

/** Answers a question: from the part that the task names, or else from the content of the page. Runs in the page. */
function readThings(page: ThingsReader, ask: PageAsk): PageReading {
  const { place, elements, fields } = ask;
  if (place) {
    const part = page.findPlace(place);
    return "refused" in part ? { refused: part.refused, isNone: true } : page.readIn(ask, part);
  }
  const mains = page.select(document.body, "main, [role=main]");
  const isContent: InPart = (element) => page.findZone(element) === "";
  const [main, another] = mains;
  const anywhere: InPart = () => true;
  const isWhole = elements !== undefined && fields.length === 0 && !/^(?:a\[|img)/.test(elements);
  const isSpread = (elements !== undefined && fields.length === 0) || fields[0]?.kind === "email";
  const parts: readonly InPart[] = isWhole
    ? [anywhere]
    : [
        ...(main && !another ? [(element: Element) => main.contains(element) && isContent(element)] : []),
        isContent,
        (element) => /^(?:aside)?$/.test(page.findZone(element)),
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

/** The functions of this module, which run in the page. */
export const readerFunctions = { choose, describeGroups, readIn, readThings };
