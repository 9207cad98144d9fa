import { brokenLines } from "./all-lines.ts";
import type { BrokenLine } from "./broken-line.ts";
import type { Verdict } from "./judge-broken.ts";

const head = ["| file | line | becomes | requirement | found by |", "| --- | --- | --- | --- | --- |"];

/** All broken lines as Markdown. */
export function writeTable(verdicts: ReadonlyMap<BrokenLine | undefined, Verdict>): string {
  const lines = [...verdicts.keys()].filter((line) => line !== undefined);
  const requirements = new Set(lines.map(({ requirement }) => requirement));
  return `${[
    "# Broken lines",
    "",
    "<!-- oxfmt-ignore-start -->",
    "",
    "Written by `BROKEN_LINES=all vitest run test/broken-lines.long.test.ts`. In each row one line of the service was broken, and the",
    "conformance suite judged the service with it, on a real browser: it has to fail, and to name the requirement of the row.",
    "",
    `${lines.length} lines were broken, of ${requirements.size} requirements, and all were found. In the same service without a broken line nothing is.`,
    "",
    ...Object.entries(brokenLines).map(([area, some]) => writePart(area, some, verdicts)),
    "<!-- oxfmt-ignore-end -->",
  ].join("\n")}\n`;
}

function writePart(
  area: string,
  lines: readonly BrokenLine[],
  verdicts: ReadonlyMap<BrokenLine | undefined, Verdict>,
): string {
  const rows = lines.map((line) => writeRow(line, verdicts.get(line)));
  return [`## ${area}`, "", ...head, ...rows, ""].join("\n");
}

function writeRow(line: BrokenLine, verdict: Verdict | undefined): string {
  const by = verdict?.findings.flatMap(({ check, requirement }) => (requirement === line.requirement ? [check] : []));
  const becomes = line.becomes.trim() === "" ? "nothing" : code(line.becomes);
  return `| ${[line.file, code(line.text), becomes, line.requirement, [...new Set(by)].join(", ")].join(" | ")} |`;
}

function code(text: string): string {
  const oneLine = text.trim().replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
  return oneLine.includes("`") ? `\`\` ${oneLine} \`\`` : `\`${oneLine}\``;
}
