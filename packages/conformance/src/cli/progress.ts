import { clearLine, cursorTo } from "node:readline";
import { styleText } from "node:util";
import type { Progress } from "../run/run-options.ts";

/** Shows how far a run is. */
export interface ProgressDisplay {
  /** Shows a step. */
  readonly show: (progress: Progress) => void;
  /** Prints a line beside the progress. */
  readonly say: (text: string) => void;
  /** Removes the progress from the terminal. */
  readonly stop: () => void;
}

/** Draws one line that changes on a terminal; writes a line every few seconds elsewhere, and in CI. */
export function progressDisplay(stream: NodeJS.WriteStream): ProgressDisplay {
  return stream.isTTY && process.env["CI"] === undefined ? liveDisplay(stream) : plainDisplay(stream);
}

/** Time between two drawings, in milliseconds. */
const frameMs = 80;

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** Draws the progress itself, because spinner packages handle Ctrl-C and end the process. */
function liveDisplay(stream: NodeJS.WriteStream): ProgressDisplay {
  let progress: Progress | undefined;
  let frame = 0;
  const clear = (): void => {
    clearLine(stream, 0);
    cursorTo(stream, 0);
  };
  const draw = (): void => {
    if (!progress) return;
    frame += 1;
    clear();
    const sign = frames[frame % frames.length] ?? "";
    const text = `${bar(progress)} ${formatText(progress)}`.slice(0, stream.columns - 3);
    stream.write(`${styleText("cyan", sign, { stream })} ${text}`);
  };
  const timer = setInterval(draw, frameMs).unref();
  return {
    show: (now) => (progress = now),
    say: (text) => {
      clear();
      stream.write(`${text}\n`);
    },
    stop: () => {
      clearInterval(timer);
      if (progress) clear();
    },
  };
}

/** Least time between two lines of progress where there is no terminal to draw on, in milliseconds. */
const plainProgressMs = 5_000;

function plainDisplay(stream: NodeJS.WriteStream): ProgressDisplay {
  let lastLineAt = Date.now();
  const say = (text: string): void => void stream.write(`${text}\n`);
  return {
    show: (progress) => {
      if (Date.now() - lastLineAt < plainProgressMs) return;
      lastLineAt = Date.now();
      say(formatText(progress));
    },
    say,
    stop: () => {},
  };
}

const barWidth = 20;

function bar({ sent, total }: Progress): string {
  const filled = Math.round((barWidth * sent) / total);
  return `${"━".repeat(filled)}${"╌".repeat(barWidth - filled)}`;
}

function formatText({ sent, total, probe, events }: Progress): string {
  const count = `${String(sent).padStart(String(total).length)}/${total}`;
  return `${count} ${probe}${events === undefined ? "" : `, ${events} events`}`;
}
