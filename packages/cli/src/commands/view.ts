import { Option, type Command } from "commander";
import { describeObject } from "../output/output-schema.ts";
import { addCommand, type Call, type ProgramContext } from "../command/command.ts";
import { CliError } from "../errors/cli-error.ts";
import { consolePage, openInBrowser } from "../terminal/open-in-browser.ts";

interface ViewFlags {
  readonly steer?: boolean;
  readonly print?: boolean;
}

/** Adds the command that opens the live view of a session. */
export function register(program: Command, context: ProgramContext): void {
  addCommand<ViewFlags>(
    program,
    context,
    "view",
    {
      summary: "open the live view of a session in your browser; in a pipe, print its address, which is a secret",
      args: { "<session_id>": "id of the session" },
      options: [
        new Option("--steer", "open the page of the console on which you act in it, after signing in with your key"),
        new Option("--print", "print the address, and open nothing"),
      ],
      output: describeObject({
        url: { type: "string", format: "uri", description: "A secret, unless --steer is given." },
      }),
      examples: ["view 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b", "view 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b --steer"],
    },
    view,
  );
}

async function view(call: Call<ViewFlags>, id: string): Promise<void> {
  const { flags, terminal, signal, connect, print } = call;
  const { control, baseUrl } = connect();
  const { viewer_url, state } = await control.sessions.read(id, { signal });
  const url = flags.steer && state === "active" ? consolePage(baseUrl, id) : viewer_url;
  if (url === null) {
    throw new CliError("impossible", `the session has ended; its recording: cloud-browser replay ${id} --open`);
  }
  if (flags.json || flags.print || !terminal.stdout.isTTY) return print({ url }, () => terminal.print(url));
  await openInBrowser(url, { ...terminal, note: (text) => terminal.note(`${text}: ${url}`) });
}
