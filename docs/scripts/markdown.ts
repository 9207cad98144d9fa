/** Returns a text as a code span, whatever backticks it has. */
export function code(text: string): string {
  if (text === "") return "";
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${ticks}${space}${text}${space}${ticks}`;
}

/** Returns a block of code. */
export function fence(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${text.trimEnd()}\n${mark}`;
}

/** Returns a table; a cell may have Markdown, and its line breaks become spaces. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll(/(?<!\\)\|/g, String.raw`\|`).replaceAll(/\s*\n\s*/g, " ")).join(" | ")} |`;
}

/** Escapes what HTML takes for markup. */
export function html(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Escapes prose as HTML; words between backticks become code. */
export function htmlProse(text: string): string {
  return text
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 1 ? `<code>${html(part)}</code>` : html(part)))
    .join("");
}

/** Escapes prose for Markdown: what stands between backticks stays code. */
export function prose(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.startsWith("`") && part.length > 1 ? part : part.replaceAll(/[<>*[\]\\]|(?<!\w)_|_(?!\w)/g, String.raw`\$&`),
    )
    .join("");
}

/** Returns the fragment that a heading has on the site. */
export function headingSlug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}
