import type { Command } from "commander";
import type { SessionView } from "../control/session-view.ts";
import { ServiceError } from "../service-error.ts";
import { addListedFlags, queryOf, type ListedFlags } from "./listed.ts";
import { addReachFlags, askForEach, askService, type ReachFlags } from "./reach.ts";

interface EndFlags extends ReachFlags, ListedFlags {
  readonly all?: true;
}

/** Adds the command that ends sessions. */
export function register(program: Command): void {
  const command = program
    .command("end")
    .description("end sessions; their recordings are ready soon after")
    .argument("[session_id...]")
    .option("--all", "end all open sessions of this key");
  addReachFlags(addListedFlags(command)).action(end);
}

async function end(ids: readonly string[], flags: EndFlags): Promise<void> {
  if (flags.all !== (ids.length === 0 ? true : undefined)) {
    throw new ServiceError("usage", "name the sessions to end, or give --all");
  }
  if (!flags.all && (flags.allKeys || flags.key !== undefined)) {
    throw new ServiceError(
      "usage",
      "--key and --all-keys go with --all; sessions that are named are of one key anyway",
    );
  }
  const named = flags.all ? await openSessions(flags) : ids;
  await askForEach(
    flags,
    "DELETE",
    named.map((id) => `/control/sessions/${encodeURIComponent(id)}`),
  );
  if (flags.all) console.log(`${named.length} ended.`);
}

/** Ids of the open sessions, of up to a thousand that the service lists. */
async function openSessions(flags: EndFlags): Promise<string[]> {
  const listed = await askService(
    flags,
    "GET",
    `/control/sessions${queryOf(flags, { limit: "1000", state: "active" })}`,
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  const { sessions } = listed as { sessions: readonly SessionView[] };
  return sessions.map(({ session_id: id }) => id);
}
