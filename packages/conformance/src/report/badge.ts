import type { Report } from "./report.ts";
import { groupByMark, type Verdict } from "./verdict.ts";
import { formatCount } from "./visible-text.ts";

/** Texts and colour of a badge. */
interface Badge {
  /** Left part. */
  readonly label: string;
  /** Right part. */
  readonly message: string;
  /** Name of the colour, as badge services know it. */
  readonly color: keyof typeof colors;
}

/** Colours by their names in badge services. White text has enough contrast on each. */
const colors = { brightgreen: "#2f7d1c", red: "#c0392b", orange: "#a85a00", lightgrey: "#6b6b6b" } as const;

const colorsByVerdict: Readonly<Record<Verdict, keyof typeof colors>> = {
  conforming: "brightgreen",
  "not-conforming": "red",
  unfinished: "orange",
  "nothing-checked": "lightgrey",
};

/** Returns the badge of a report. It holds no text of the target. */
function makeBadge({ verdict, checks, expectationProblems, target, run }: Report): Badge {
  const { fail, expected, pass } = groupByMark(checks.filter(({ level }) => level === "stated"));
  const problems = expectationProblems.length;
  const messages: Readonly<Record<Verdict, string>> = {
    conforming:
      expected.length === 0
        ? `conforming, ${formatCount(pass.length, "check")}`
        : `conforming but for ${expected.length}`,
    "not-conforming":
      fail.length > 0
        ? `${fail.length} failed, ${pass.length} passed`
        : `${problems} ${problems === 1 ? "needs" : "need"} attention`,
    unfinished: run.interrupted ? "interrupted" : "unfinished",
    "nothing-checked": "nothing checked",
  };
  const label = target.kind === "mock" ? "conformance of a mock" : "conformance";
  return { label, message: messages[verdict], color: colorsByVerdict[verdict] };
}

/** Renders a report as the JSON that badge services read: the endpoint form of shields.io. */
export function renderBadgeJson(report: Report): string {
  const badge = { schemaVersion: 1, ...makeBadge(report), isError: report.verdict !== "conforming" };
  return `${JSON.stringify(badge, null, 2)}\n`;
}

/** Padding on either side of a text, in pixels. */
const padding = 6;

/** Renders a report as a badge: an SVG of one line, with its text as its title. It loads nothing. */
export function renderBadge(report: Report): string {
  const { label, message, color } = makeBadge(report);
  const [left, right] = [textWidth(label) + 2 * padding, textWidth(message) + 2 * padding];
  const width = left + right;
  const title = `${label}: ${message}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" viewBox="0 0 ${width} 20" role="img" aria-label="${title}">`,
    `  <title>${title}</title>`,
    `  <rect width="${width}" height="20" rx="3" fill="${colors[color]}"/>`,
    // Drawn without an id, since several badges may stand in one page.
    `  <path d="M3 0h${left - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#444"/>`,
    `  <g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" aria-hidden="true">`,
    textElement(label, padding),
    textElement(message, left + padding),
    `  </g>`,
    `</svg>`,
    "",
  ].join("\n");
}

/** Renders a text element; `textLength` keeps the calculated width whatever the font. */
function textElement(text: string, x: number): string {
  return `    <text x="${x}" y="14" textLength="${textWidth(text)}" lengthAdjust="spacingAndGlyphs">${text}</text>`;
}

/** Characters of Verdana at 11 pixels by their width, in hundredths of a pixel; others count as the widest. */
const widths: readonly (readonly [string, number])[] = [
  ["il", 302],
  ["j", 379],
  [" f", 387],
  [",", 400],
  ["t", 433],
  ["r", 469],
  ["-:", 500],
  ["cs", 573],
  ["z", 578],
  ["kvxy", 651],
  ["e", 655],
  ["a", 661],
  ["o", 668],
  ["bdgpq", 685],
  ["hnu", 696],
  ["0123456789", 699],
  ["w", 900],
  ["m", 1070],
];

/** Returns the width of a text, in whole pixels. */
function textWidth(text: string): number {
  return Math.ceil(Array.from(text, measureWidth).reduce((sum, width) => sum + width, 0) / 100);
}

function measureWidth(character: string): number {
  return widths.find(([row]) => row.includes(character))?.[1] ?? 1070;
}
