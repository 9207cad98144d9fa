import { loadReadings, type Reading } from "../../../packages/conformance/src/contract/readings.ts";
import { loadRequirements, type Requirement } from "../../../packages/conformance/src/contract/requirements.ts";
import { code, headingSlug, html, htmlProse, prose, table } from "../markdown.ts";
import { plainText, type SitePage } from "../page.ts";
import { readText } from "../repository-pages.ts";

/** Words of the file for who can see a requirement violated, as a reader says it. */
const seenBy: Readonly<Record<Requirement["observable"], string>> = {
  mock: "a mock of the contract shows it",
  live: "only a live server shows it",
  page: "only a session on a known page shows it",
  contract: "the contract alone shows it",
  none: "no run can see it",
};

/** Returns the pages about requirements, readings and what the interface leaves open. */
export function makeRequirementPages(): SitePage[] {
  const { requirements, unspecified } = loadRequirements();
  const readings = loadReadings();
  return [makeRequirementsPage(requirements, readings), makeReadingsPage(readings), makeLeftOpenPage(unspecified)];
}

/** Returns the address of a heading of the interface, as a requirement names it. */
export function getSectionAddress(section: string): string {
  const [chapter = "", part] = section.split(" / ");
  if (chapter === "Introduction") return "/interface/";
  const headings = [...readText("docs/interface.md").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    plainText(heading),
  );
  const title = part ?? chapter;
  const match = headings.find((one) => one === title) ?? headings.find((one) => one.startsWith(`${title} (`));
  if (match === undefined) throw new Error(`docs/interface.md has no heading "${title}"`);
  return `/interface/#${headingSlug(match)}`;
}

function makeRequirementsPage(rows: readonly Requirement[], readings: readonly Reading[]): SitePage {
  const listReadings = (id: string): readonly string[] =>
    readings.filter(({ requirements }) => requirements.includes(id)).map((reading) => reading.id);
  const stated = rows.filter(({ level }) => level === "stated").length;
  const judgedCount = rows.filter(({ checks }) => checks.length > 0).length;
  const lead =
    `Every sentence of [the interface](/interface/) is a row: ${rows.length} of them, ${stated} stated and ${rows.length - stated} inferred; ` +
    `${judgedCount} are judged by at least one check. Of the others each says why not. Only what is \`stated\` decides a verdict, unless \`--strict\` is given.`;
  return {
    slug: "requirements",
    title: "Requirements",
    description: "Every sentence of the interface as a requirement: its level, its checks, and how it is read.",
    body: `${lead}\n\n${rows.map((row) => renderMarkdown(row, listReadings(row.id))).join("\n\n")}`,
    shown: {
      format: "md",
      body: `${lead}\n\n${filter}\n\n${rows.map((row) => renderHtml(row, listReadings(row.id))).join("\n")}\n`,
    },
    settings: ["tableOfContents: false"],
  };
}

const filter = `<filter-list items=".requirement"></filter-list>`;

function renderMarkdown(row: Requirement, readings: readonly string[]): string {
  const { id, text, level, section, checks, reason, observable } = row;
  return [
    `## ${id}`,
    prose(text),
    [
      `- Level: ${level}; ${seenBy[observable]}`,
      `- Section: [${section}](${getSectionAddress(section)})`,
      checks.length > 0
        ? `- Checks: ${checks.map((check) => `[${check}](/checks/${check}/)`).join(", ")}`
        : `- No check: ${prose(reason ?? "")}`,
      ...(readings.length > 0
        ? [`- Readings: ${readings.map((one) => `[${one}](/readings/#${headingSlug(one)})`).join(", ")}`]
        : []),
    ].join("\n"),
  ].join("\n\n");
}

function renderHtml(row: Requirement, readings: readonly string[]): string {
  const { id, text, level, section, checks, reason, operation, observable } = row;
  const links = checks.map((check) => `<a href="/checks/${check}/">${html(check)}</a>`).join(", ");
  const judges = checks.length > 0 ? links : `none: ${htmlProse(reason ?? "")}`;
  const readingLinks = readings.map((one) => `<a href="/readings/#${headingSlug(one)}">${html(one)}</a>`).join(", ");
  // In one line: a blank line would end the HTML, and Markdown would begin.
  return [
    `<section class="requirement" data-level="${level}" data-operation="${operation}" data-judged="${checks.length > 0 ? "judged" : "not judged"}" data-reading="${readings.length > 0 ? "has readings" : "one reading"}">`,
    `<h2 id="${id}"><a href="#${id}">${html(id)}</a></h2><p>${htmlProse(text)}</p>`,
    `<dl><dt>Level</dt><dd><span class="level ${level}">${level}</span> ${seenBy[observable]}</dd>`,
    `<dt>Section</dt><dd><a href="${getSectionAddress(section)}">${html(section)}</a></dd>`,
    `<dt>Checks</dt><dd>${judges}</dd>${readingLinks && `<dt>Readings</dt><dd>${readingLinks}</dd>`}</dl></section>`,
  ].join("");
}

function makeReadingsPage(readings: readonly Reading[]): SitePage {
  const parts = readings.map(({ id, sentence, requirements, values, default: usual }) =>
    [
      `## ${id}`,
      prose(sentence),
      table(
        ["value", "what holds then", "checks that decide from here on"],
        values.map(({ value, text, checks }) => [
          value === usual ? `${code(value)} (default)` : code(value),
          prose(text),
          checks.map((check) => `[${check}](/checks/${check}/)`).join(", "),
        ]),
      ),
      `It is about ${requirements.map((one) => `[${one}](/requirements/#${one})`).join(", ")}.`,
    ].join("\n\n"),
  );
  const lead =
    `${readings.length} stated sentences of the interface can be understood in two ways or more. The default is the one under which no sensible ` +
    "server fails; who owns a server, and knows better, pins another: `--reading id=value`, or `readings` in the configuration file. The values are listed from the most tolerant one to the strictest.";
  return {
    slug: "readings",
    title: "Readings",
    description:
      "Sentences of the interface that can be understood in two ways, the default of each, and the checks that each value decides.",
    body: [lead, ...parts].join("\n\n"),
  };
}

function makeLeftOpenPage(rows: ReturnType<typeof loadRequirements>["unspecified"]): SitePage {
  const parts = rows.map(({ id, section, kind, text, temptation, observe }) =>
    [
      `## ${id}`,
      prose(text),
      [
        `- ${kind === "not shown" ? "The interface says that it does not show it" : "The interface is silent"}: [${section}](${getSectionAddress(section)})`,
        `- A suite could wrongly report: ${prose(temptation)}`,
        `- What a run records: ${prose(observe)}`,
      ].join("\n"),
    ].join("\n\n"),
  );
  return {
    slug: "left-open",
    title: "What is left open",
    description:
      "What the interface does not show: never judged, never to be relied on, recorded by the suite as an observation.",
    body: [
      `The interface leaves ${rows.length} things open. The contract adds nothing there, client and stream accept anything, and the suite records what it sees without judging it.`,
      ...parts,
    ].join("\n\n"),
  };
}
