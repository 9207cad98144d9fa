import { Command } from "commander";
import { vi } from "vitest";

/** Result of a command that ran within the test process. */
export interface EndedHere {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
}

/** Runs one command of the CLI without a process of its own. It throws what the command throws. */
export async function commandHere(register: (program: Command) => void, ...args: string[]): Promise<EndedHere> {
  let stdout = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  try {
    const program = new Command().exitOverride();
    register(program);
    await program.parseAsync(args, { from: "user" });
    return { code: process.exitCode, stdout };
  } finally {
    write.mockRestore();
    process.exitCode = undefined;
  }
}
