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
  { as, bound, order, several, total, isPart }: Finish,
): ThingsResult {
  const parseAmount = ({ price = "" }: PageThing): { amount: number; currency: string } => {
    const digits = /\d[\d.,'’\s]*/.exec(price)?.[0].trim() ?? "";
    const isOne = (price.match(/\d[\d.,'’]*(?:\s\d{3}(?!\d))*/g) ?? []).length === 1;
    if (!isOne)
      throw new Error(
        price === ""
          ? `one of the ${several} has no price`
          : `${JSON.stringify(price)} is no price that others can be compared with`,
      );
    const decimal = /^\d{1,3}(?:[.,'’\s]\d{3})+$/.test(digits) ? "" : (/[.,](?=\d{1,2}$)/.exec(digits)?.[0] ?? "");
    const at = decimal === "" ? digits.length : digits.lastIndexOf(decimal);
    const amount = Number(
      `${digits.slice(0, at).replace(/\D/g, "")}.${digits.slice(at + 1).replace(/\D/g, "") || "0"}`,
    );
    return { amount, currency: price.replace(/[\d.,'’\s]/g, "") };
  };
  const ordered = [...things];
  if (order) {
    if (isPart)
      throw new Error(
        `there are more ${several} than this page shows: which are ${order === "cheapest" ? "the cheapest" : "the most expensive"} is unknown`,
      );
    const amounts = new Map(things.map((thing) => [thing, parseAmount(thing)]));
    if (new Set([...amounts.values()].map(({ currency }) => currency)).size > 1)
      throw new Error(`the prices of the ${several} are in several currencies or units`);
    const getAmount = (thing: PageThing): number => amounts.get(thing)?.amount ?? 0;
    ordered.sort((one, other) =>
      order === "cheapest" ? getAmount(one) - getAmount(other) : getAmount(other) - getAmount(one),
    );
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
