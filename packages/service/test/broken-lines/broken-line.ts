import { readFileSync } from "node:fs";

/** One line of the service that is broken, and the requirement that the suite has to name for it. */
export interface BrokenLine {
  /** Path below `src`. */
  readonly file: string;
  /** What stands there: it occurs once in the file. */
  readonly text: string;
  /** What it becomes. */
  readonly becomes: string;
  /** Id of the requirement. */
  readonly requirement: string;
}

const sources = new URL("../../src/", import.meta.url);

/** Address of the file of a line. */
export function addressOf({ file }: Pick<BrokenLine, "file">): string {
  return new URL(file, sources).href;
}

/** How often the text of a line stands in its file. */
export function occurrencesOf({ file, text }: BrokenLine): number {
  return readFileSync(new URL(file, sources), "utf8").split(text).length - 1;
}
