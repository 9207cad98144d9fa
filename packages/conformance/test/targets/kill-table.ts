/** The kill table: every faulty target, and what of the suite finds it. */
import { readFileSync } from "node:fs";
import type { Product } from "../kills/product.ts";
import { circumstanceList, productSummary, productTables, unmadeList, type Tried } from "../kills/product-table.ts";
import { correctTargets, type Acquittal, type Kill } from "./proofs.ts";

/** Tells whether a fault was found, by whatever requirement. */
export const isFound = ({ by, others }: Kill): boolean => by.length + others.length > 0;

/** Tells whether it was found, and only its own requirement was named. */
export const isExact = ({ by, others }: Kill): boolean => by.length > 0 && others.length === 0;

const cell = (text: string): string => text.replaceAll("|", "\\|");

function rowOf({ id, when, why, requirement, sentence, by, others, request }: Kill): string {
  const target = when === undefined ? id : `${id}: ${when}`;
  const checks = [...by, ...(others.length > 0 ? [`names ${others.join(", ")}`] : [])].join(", ");
  return `| ${[target, sentence, requirement, why ?? checks, request === 0 ? "" : String(request)].map(cell).join(" | ")} |`;
}

const head = ["| target | sentence | requirement | found by | at request |", "| --- | --- | --- | --- | --- |"];

function lineOf(name: string, mine: readonly Kill[]): string {
  return `| ${name} | ${mine.length} | ${mine.filter(isFound).length} | ${mine.filter(isExact).length} |`;
}

/** The number of targets by group. */
function summaryOf(kills: readonly Kill[]): string[] {
  const groups = [...new Set(kills.map(({ group }) => group))];
  const promised = kills.filter(({ why }) => why === undefined);
  return [
    "| servers that break one sentence | servers | found | by exactly its requirement |",
    "| --- | --- | --- | --- |",
    ...groups.map((group) =>
      lineOf(
        group,
        kills.filter((kill) => kill.group === group),
      ),
    ),
    lineOf("**Together, without those beyond**", promised),
  ];
}

/** Everything that the table tells. */
export interface Proven {
  readonly kills: readonly Kill[];
  readonly acquittals: readonly Acquittal[];
  readonly product: Product;
  readonly tried: readonly Tried[];
  readonly checkCount: number;
}

/** The table as Markdown. */
export function killTable({ kills, acquittals, product, tried, checkCount }: Proven): string {
  const most = Math.max(...kills.map(({ requests }) => requests), ...tried.map(({ verdict }) => verdict.requests));
  const groups = [...new Set(kills.map(({ group }) => group))];
  const checks = new Set([...kills, ...tried.map(({ verdict }) => verdict)].flatMap(({ by }) => by));
  const strict = acquittals.filter(({ isStrict }) => isStrict).length;
  const all = kills.filter(({ why }) => why === undefined).length + tried.length;
  return `${[
    "# Kill table",
    "",
    "<!-- oxfmt-ignore-start -->",
    "",
    "Written by `UPDATE=1 vitest run --project long test/kills/kill-table.long.test.ts`, and proven current by the same test. Each target is a server that breaks one",
    "sentence of the interface; the suite judges it as any other, with the profile `full`. Most answer without a socket, through the same sender;",
    "some of each kind are judged on a socket of their own, too, and both verdicts are the same.",
    "",
    `${all} servers break a sentence. ${checks.size} of the ${checkCount} checks found a target here; the others need a known page, and have their faulty servers in \`test/pages\`. A run sent at most ${most} requests. On ${correctTargets.length} servers that are all correct, and all different, the suite found nothing that a sentence states; on ${strict} of them nothing with \`--strict\` either.`,
    "",
    "Each sentence that an answer can break is broken in every circumstance in which a run shows it: in all ways always, and in one way, taken in",
    "turn, in each other circumstance. The numbers are those of the first request that shows the fault.",
    "",
    ...productSummary(tried),
    "",
    "Servers that are written one by one:",
    "",
    ...summaryOf(kills),
    "",
    "## Circumstances",
    "",
    ...circumstanceList(product),
    "",
    "## Circumstances that no request is in",
    "",
    ...unmadeList(product.unmade),
    "",
    ...productTables(tried),
    ...groups.map((group) => partOf(group, kills)),
    "## Correct servers",
    "",
    ...correctTargets.map(({ does, row }) => `- ${does}${row === undefined ? "" : ` (${row})`}`),
    "",
    "<!-- oxfmt-ignore-end -->",
  ].join("\n")}\n`;
}

function partOf(group: string, kills: readonly Kill[]): string {
  const rows = kills.filter((kill) => kill.group === group).map(rowOf);
  return [`## ${group}`, "", ...head, ...rows, ""].join("\n");
}

/** The file that the table is in. */
export const killFile = new URL("../../KILLS.md", import.meta.url);

/** Returns the committed table; an empty string when there is none. */
export function writtenTable(): string {
  try {
    return readFileSync(killFile, "utf8");
  } catch {
    return "";
  }
}
