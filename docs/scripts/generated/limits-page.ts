import { loadRequirements } from "../../../packages/conformance/src/contract/requirements.ts";
import { prose, table } from "../markdown.ts";
import type { SitePage } from "../page.ts";
import { readText } from "../repository-pages.ts";

/** Returns the page about the limits of the suite, from records of its tests and from requirements without a check. */
export function makeLimitsPage(): SitePage {
  const kills = readText("packages/conformance/KILLS.md");
  const unjudged = loadRequirements().requirements.filter(({ checks }) => checks.length === 0);
  return {
    slug: "limits",
    title: "What the suite can't see",
    description: "Sentences that no run can judge, faults that stay hidden, and circumstances that no request is in.",
    body: [
      "A pass says that the suite looked and found nothing: not that there is nothing. This page is written from what the tests of the suite measured on thousands of servers that are broken on purpose, and from the requirements themselves.",
      findParagraph(kills, "servers break a sentence"),
      "## Faults that stay hidden",
      "Servers that break a sentence in a way that a run finds only by luck, or not at all:",
      listHiddenFaults(findText(kills, "Servers that are not found by exactly their requirement")),
      "## Circumstances that no request is in",
      findText(kills, "Circumstances that no request is in"),
      "## Sentences without a check",
      `${unjudged.length} requirements have no check, each for a reason:`,
      table(
        ["requirement", "why"],
        unjudged.map(({ id, reason = "" }) => [`[${id}](/requirements/#${id})`, prose(reason)]),
      ),
      "What the interface itself leaves open is never judged: [what is left open](/left-open/). Sentences that can be understood in two ways are judged by [a reading](/readings/).",
    ].join("\n\n"),
  };
}

function findParagraph(markdown: string, words: string): string {
  const found = markdown.split(/\n\s*\n/).find((paragraph) => paragraph.includes(words));
  if (found === undefined) throw new Error(`KILLS.md has no paragraph with "${words}"`);
  return found;
}

function findText(markdown: string, heading: string): string {
  const [, rest] = markdown.split(`\n## ${heading}\n`);
  if (rest === undefined) throw new Error(`KILLS.md has no heading "${heading}"`);
  return (rest.split("\n## ")[0] ?? "").trim();
}

/** Returns the faults that no request finds, as a list: the rows of the table whose last cell, the request that finds it, is empty. */
function listHiddenFaults(markdown: string): string {
  const rows = markdown
    .split("\n")
    .filter((line) => /^\|.*\|\s*\|$/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
  if (rows.length === 0) throw new Error("KILLS.md has no row of a fault that is not found");
  return rows
    .map(([, fault = "", sentence = "", requirement = "", why = ""]) => {
      const [name = "", ...when] = fault.split(": ");
      const circumstance = when.length > 0 ? `, ${when.join(": ")}` : "";
      return `- **${name.replaceAll("-", " ")}**${circumstance}. ${why}\n  The sentence: ${sentence} ([${requirement}](/requirements/#${requirement}))`;
    })
    .join("\n");
}
