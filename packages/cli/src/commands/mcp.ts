import type { Command } from "commander";
import { clientOptions } from "../connection/connection.ts";
import { addLocal, type ProgramContext } from "../command/command.ts";

/** Adds the command that starts the MCP server for agents: its flags are its own. */
export function register(program: Command, context: ProgramContext): void {
  const summary = "serve tools for agents by the Model Context Protocol, on standard input and output";
  addLocal(
    program,
    context,
    "mcp",
    { summary, examples: ["mcp", "mcp --profile shop", "mcp --help"] },
    async (args) => {
      const { runMcpCommand } = await import("@cloud-browser/agent-tools/mcp");
      const { env } = context.terminal;
      const connect = (baseUrl = env["CLOUD_BROWSER_BASE_URL"]) =>
        clientOptions(
          {
            ...pickOption("baseUrl", baseUrl),
            ...pickOption("automationUrl", env["CLOUD_BROWSER_AUTOMATION_URL"]),
            ...pickOption("automationWord", env["CLOUD_BROWSER_AUTOMATION_WORD"]),
            ...pickOption("serviceWord", env["CLOUD_BROWSER_SERVICE_WORD"]),
            ...pickOption("data", env["CLOUD_BROWSER_DATA"]),
          },
          context.terminal,
        );
      const code = await runMcpCommand({ name: "cloud-browser mcp", args, connect });
      // A run whose stream is still read would keep the process.
      process.exit(code);
    },
  );
}

/** Returns a flag that a variable gives. */
function pickOption<Name extends string>(name: Name, value: string | undefined): Partial<Record<Name, string>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a computed name has the type of all texts
  return value === undefined || value === "" ? {} : ({ [name]: value } as Record<Name, string>);
}
