import type { Command } from "commander";
import { addReachFlags, askForEach, type ReachFlags } from "./reach.ts";

/** Adds the command that ends sessions. */
export function register(program: Command): void {
  const command = program
    .command("end")
    .description("end sessions; their recordings are ready soon after")
    .argument("<session_id...>");
  addReachFlags(command).action(end);
}

async function end(ids: readonly string[], flags: ReachFlags): Promise<void> {
  await askForEach(
    flags,
    "DELETE",
    ids.map((id) => `/control/sessions/${encodeURIComponent(id)}`),
  );
}
