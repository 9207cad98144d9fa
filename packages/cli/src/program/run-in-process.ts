import { createTerminal } from "../terminal/terminal.ts";
import { exitCodes } from "./exit-codes.ts";
import { runProgram } from "./program.ts";

/** Commands that end at signals in their own way. */
const ownSignals: ReadonlySet<string | undefined> = new Set(["serve", "mcp"]);

/** Does what the arguments of this process say, and sets its exit code. The first Ctrl-C aborts what goes on, the second one ends it. */
export async function runInProcess(): Promise<void> {
  const { stdin, stdout, stderr, env, argv } = process;
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted[0]);
    controller.abort();
  };
  const args = argv.slice(2);
  if (!ownSignals.has(args[0])) {
    // A reader that goes, such as `head`, is no error: there is nothing to be done any more.
    for (const output of [stdout, stderr]) {
      output.on("error", ({ code }: NodeJS.ErrnoException) => {
        if (code === "EPIPE") process.exit(Number(process.exitCode ?? 0));
      });
    }
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
  }
  const terminal = createTerminal({ stdin, stdout, stderr, env });
  const code = await runProgram(args, { terminal, signal: controller.signal, interrupt });
  process.exitCode ??= code;
  if (code !== 0) process.exitCode = code;
}
