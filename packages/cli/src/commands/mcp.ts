import type { Command } from "commander";
import { addLocal, type ProgramContext } from "../program/command.ts";
import { CommandError } from "../program/command-error.ts";

/** What is used of `@cloud-browser/agent-tools`. */
interface AgentTools {
  /** Starts the MCP server, and resolves when it has ended. */
  readonly startMcp: (options: { readonly args: readonly string[] }) => Promise<void>;
}

/** Name of the package; a variable, so that nothing tries to resolve it before it is asked for. */
const packageName = "@cloud-browser/agent-tools";

/** Adds the command that starts the MCP server for agents. */
export function register(program: Command, context: ProgramContext): void {
  const summary = "serve tools for agents by the Model Context Protocol, on standard input and output";
  addLocal(program, context, "mcp", { summary, examples: ["mcp"] }, async (args) => {
    const { startMcp } = await loadAgentTools();
    await startMcp({ args });
  });
}

async function loadAgentTools(): Promise<AgentTools> {
  try {
    const tools: AgentTools = await import(packageName);
    return tools;
  } catch (error) {
    const { code }: { readonly code?: unknown } = Object(error);
    if (code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new CommandError("usage", `mcp needs ${packageName}, which is not installed: npm install ${packageName}`);
  }
}
