import type { Finding, SuiteCheck } from "../../../packages/conformance/src/checks/check.ts";
import { loadReadings } from "../../../packages/conformance/src/contract/readings.ts";
import { loadRequirements, type Requirement } from "../../../packages/conformance/src/contract/requirements.ts";
import { checks } from "../../../packages/conformance/src/run/suite.ts";
import { code, fence, headingSlug, prose, table } from "../markdown.ts";
import type { SitePage } from "../page.ts";
import { getSectionAddress } from "./requirement-pages.ts";
import { provokeFindings } from "./provoked-findings.ts";

const rows = new Map(loadRequirements().requirements.map((row) => [row.id, row]));

/** Returns the list of the checks, and a page for each: what a failure means, how it looks, and what to do. */
export async function checkPages(): Promise<SitePage[]> {
  const findings = await provokeFindings();
  return [makeChecksPage(), ...checks.map((check) => checkPage(check, findings.get(check.id)))];
}

function makeChecksPage(): SitePage {
  const parts = [...Map.groupBy(checks, ({ id }) => id.split("/", 1)[0] ?? "")].map(([word, own]) =>
    [
      `## ${word}`,
      table(
        ["check", "a pass proves", "level"],
        own.map(({ id, title, level }) => [`[${id}](/checks/${id}/)`, prose(title), level]),
      ),
    ].join("\n\n"),
  );
  return {
    slug: "checks",
    title: "Checks",
    description:
      "Every check of the conformance suite: what a pass proves, what a failure means, and what to do about it.",
    body: [
      `The suite has ${checks.length} checks. A report names them by these ids; each page has the sentence, the contract, a failure as a report shows it, and what to do. ` +
        "How a run treats the statuses `pass`, `fail`, `error` and `skip` is explained in [the suite's manual](/packages/conformance/).",
      ...parts,
    ].join("\n\n"),
  };
}

function checkPage(check: SuiteCheck, finding: Finding | undefined): SitePage {
  const { id, title, level, operation, requirements } = check;
  const own = requirements.flatMap((name) => rows.get(name) ?? []);
  return {
    slug: `checks/${id}`,
    title: id,
    description: title,
    settings: ["prev: false", "next: false"],
    isOneOfMany: true,
    body: [
      `${prose(title)} It is about \`${operation}\`, and its level is \`${level}\`: ${level === "stated" ? "a failure decides the verdict." : "the interface does not say so, and a failure only warns, unless `--strict` is given."}`,
      "## Cause",
      own.length === 1
        ? "The server does not do what this sentence says:"
        : "The server does not do what one of these sentences says; a finding names which:",
      ...own.map(renderRequirement),
      ...renderExample(finding),
      "## Remedy",
      findRemedy(check, own),
    ].join("\n\n"),
  };
}

function renderRequirement({ id, text, section, contract }: Requirement): string {
  const pointers = Object.entries(contract ?? {});
  return [
    `- [${id}](/requirements/#${id}), in [${section}](${getSectionAddress(section)}): ${prose(text)}`,
    ...pointers.map(
      ([pointer, value]) => `  - the contract at ${code(pointer)}: ${code(shorten(JSON.stringify(value)))}`,
    ),
  ].join("\n");
}

function renderExample(finding: Finding | undefined): string[] {
  if (finding === undefined) return [];
  const { requirement: id, where, expected, received, exchange } = finding;
  return [
    "## A failure, as a report shows it",
    "This one comes from a server that was broken on purpose, in the tests of the suite:",
    fence(
      "text",
      `requirement: ${id}\nwhere:       ${where}\nexpected:    ${expected}\nreceived:    ${shorten(received)}\nexchange:    ${exchange}`,
    ),
  ];
}

function findRemedy({ id, level, requirements, needs }: SuiteCheck, own: readonly Requirement[]): string {
  const readings = loadReadings().filter((one) => one.requirements.some((name) => requirements.includes(name)));
  const decides = readings.filter(({ values }) => values.some((value) => value.checks.includes(id)));
  const concerned = decides.length > 0 ? decides : readings;
  const placed = own.some(({ contract }) => Object.keys(contract ?? {}).length > 0);
  const lines = [
    `Look at the finding: \`where\` names the place in the exchange, \`expected\` what has to stand there${placed ? ", and the contract above the exact rule" : ""}. Change the server so that it answers so, then judge it by this check alone:`,
    fence(
      "sh",
      `npx @cloud-browser/conformance run --base-url "$CLOUD_BROWSER_BASE_URL" --session-id <open session> --only ${id}`,
    ),
  ];
  const others: string[] = [];
  if (needs.length > 0)
    others.push(
      `It needs a target that can do ${needs.map(code).join(", ")}; one that is declared to lack it is skipped, with that reason.`,
    );
  if (concerned.length > 0) {
    const names = concerned.map((one) => `[${one.id}](/readings/#${headingSlug(one.id)})`).join(", ");
    others.push(
      `The sentence can be understood in more than one way: ${names}. If the interface is yours and you mean another one, pin it with \`--reading\`.`,
    );
  }
  others.push(
    "If it can't be fixed now, enter it as an expected failure, with a reason, an owner and a day on which it expires; it is judged all the same.",
    `If you think that the server is right, compare the exchange in the report with the section that is named above${level === "stated" ? "" : ": the level `assumed` means that it is our inference"}. A wrong verdict is a bug of the suite.`,
  );
  return [...lines, ...others].join("\n\n");
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
