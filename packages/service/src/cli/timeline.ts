import { Option, type Command } from "commander";
import type { ShownEntry, TimelineView } from "../control/timeline-view.ts";
import { clockOf, wordsOf } from "../timeline/entry-words.ts";
import { addReachFlags, askService, requestService, type ListFlags } from "./reach.ts";

/** Adds the command that prints the timeline of a session. */
export function register(program: Command): void {
  const command = program
    .command("timeline")
    .description(
      "print what happened in a session, in order, and who did it; also after its end, as long as its recording is kept",
    )
    .argument("<id>", "id of the session")
    .option("--json", "print it as JSON")
    .addOption(new Option("--markdown", "print it as Markdown, for another agent").conflicts("json"));
  addReachFlags(command).action(print);
}

interface TimelineFlags extends ListFlags {
  readonly markdown?: true;
}

async function print(id: string, flags: TimelineFlags): Promise<void> {
  const path = `/control/sessions/${encodeURIComponent(id)}/timeline`;
  if (flags.markdown) {
    const answer = await requestService(flags, "GET", `${path}?format=markdown`);
    return void process.stdout.write(await answer.text());
  }
  const entries: ShownEntry[] = [];
  let view: TimelineView;
  do {
    const after = entries.at(-1)?.seq ?? 0;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
    view = (await askService(flags, "GET", `${path}?after=${after}&limit=1000`)) as TimelineView;
    entries.push(...view.entries);
  } while (view.has_more);
  if (flags.json) return console.log(JSON.stringify({ ...view, entries }, undefined, 2));
  const width = Math.max(0, ...entries.map(({ at_ms }) => clockOf(at_ms).length));
  for (const entry of entries) {
    const cells = [clockOf(entry.at_ms).padStart(width), entry.by.padEnd(7), wordsOf(entry, printable)];
    console.log(cells.join("  ").slice(0, process.stdout.columns));
  }
}

/** A page chooses names and values: what would move the cursor is left out. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").replaceAll(/\p{Cf}/gu, "");
}
