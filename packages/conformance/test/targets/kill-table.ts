/** The kill table: every faulty target, and what of the suite finds it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadRequirements } from "../../src/contract/requirements.ts";
import type { Product } from "../kills/product.ts";
import { circumstanceList, productSummary, productTables, unmadeList, type Trial } from "../kills/product-table.ts";
import { correctTargets, type Acquittal, type Kill } from "./proofs.ts";

/** Returns whether a fault was found, by whatever requirement. */
export const isFound = ({ by, others }: Kill): boolean => by.length + others.length > 0;

/** Returns whether it was found, and only its own requirement was named. */
export const isExact = ({ by, others }: Kill): boolean => by.length > 0 && others.length === 0;

const cell = (text: string): string => text.replaceAll("|", "\\|");

const sentences = new Map(loadRequirements().requirements.map(({ id, text }) => [id, text]));

function formatRow({ target: { id, when, why, requirement }, by, others, request }: Kill): string {
  const name = when === undefined ? id : `${id}: ${when}`;
  const checks = [...by, ...(others.length > 0 ? [`names ${others.join(", ")}`] : [])].join(", ");
  const cells = [
    name,
    sentences.get(requirement) ?? "",
    requirement,
    why ?? checks,
    request === 0 ? "" : String(request),
  ];
  return `| ${cells.map(cell).join(" | ")} |`;
}

const head = ["| target | sentence | requirement | found by | at request |", "| --- | --- | --- | --- | --- |"];

function formatLine(name: string, mine: readonly Kill[]): string {
  return `| ${name} | ${mine.length} | ${mine.filter(isFound).length} | ${mine.filter(isExact).length} |`;
}

/** The number of targets by group. */
function formatSummary(kills: readonly Kill[]): string[] {
  const groups = [...new Set(kills.map(({ group }) => group))];
  const promised = kills.filter(({ target }) => target.why === undefined);
  return [
    "| servers that break one sentence | servers | found | by exactly its requirement |",
    "| --- | --- | --- | --- |",
    ...groups.map((group) =>
      formatLine(
        group,
        kills.filter((kill) => kill.group === group),
      ),
    ),
    formatLine("**Together, without those beyond**", promised),
  ];
}

/** Everything that the table tells. */
export interface Proven {
  readonly kills: readonly Kill[];
  readonly acquittals: readonly Acquittal[];
  readonly product: Product;
  readonly tried: readonly Trial[];
  readonly checkCount: number;
}

/** The servers that are not found, or not by exactly the sentence that they break. */
function formatExceptions(kills: readonly Kill[]): string[] {
  return [...head, ...kills.filter((kill) => !isExact(kill)).map(formatRow)];
}

/** Number of servers that each check finds. */
function checkLines(kills: readonly Kill[], tried: readonly Trial[]): string[] {
  const by = [...kills, ...tried.map(({ verdict }) => verdict)].flatMap((one) => one.by);
  const counts = [...Map.groupBy(by, (check) => check)].map(([check, all]) => `| ${check} | ${all.length} |`);
  return ["| check | servers |", "| --- | --- |", ...counts.sort()];
}

/** The figures as Markdown: what of the proof is kept beside the sources. */
export function killTable({ kills, acquittals, product, tried, checkCount }: Proven): string {
  const most = Math.max(...kills.map(({ requests }) => requests), ...tried.map(({ verdict }) => verdict.requests));
  const checks = new Set([...kills, ...tried.map(({ verdict }) => verdict)].flatMap(({ by }) => by));
  const strict = acquittals.filter(({ isStrict }) => isStrict).length;
  const all = kills.filter(({ target }) => target.why === undefined).length + tried.length;
  return `${[
    "# Kill table",
    "",
    "<!-- oxfmt-ignore-start -->",
    "",
    "Written by `UPDATE=1 vitest run --project long test/kills/kill-table.long.test.ts`, and proven current by the same test, which writes each server with what finds",
    "it, and at which request, to `reports/kill-table.md`. Each target is a server that breaks one",
    "sentence of the interface; the suite judges it as any other, with the profile `full`. Most answer without a socket, through the same sender;",
    "some of each kind are judged on a socket of their own, too, and both verdicts are the same.",
    "",
    `${all} servers break a sentence. ${checks.size} of the ${checkCount} checks found a target here; the others need a known page, and have their faulty servers in \`test/pages\`. A run sent at most ${most} requests. On ${correctTargets.length} servers that are all correct, and all different, the suite found nothing that a sentence states; on ${strict} of them nothing with \`--strict\` either.`,
    "",
    "Each sentence that an answer can break is broken in every circumstance in which a run shows it: in all ways always, and in one way, taken in",
    "turn, in each other circumstance.",
    "",
    ...productSummary(tried),
    "",
    "Servers that are written one by one:",
    "",
    ...formatSummary(kills),
    "",
    "## Circumstances",
    "",
    ...circumstanceList(product),
    "",
    "## Circumstances that no request is in",
    "",
    ...unmadeList(product.unmade),
    "",
    "## Servers that are not found by exactly their requirement",
    "",
    ...formatExceptions(kills),
    "",
    "## Servers that each check finds",
    "",
    ...checkLines(kills, tried),
    "",
    "<!-- oxfmt-ignore-end -->",
  ].join("\n")}\n`;
}

/** Writes every server with what finds it, at which request, and every correct one, and returns where. */
export function writeWholeTable({ kills, tried }: Proven): URL {
  const groups = [...new Set(kills.map(({ group }) => group))];
  const lines = [
    "# Every server of the kill table",
    "",
    "The numbers are those of the first request that shows the fault.",
    "",
    ...productTables(tried),
    ...groups.map((group) => formatPart(group, kills)),
    "## Correct servers",
    "",
    ...correctTargets.map(({ does, row }) => `- ${does}${row === undefined ? "" : ` (${row})`}`),
  ];
  const file = new URL("../../reports/kill-table.md", import.meta.url);
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

function formatPart(group: string, kills: readonly Kill[]): string {
  const rows = kills.filter((kill) => kill.group === group).map(formatRow);
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
