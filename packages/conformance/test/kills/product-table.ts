/** The product, and what is found of it, as Markdown. */
import type { Subject } from "./breaker.ts";
import type { Fault, Product, Unmade } from "./product.ts";
import { whyUnmade } from "./unmade.ts";
import type { Verdict } from "./verdict.ts";

/** One fault with what is found. */
export interface Tried {
  readonly fault: Fault;
  readonly verdict: Verdict;
}

const titles: Readonly<Record<Subject, string>> = {
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
};

const subjects = [
  "scrape",
  "scrape-invalid",
  "scrape-stranger",
  "cookies",
  "cookies-stranger",
  "replay",
  "replay-stranger",
  "run",
  "run-stranger",
  "run-refused",
] as const satisfies readonly Subject[];

const isAlways = ({ fault }: Tried): boolean => fault.circumstance.id === "always";
const isExact = ({ verdict }: Tried): boolean => verdict.others.length === 0;

function formatLine(name: string, tried: readonly Tried[]): string {
  const rows = new Set(tried.map(({ fault }) => fault.breaker.requirement)).size;
  const found = tried.filter(({ verdict }) => verdict.by.length > 0).length;
  return `| ${name} | ${rows} | ${tried.length} | ${found} | ${tried.filter(isExact).length} |`;
}

/** The numbers of the product. */
export function productSummary(tried: readonly Tried[]): string[] {
  return [
    "| sentences in circumstances | sentences | servers | found by its requirement | by nothing else |",
    "| --- | --- | --- | --- | --- |",
    ...subjects.map((subject) =>
      formatLine(
        titles[subject],
        tried.filter(({ fault }) => fault.breaker.subject === subject),
      ),
    ),
    formatLine("**All sentences**", tried),
  ];
}

const listed = (tried: readonly Tried[], name: (one: Tried) => string): string =>
  tried.map((one) => `${name(one)} ${one.verdict.request}`).join(", ");

function formatRow(requirement: string, tried: readonly Tried[]): string {
  const ways = listed(tried.filter(isAlways), ({ fault }) => fault.breaker.id);
  const others = tried.filter((one) => !isAlways(one));
  return `| ${requirement} | ${ways} | ${listed(others, ({ fault }) => fault.circumstance.id)} |`;
}

function formatPart(subject: Subject, tried: readonly Tried[]): string[] {
  const mine = tried.filter(({ fault }) => fault.breaker.subject === subject);
  const rows = Map.groupBy(mine, ({ fault }) => fault.breaker.requirement);
  const head = [`## ${titles[subject]}`, "", "| requirement | ways, always | circumstances |", "| --- | --- | --- |"];
  return head.concat(
    [...rows].map(([requirement, some]) => formatRow(requirement, some)),
    "",
  );
}

/** The whole product: each sentence with its ways and its circumstances, each with the first request that shows the fault. */
export const productTables = (tried: readonly Tried[]): string[] =>
  subjects.flatMap((subject) => formatPart(subject, tried));

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
