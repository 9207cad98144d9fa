import type { ControlTimeline } from "@cloud-browser/client/control";
import { Option, type Command } from "commander";
import { findSchema } from "../output/output-schema.ts";
import { addCommand, type Call, type ProgramContext } from "../command/command.ts";
import { harmless, printable } from "../terminal/printable.ts";

interface TimelineFlags {
  readonly markdown?: boolean;
}

/** Adds the command that prints the timeline of a session. */
export function register(program: Command, context: ProgramContext): void {
  addCommand<TimelineFlags>(
    program,
    context,
    "timeline",
    {
      summary:
        "print what happened in a session, in order, and who did it; also after its end, as long as its recording is kept",
      args: { "<session_id>": "id of the session" },
      options: [new Option("--markdown", "print it as Markdown, for another agent").conflicts("json")],
      output: findSchema("control", "Timeline"),
      examples: ["timeline 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b --markdown"],
    },
    print,
  );
}

async function print(call: Call<TimelineFlags>, id: string): Promise<void> {
  const { flags, terminal, signal, connect } = call;
  const { timeline } = connect().control;
  if (!flags.json) {
    const markdown = await timeline.readMarkdown(id, { signal });
    if (flags.markdown) return void terminal.stdout.write(terminal.stdout.isTTY ? harmless(markdown) : markdown);
    const lines = markdown.split("\n").flatMap(parseLine);
    const width = Math.max(0, ...lines.map(({ clock }) => clock.length));
    for (const { clock, by, words } of lines) {
      terminal.print(`${clock.padStart(width)}  ${by.padEnd(7)}  ${words}`);
    }
    return;
  }
  const entries: ControlTimeline["entries"] = [];
  let part: ControlTimeline;
  do {
    part = await timeline.read(id, { after: entries.at(-1)?.seq ?? 0, limit: 1000 }, { signal });
    entries.push(...part.entries);
  } while (part.has_more);
  call.print({ ...part, entries }, () => undefined);
}

interface Line {
  readonly clock: string;
  readonly by: string;
  readonly words: string;
}

/** Returns the entry in a line of the Markdown, without its markup; none of any other line. */
function parseLine(line: string): Line[] {
  const [, clock, by, words] =
    /^- (\d[\d:.]*)(?: \(video [^)]*\))? \*\*([^*]+)\*\*(?: in tab \S+)? (.*)$/.exec(line) ?? [];
  if (clock === undefined || by === undefined || words === undefined) return [];
  return [{ clock, by, words: printable(words.replaceAll(/\\([\\`*_[\]<>#|!&~])/g, "$1")) }];
}
