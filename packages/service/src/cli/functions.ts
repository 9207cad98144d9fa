import type { Command } from "commander";
import { type FunctionRecord, sourceOf } from "@cloud-browser/automation";
import { minuteOf, printColumns } from "./columns.ts";
import { addReachFlags, askForEach, askService, type ListFlags, type ReachFlags } from "./reach.ts";

/** Adds the commands that list, show and delete functions. */
export function register(program: Command): void {
  const functions = program
    .command("functions")
    .description("list the functions that automations created, the newest first")
    .option("--json", "print them as JSON, with their steps");
  addReachFlags(functions).action(list);
  const show = functions
    .command("show")
    .description("print a function as TypeScript for Playwright")
    .argument("<function_id>");
  addReachFlags(show).action(async (id: string, _: unknown, command: Command) =>
    showSource(id, command.optsWithGlobals()),
  );
  const remove = functions.command("delete").description("delete functions").argument("<function_id...>");
  addReachFlags(remove).action(async (ids: readonly string[], _: unknown, command: Command) =>
    deleteAll(ids, command.optsWithGlobals()),
  );
}

async function list(flags: ListFlags): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  const { functions } = (await askService(flags, "GET", "/control/functions")) as {
    functions: readonly FunctionRecord[];
  };
  if (flags.json) return console.log(JSON.stringify(functions, undefined, 2));
  if (functions.length === 0) return console.log("No functions. A successful automation creates one.");
  printColumns(
    ["FUNCTION", "CREATED", "CALL", "TASK"].map((header) => ({ header })),
    functions.map(({ function_id, function_name, created_at, variables, query }) => {
      const named = variables.map(({ name, value }) => (value === null ? name : `${name}=${value}`)).join(", ");
      return [function_id, minuteOf(created_at), `${function_name}(${named})`, query];
    }),
  );
}

async function showSource(id: string, flags: ReachFlags): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  const record = (await askService(flags, "GET", pathOf(id))) as FunctionRecord;
  process.stdout.write(sourceOf(record));
}

async function deleteAll(ids: readonly string[], flags: ReachFlags): Promise<void> {
  await askForEach(flags, "DELETE", ids.map(pathOf));
}

function pathOf(id: string): string {
  return `/control/functions/${encodeURIComponent(id)}`;
}
