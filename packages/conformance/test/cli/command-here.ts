import { Command } from "commander";
import { vi } from "vitest";

/** Result of a command that ran within the test process. */
export interface EndedHere {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
}

const signals = ["SIGINT", "SIGTERM"] as const;

/** Runs one command of the CLI without a process of its own. It throws what the command throws, and listens for no signal any more. */
export async function commandHere(register: (program: Command) => void, ...args: string[]): Promise<EndedHere> {
  let stdout = "";
  const listeners = signals.map((signal) => [signal, process.listeners(signal)] as const);
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  const log = vi.spyOn(console, "log").mockImplementation((text) => void (stdout += `${String(text)}\n`));
  try {
    const program = new Command().exitOverride();
    register(program);
    await program.parseAsync(args, { from: "user" });
    return { code: process.exitCode, stdout };
  } finally {
    write.mockRestore();
    log.mockRestore();
    process.exitCode = undefined;
    for (const [signal, before] of listeners) {
      for (const added of process.listeners(signal)) if (!before.includes(added)) process.off(signal, added);
    }
  }
}
