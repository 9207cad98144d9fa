import { createTerminal } from "../terminal/terminal.ts";
import { exitCodes } from "../errors/exit-codes.ts";
import { runProgram } from "./program.ts";

/** Commands that end at signals, and at closed pipes, in their own way. */
const ownEnds: ReadonlySet<string | undefined> = new Set(["serve", "backup", "restore", "mcp"]);

/**
 * Runs the command in the arguments of this process, and sets its exit code. The first Ctrl-C aborts the command, the second one ends the
 * process.
 */
export async function runInProcess(): Promise<void> {
  const { stdin, stdout, stderr, env, argv } = process;
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted[0]);
    controller.abort();
  };
  const args = argv.slice(2);
  /** True when the reader of the results has closed the pipe, as `head` does: that is not a failure, and ends the work. */
  let isUnread = false;
  if (!ownEnds.has(args[0])) {
    stdout.on("error", () => {
      isUnread = true;
      controller.abort();
    });
    // Without somebody who reads progress and errors, there are still results.
    stderr.on("error", () => undefined);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
  }
  const terminal = createTerminal({ stdin, stdout, stderr, env });
  const code = await runProgram(args, { terminal, signal: controller.signal, interrupt });
  if (isUnread) process.exitCode = exitCodes.done[0];
  else if (code !== exitCodes.done[0]) process.exitCode = code;
}
