import { readFileSync } from "node:fs";

/** One line of the service that is broken, and the requirement that the suite has to name for it. */
export interface BrokenLine {
  /** Path below `packages`. */
  readonly file: string;
  /** What stands there: it occurs once in the file. */
  readonly text: string;
  /** What it becomes. */
  readonly becomes: string;
  /** Id of the requirement. */
  readonly requirement: string;
  /** Whether it is broken in every run of the tests. Default: only when all of them are. */
  readonly sample?: true;
}

const sources = new URL("../../../", import.meta.url);

/** Address of the file of a line. */
export function getAddress({ file }: Pick<BrokenLine, "file">): string {
  return new URL(file, sources).href;
}

/** A text as part of a regular expression. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

/** The text of a line, however the formatter breaks it into lines. */
export function getPattern({ text }: Pick<BrokenLine, "text">): RegExp {
  return new RegExp(text.split(/\s+/).map(escaped).join("\\s+"), "g");
}

/** How often the text of a line stands in its file. */
export function countOccurrences(line: BrokenLine): number {
  return readFileSync(new URL(line.file, sources), "utf8").match(getPattern(line))?.length ?? 0;
}

/** Names a line in reports. */
export function getName({ file, text, becomes }: BrokenLine): string {
  return `${file}: ${text} → ${becomes || "nothing"}`.replaceAll(/\s+/g, " ");
}
