import { isRecord } from "../json.ts";

/** Most rows of a table that an answer shows. */
const shownRows = 20;
/** Longest value that an answer shows, in characters. */
const shownCharacters = 2_000;

/** Formats the result of a task as Markdown, with its notes. The terminal event has the complete data. */
export function writeAnswer(
  steps: number,
  data: Readonly<Record<string, unknown>>,
  notes: readonly string[] = [],
): string {
  const results = Object.entries(data);
  const list = notes.length === 0 ? "" : `\n${notes.map((note) => `- ${shorten(note)}`).join("\n")}\n`;
  if (results.length === 0) return `Done: ${steps} ${steps === 1 ? "step" : "steps"}.\n${list}`;
  return results.map(([name, value]) => `**${name}**\n\n${formatValue(value)}\n`).join("\n") + list;
}

function formatValue(value: unknown): string {
  if (typeof value === "string") return shorten(value);
  if (Array.isArray(value) && value.length > 0 && value.every(isRecord)) return writeTable(value);
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return writeItems(value, (item) => `- ${shorten(item)}`);
  return `\`\`\`json\n${shorten(JSON.stringify(value, undefined, 2))}\n\`\`\``;
}

function writeTable(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const columns = [...new Set(rows.slice(0, shownRows).flatMap((row) => Object.keys(row)))];
  const writeRow = (row: (typeof rows)[number]): string => writeLine(columns.map((column) => writeCell(row[column])));
  return [writeLine(columns), writeLine(columns.map(() => "---")), writeItems(rows, writeRow)].join("\n");
}

function writeLine(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function writeCell(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return shorten(text)
    .replaceAll(/\s+/g, " ")
    .replaceAll("|", String.raw`\|`);
}

function writeItems<Item>(items: readonly Item[], line: (item: Item) => string): string {
  const rest = items.length - shownRows;
  return [...items.slice(0, shownRows).map(line), ...(rest > 0 ? ["", `… and ${rest} more.`] : [])].join("\n");
}

function shorten(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)} …` : text;
}
