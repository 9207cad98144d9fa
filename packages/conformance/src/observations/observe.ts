import { openRequestObservers } from "../checks/circumstances/open-requests.ts";
import type { Exchange } from "../http/exchange.ts";
import { pageObservers } from "./page-observers.ts";
import type { Redact } from "../redaction/redact.ts";
import type { Observation } from "../report/report.ts";
import type { Unspecified } from "../contract/requirements.ts";
import type { Target } from "../target/target.ts";
import { answerObservers, httpObservers } from "./http-observers.ts";
import { cookieObservers } from "./cookie-observers.ts";
import type { Observer } from "../checks/observer.ts";
import { optionObservers } from "./option-observers.ts";
import { replayObservers } from "./replay-observers.ts";
import { scrapeObservers } from "./scrape-observers.ts";
import { streamObservers } from "./stream-observers.ts";

/** All observers; several may be about the same row. */
const observers: readonly Observer[] = [
  ...httpObservers,
  ...answerObservers,
  ...scrapeObservers,
  ...optionObservers,
  ...cookieObservers,
  ...replayObservers,
  ...streamObservers,
  ...pageObservers,
  ...openRequestObservers,
];

/** Ids of the rows that a run can record something about, each once. */
export const observedRows: readonly string[] = [...new Set(observers.map(({ id }) => id))];

/** Maximum number of different values in a report for one row. */
const valueLimit = 20;
/** Longest value that a report lists, in UTF-16 units. */
const lengthLimit = 200;

/** Returns as many values as a report lists, none longer than it shows, and says what was left out. */
function shorten(values: readonly string[]): string[] {
  const texts = values
    .slice(0, valueLimit)
    .map((value) =>
      value.length > lengthLimit ? `${value.slice(0, lengthLimit)}… (${value.length} characters)` : value,
    );
  const more = values.length - valueLimit;
  return more > 0 ? [...texts, `and ${more} more`] : texts;
}

/** Collects the observations of a run; of a mock only those that a mock can show: the rest would describe our own examples. */
export function observe(
  exchanges: readonly Exchange[],
  rows: readonly Unspecified[],
  kind: Target["kind"],
  redact: Redact,
): Observation[] {
  return rows.flatMap((row) => {
    const { id } = row;
    if (kind !== "live" && row.observable !== "mock") return [];
    const observed = observers.flatMap((observer) => (observer.id === id ? observer.see(exchanges) : []));
    if (observed.length === 0) return [];
    const values = new Set(observed.map(({ exchange, value }) => redact(value, exchange.operation)));
    return [
      {
        id,
        text: row.text,
        operation: row.operation,
        values: shorten([...values]),
        exchanges: [...new Set(observed.map(({ exchange }) => exchange.id))],
      },
    ];
  });
}
