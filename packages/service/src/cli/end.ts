import type { Command } from "commander";
import { addReachFlags, askService, type ReachFlags } from "./reach.ts";

/** Adds the command that ends sessions. Source: ours. */
export function register(program: Command): void {
  const command = program
    .command("end")
    .description("end sessions; their recordings are there soon after")
    .argument("<session_id...>");
  addReachFlags(command).action(end);
}

async function end(ids: readonly string[], flags: ReachFlags): Promise<void> {
  for (const id of ids) await askService(flags, "DELETE", `/control/sessions/${encodeURIComponent(id)}`);
}
