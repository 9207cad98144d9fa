import type { ThingsQuestion } from "../../task/things-question.ts";
import type { PageThing, StatedTotal } from "./page-ask.ts";

/** Options: the shape of the result, its limit and its order. */
export interface Finish extends Pick<ThingsQuestion, "as"> {
  readonly order?: ThingsQuestion["order"] | undefined;
  readonly bound?: ThingsQuestion["bound"] | undefined;
  /** Plural of the things, for messages. */
  readonly several: string;
  /** Number that the page says there are. */
  readonly total?: StatedTotal | undefined;
  /** True when the page has more than was read. */
  readonly isPart: boolean;
  /** Language of the page, as it declares it: tells what separates thousands where the prices do not. */
  readonly lang?: string | undefined;
}

/** Value and notes of an answer. */
export interface ThingsResult {
  readonly value: unknown;
  readonly notes: readonly string[];
}

/**
 * Orders, limits or counts things. Uses nothing outside of itself, as the exported source of functions contains it, too.
 *
 * @throws {Error} if that can't be told for certain.
 */
export function finishThings(
  things: readonly PageThing[],
  { as, bound, order, several, total, isPart, lang }: Finish,
): ThingsResult {
  const readDigits = (price: string): string =>
    (/\d[\d.,'’\s]*/.exec(price)?.[0] ?? "").replace(/['’\s]/g, "").replace(/[.,]+$/, "");
  /** Matches digits whose one separator may part thousands or decimals: 1.000. */
  const either = /^[1-9]\d{0,2}([.,])\d{3}$/;
  const parseDigits = (digits: string, thousands: string): number => {
    const [, separator] = either.exec(digits) ?? [];
    const isWhole =
      separator === undefined ? /^\d{1,3}([.,])\d{3}(?:\1\d{3})*$/.test(digits) : thousands.includes(separator);
    const at = isWhole ? -1 : Math.max(digits.lastIndexOf("."), digits.lastIndexOf(","));
    const [whole, decimals] = at < 0 ? [digits, ""] : [digits.slice(0, at), digits.slice(at + 1)];
    return Number(`${whole.replace(/\D/g, "")}.${decimals || "0"}`);
  };
  /** Returns the separators of thousands that the other prices use, or else the language of the page; empty if neither tells. */
  const findThousands = (all: readonly string[]): string => {
    const groupMarks = new Set<string>();
    for (const digits of all) {
      const [, group] = /^\d{1,3}([.,])\d{3}(?:\1\d{3}|[.,]\d+$)/.exec(digits) ?? [];
      const [, decimal] = /([.,])\d{1,2}$/.exec(digits) ?? [];
      if (group !== undefined) groupMarks.add(group);
      else if (decimal !== undefined) groupMarks.add(decimal === "." ? "," : ".");
    }
    if (groupMarks.size > 0) return groupMarks.size === 1 ? [...groupMarks].join("") : "";
    try {
      const parts = lang ? new Intl.NumberFormat(lang).formatToParts(1.5) : [];
      const decimal = parts.find(({ type }) => type === "decimal")?.value;
      return decimal === undefined ? "" : decimal === "," ? "." : ",";
    } catch {
      return ""; // no language
    }
  };
  const readPrice = ({ price = "" }: PageThing): { readonly digits: string; readonly currency: string } => {
    const isOne = (price.match(/\d[\d.,'’]*(?:\s\d{3}(?!\d))*/g) ?? []).length === 1;
    if (!isOne)
      throw new Error(
        price === ""
          ? `one of the ${several} has no price`
          : `${JSON.stringify(price)} is no price that others can be compared with`,
      );
    return { digits: readDigits(price), currency: price.replace(/[\d.,'’\s]/g, "") };
  };
  const ordered = [...things];
  if (order) {
    if (isPart)
      throw new Error(
        `there are more ${several} than this page shows: which are ${order === "cheapest" ? "the cheapest" : "the most expensive"} is unknown`,
      );
    const prices = new Map(things.map((thing) => [thing, readPrice(thing)]));
    if (new Set([...prices.values()].map(({ currency }) => currency)).size > 1)
      throw new Error(`the prices of the ${several} are in several currencies or units`);
    const getDigits = (thing: PageThing): string => prices.get(thing)?.digits ?? "";
    const known = findThousands([...prices.values()].map(({ digits }) => digits));
    const isOpen = (separator: string): boolean =>
      separator !== known && things.some((thing) => either.exec(getDigits(thing))?.[1] === separator);
    // What may part thousands or decimals is read in both ways: the order has to be the same.
    const ways = [known, `${known}.`, `${known},`, ".,"].filter((way) =>
      way.split("").every((one) => one === known || isOpen(one)),
    );
    const sortBy = (thousands: string): PageThing[] =>
      things.toSorted((one, other) => {
        const difference = parseDigits(getDigits(one), thousands) - parseDigits(getDigits(other), thousands);
        return order === "cheapest" ? difference : -difference;
      });
    const [first = "", ...others] = ways;
    const getAmount = (thing: PageThing): number => parseDigits(getDigits(thing), first);
    ordered.splice(0, ordered.length, ...sortBy(first));
    if (others.some((way) => sortBy(way).some((thing, at) => thing !== ordered[at]))) {
      const unclear = things.find((thing) => either.test(getDigits(thing)))?.price ?? "";
      throw new Error(`${JSON.stringify(unclear)} may be a thousand or have three decimals: the page does not tell`);
    }
    const [last, next] = bound ? [ordered[bound.count - 1], ordered[bound.count]] : [];
    if (last && next && getAmount(last) === getAmount(next))
      throw new Error(`several ${several} have the same price as the last one of those`);
  }
  const count = things.length;
  if (as === "count") {
    if (total && (total.isRough ? total.total > count : total.total < count))
      throw new Error(`the page says ${JSON.stringify(total.words)}, and shows ${count} ${several}`);
    if (total && !total.isRough) return { value: total.total, notes: [] };
    if (isPart) throw new Error(`${count} ${several} are on this page, and there are more: say "from all pages"`);
    return { value: count, notes: [] };
  }
  if (!bound) return { value: ordered.map(({ value }) => value), notes: [] };
  const isShort = count < bound.count || (bound.from === "last" && !order);
  if (isPart && isShort && !bound.isMost)
    throw new Error(`only ${count} ${several} are on this page, and there are more: say "from all pages"`);
  const notes = count < bound.count && !bound.isMost ? [`There are only ${count} ${several}.`] : [];
  const those = bound.from === "first" ? ordered.slice(0, bound.count) : ordered.slice(-bound.count);
  return { value: those.map(({ value }) => value), notes };
}
