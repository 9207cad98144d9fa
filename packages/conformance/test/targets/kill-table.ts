/** The kill table: every faulty target, and what of the suite finds it. */
import { readFileSync } from "node:fs";
import { correctTargets, type Kill } from "./proofs.ts";

/** Whether a fault was found, under whatever name. */
export const isFound = ({ by, others }: Kill): boolean => by.length + others.length > 0;

/** Whether it was found, and nothing but its requirement was named. */
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

/** The number of targets by group, for the file and for the README. */
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

/** The table as Markdown. */
export function killTable(kills: readonly Kill[], checkCount: number): string {
  const most = Math.max(...kills.map(({ requests }) => requests));
  const groups = [...new Set(kills.map(({ group }) => group))];
  const checks = new Set(kills.flatMap(({ by }) => by));
  return `${[
    "# Kill table",
    "",
    "<!-- oxfmt-ignore-start -->",
    "",
    "Written by `UPDATE=1 vitest run test/kill-table.long.test.ts`, and proven current by the same test. Each target is a server on a socket of",
    "its own that breaks one sentence of the interface; the suite judges it as any other, with the profile `full`. The last column is the",
    "number of the request that is the first to show the fault.",
    "",
    ...summaryOf(kills),
    "",
    `${checks.size} of the ${checkCount} checks found a target here; the others need a known page, and have their faulty servers in \`test/pages\`. A run sent at most ${most} requests. On ${correctTargets.length} servers that are all correct, and all different, the suite found nothing.`,
    "",
    ...groups.map((group) => partOf(group, kills)),
    "## Correct servers",
    "",
    ...correctTargets.map(({ does }) => `- ${does}`),
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

/** What it holds; nothing when it is not there. */
export function writtenTable(): string {
  try {
    return readFileSync(killFile, "utf8");
  } catch {
    return "";
  }
}
