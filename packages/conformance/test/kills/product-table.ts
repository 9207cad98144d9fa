/** The product, and what is found of it, as Markdown. */
import type { Subject } from "../targets/messages.ts";
import type { ProductFault, Product, Unmade } from "./product.ts";
import { whyUnmade } from "./unmade.ts";
import type { Verdict } from "./verdict.ts";

/** One fault with what is found. */
export interface Trial {
  readonly fault: ProductFault;
  readonly verdict: Verdict;
}

const titles = {
  scrape: "Page scrapes that are valid",
  "scrape-invalid": "Page scrapes that are not valid",
  "scrape-stranger": "Page scrapes without the key",
  cookies: "Reads of cookies",
  "cookies-stranger": "Reads of cookies without the key",
  replay: "Reads of the recording",
  "replay-stranger": "Reads of the recording without the key",
  run: "Runs",
  "run-stranger": "Runs without the key",
  "run-refused": "Runs that can't be",
} as const satisfies Record<Subject, string>;

const isAlways = ({ fault }: Trial): boolean => fault.circumstance.id === "always";
const isExact = ({ verdict }: Trial): boolean => verdict.others.length === 0;

function formatLine(name: string, trials: readonly Trial[]): string {
  const rows = new Set(trials.map(({ fault }) => fault.breaker.requirement)).size;
  const count = trials.filter(({ verdict }) => verdict.by.length > 0).length;
  return `| ${name} | ${rows} | ${trials.length} | ${count} | ${trials.filter(isExact).length} |`;
}

/** The numbers of the product. */
export function productSummary(trials: readonly Trial[]): string[] {
  return [
    "| sentences in circumstances | sentences | servers | found by its requirement | by nothing else |",
    "| --- | --- | --- | --- | --- |",
    ...Object.entries(titles).map(([subject, title]) =>
      formatLine(
        title,
        trials.filter(({ fault }) => fault.breaker.subject === subject),
      ),
    ),
    formatLine("**All sentences**", trials),
  ];
}

const listNames = (trials: readonly Trial[], name: (one: Trial) => string): string =>
  trials.map((one) => `${name(one)} ${one.verdict.request}`).join(", ");

function formatRow(requirement: string, trials: readonly Trial[]): string {
  const ways = listNames(trials.filter(isAlways), ({ fault }) => fault.breaker.id);
  const others = trials.filter((one) => !isAlways(one));
  return `| ${requirement} | ${ways} | ${listNames(others, ({ fault }) => fault.circumstance.id)} |`;
}

function formatPart(subject: string, title: string, trials: readonly Trial[]): string[] {
  const mine = trials.filter(({ fault }) => fault.breaker.subject === subject);
  const rows = Map.groupBy(mine, ({ fault }) => fault.breaker.requirement);
  const head = [`## ${title}`, "", "| requirement | ways, always | circumstances |", "| --- | --- | --- |"];
  return head.concat(
    [...rows].map(([requirement, some]) => formatRow(requirement, some)),
    "",
  );
}

/** The whole product: each sentence with its ways and its circumstances, each with the first request that shows the fault. */
export const productTables = (trials: readonly Trial[]): string[] =>
  Object.entries(titles).flatMap(([subject, title]) => formatPart(subject, title, trials));

/** Lists the circumstances with their meaning. */
export function circumstanceList({ faults }: Product): string[] {
  const used = new Map(faults.map(({ circumstance }) => [circumstance.id, circumstance.when]));
  return [...used].map(([id, when]) => `- ${id}: ${when}`);
}

/** Circumstances that no run is in, by their reasons. */
export function unmadeList(unmade: readonly Unmade[]): string[] {
  const byReason = Map.groupBy(unmade, ({ subject, circumstance }) => whyUnmade(subject, circumstance.id) ?? "");
  return [...byReason].map(([why, some]) => {
    const what = Map.groupBy(some, ({ circumstance }) => circumstance.when);
    const parts = [...what].map(([when, mine]) => `${mine.map(({ subject }) => titles[subject]).join(", ")} ${when}`);
    return `- ${parts.join("; ")}: ${why}`;
  });
}
