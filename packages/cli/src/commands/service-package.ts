import type { Command } from "commander";
import { addLocal, type ProgramContext } from "../command/command.ts";
import { CliError } from "../errors/cli-error.ts";

/** Exports of `@cloud-browser/service` that are used. */
type ServicePackage = typeof import("@cloud-browser/service/commands");

/** Command that installs the service beside this program. */
export const serviceInstall =
  "npm install @cloud-browser/service (without an install: npx @cloud-browser/service serve)";

/**
 * Loads the service, which is an optional peer: it brings a browser and an encoder, hundreds of megabytes that a remote server does not
 * need. Resolves with undefined when it is not installed.
 */
export async function loadService(): Promise<ServicePackage | undefined> {
  try {
    return await import("@cloud-browser/service/commands");
  } catch (error) {
    const { code, message = "" }: { readonly code?: unknown; readonly message?: string } = Object(error);
    if (code === "ERR_MODULE_NOT_FOUND" && message.includes("@cloud-browser/service")) return undefined;
    throw error;
  }
}

/** Commands that the service has, and this program starts: their flags are its own. */
const commands = {
  serve: {
    summary: "run the service on this machine until it is stopped by Ctrl-C, SIGTERM or SIGHUP",
    examples: ["serve", "serve --port 8090 --max-sessions 5", "serve --check"],
  },
  backup: {
    summary: "copy the data folder of a service on this machine, while it runs or not",
    examples: ["backup /var/backups/monday", "backup --data /var/lib/cloud-browser --json /var/backups/monday"],
  },
  restore: {
    summary: "make a data folder of a backup, once all of it was checked",
    examples: ["restore /var/backups/monday --data /var/lib/cloud-browser-2"],
  },
  bucket: {
    summary: "prepare the bucket for recordings of a service",
    examples: ["bucket prepare --bucket 's3://recordings/cloud-browser?region=eu-central-1'"],
  },
} as const;

/** Adds the commands of the service. */
export function register(program: Command, context: ProgramContext): void {
  for (const [name, { summary, examples }] of Object.entries(commands)) {
    addLocal(program, context, name, { summary, examples }, async (args) => {
      const service = await loadService();
      if (!service) {
        throw new CliError("usage", `${name} needs @cloud-browser/service, which is not installed: ${serviceInstall}`);
      }
      await service.runProgram({ name: "cloud-browser", args: [name, ...args] });
    });
  }
}
