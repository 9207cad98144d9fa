import type { BrokenLine } from "./broken-line.ts";
import type { Verdict } from "./judge-broken.ts";
import { brokenLines } from "./all-lines.ts";

/** A broken line, and what the suite found. */
export interface Found {
  /** What the line is about. */
  readonly area: string;
  /** The line. */
  readonly line: BrokenLine;
  /** What the suite found. */
  readonly findings: Verdict["findings"];
}

const head = [
  "| file | line | becomes | requirement | found by | also named |",
  "| --- | --- | --- | --- | --- | --- |",
];

/** All broken lines as Markdown. */
export function tableOf(found: readonly Found[]): string {
  const exact = found.filter((one) => othersOf(one).length === 0).length;
  return `${[
    "# Broken lines",
    "",
    "<!-- oxfmt-ignore-start -->",
    "",
    "Written by `BROKEN_LINES=all vitest run test/broken-lines.test.ts`. In each row one line of the service was broken, and the whole",
    "conformance suite judged the service with it, on a real browser. The suite has to name the requirement of the row.",
    "",
    `${found.length} lines were broken, and ${found.length} were found; for ${exact} of them nothing else was named. Without a broken line nothing is found.`,
    "",
    ...Object.keys(brokenLines).flatMap((area) => partOf(area, found)),
    "<!-- oxfmt-ignore-end -->",
  ].join("\n")}\n`;
}

function partOf(area: string, found: readonly Found[]): string[] {
  const own = new Map(found.map((one) => [one.line, one]));
  const rows = (brokenLines[area] ?? []).flatMap((line) => {
    const one = own.get(line);
    return one ? [rowOf(one)] : [];
  });
  return [`## ${area}`, "", ...head, ...rows, ""];
}

function rowOf(one: Found): string {
  const { line, findings } = one;
  const by = new Set(findings.flatMap(({ check, requirement }) => (requirement === line.requirement ? [check] : [])));
  const cells = [
    line.file,
    code(line.text),
    line.becomes.trim() === "" ? "nothing" : code(line.becomes),
    line.requirement,
    [...by].join(", "),
    shortened(othersOf(one)),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Requirements that were named beside the one that was broken. */
function othersOf({ line, findings }: Found): string[] {
  const named = new Set(findings.map(({ requirement }) => requirement));
  return [...named].filter((requirement) => requirement !== line.requirement);
}

const mostOthers = 4;

function shortened(names: readonly string[]): string {
  const more = names.length - mostOthers;
  return [...names.slice(0, mostOthers), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function code(text: string): string {
  const oneLine = text.trim().replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
  return oneLine.includes("`") ? `\`\` ${oneLine} \`\`` : `\`${oneLine}\``;
}
