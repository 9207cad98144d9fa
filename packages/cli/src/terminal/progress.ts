import ora from "ora";
import { printable } from "./printable.ts";
import type { Terminal } from "./terminal.ts";

/** Progress of a long operation, on standard error. */
export interface ShownProgress {
  /** Shows the progress. */
  readonly update: (text: string) => void;
  /** Writes a line above it. */
  readonly line: (text: string) => void;
  /** Removes it. */
  readonly stop: () => void;
}

/** Least time between two lines of progress where there is no terminal, in milliseconds. */
const lineEveryMs = 10_000;

/**
 * Shows progress: a spinner on a terminal; in a pipe a line at the beginning, and one every ten seconds while it changes.
 *
 * @param isQuiet - shows nothing
 */
export function showProgress({ stderr, note, env }: Terminal, text: string, isQuiet = false): ShownProgress {
  if (isQuiet) return { update: () => {}, line: () => {}, stop: () => {} };
  if (!stderr.isTTY || env["TERM"] === "dumb" || env["CI"]) {
    note(printable(text));
    let last = performance.now();
    let lastText = text;
    return {
      update(next) {
        if (next === lastText || performance.now() - last < lineEveryMs) return;
        [last, lastText] = [performance.now(), next];
        note(printable(next));
      },
      line: note,
      stop: () => {},
    };
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a terminal is a `WriteStream`
  const stream = stderr as NodeJS.WriteStream;
  const spinner = ora({ text: printable(text), stream, discardStdin: false }).start();
  return {
    update(next) {
      spinner.text = printable(next);
    },
    line(newText) {
      spinner.clear();
      note(newText);
      spinner.render();
    },
    stop: () => void spinner.stop(),
  };
}
