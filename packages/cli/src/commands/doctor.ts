import type { Command } from "commander";
import { ClientError } from "@cloud-browser/client";
import manifest from "../../package.json" with { type: "json" };
import { startCommand } from "../connection/connection.ts";
import { defaultDataFolder, localService } from "../connection/local-service.ts";
import { describeArray, describeObject } from "../output/output-schema.ts";
import { addCommand, type Call, type ProgramContext } from "../command/command.ts";
import { CliError } from "../errors/cli-error.ts";
import { readMessage } from "../errors/exit-codes.ts";
import { printable } from "../terminal/printable.ts";
import { loadService, serviceInstall } from "./service-package.ts";

/** One thing that was looked at. */
interface Finding {
  /** Name of the part that was checked. */
  readonly name: string;
  /** `ok`; `missing`: something can't be done without it; `faulty`: present, but not working. */
  readonly status: "ok" | "missing" | "faulty";
  /** Result of the check. */
  readonly found: string;
  /** Advice; null when it is `ok`. */
  readonly advice: string | null;
}

/** Adds the command that checks what is missing on this machine. */
export function register(program: Command, context: ProgramContext): void {
  addCommand(
    program,
    context,
    "doctor",
    {
      summary: "say what is missing on this machine, and what to do: to reach a server, and to run a service here",
      output: describeObject({
        findings: describeArray(
          describeObject({
            name: { type: "string" },
            status: { enum: ["ok", "missing", "faulty"] },
            found: { type: "string" },
            advice: { type: ["string", "null"] },
          }),
        ),
      }),
      examples: ["doctor", "doctor --json | jq '.findings[] | select(.status != \"ok\")'"],
    },
    doctor,
  );
}

async function doctor(call: Call<object>): Promise<void> {
  const { terminal, print } = call;
  const findings = [node(), ...(await server(call)), ...(await machine())];
  print({ findings }, () => {
    const width = Math.max(...findings.map(({ name }) => name.length));
    const { green, yellow, red } = terminal.colors;
    const signs = { ok: green("✓"), missing: yellow("–"), faulty: red("✗") };
    for (const { name, status, found, advice } of findings) {
      terminal.print(`${signs[status]} ${name.padEnd(width)}  ${printable(found)}`);
      if (advice !== null) terminal.print(`${" ".repeat(width + 4)}${printable(advice)}`);
    }
  });
  const faulty = findings.filter(({ status }) => status === "faulty");
  if (faulty.length > 0) {
    throw new CliError("impossible", `not well: ${faulty.map(({ name }) => name).join(", ")}`);
  }
}

function node(): Finding {
  const found = `${process.versions.node}, ${process.platform} ${process.arch}`;
  // An older one did not come as far as here: `cli.ts` says so.
  return { name: "Node.js", status: "ok", found: `${found}; ${manifest.engines.node} is needed`, advice: null };
}

/** Checks the server that flags and environment name. */
async function server({ flags, terminal, signal, connect }: Call<object>): Promise<readonly Finding[]> {
  const here = localService(flags.data ?? defaultDataFolder(terminal.env));
  const baseUrl = flags.baseUrl ?? here?.url;
  if (baseUrl === undefined) {
    const advice = `set CLOUD_BROWSER_BASE_URL and CLOUD_BROWSER_API_KEY, or start a service here: ${startCommand}`;
    return [{ name: "base URL", status: "missing", found: "none, and no service runs here", advice }];
  }
  const place = { name: "base URL", status: "ok", found: withoutSecrets(baseUrl), advice: null } as const;
  let connection: ReturnType<typeof connect>;
  try {
    connection = connect();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const isKey = error.failure === "authentication";
    const finding = { name: isKey ? "API key" : "base URL", found: error.message } as const;
    return isKey
      ? [place, { ...finding, status: "missing", advice: "set CLOUD_BROWSER_API_KEY" }]
      : [{ ...finding, status: "faulty", advice: "correct it" }];
  }
  const options = { signal, retries: 0 };
  try {
    const { version, status } = await connection.control.readHealth(options);
    await connection.control.sessions.list({ limit: 1 }, options);
    const found = `@cloud-browser/service ${version}, ${status}`;
    return [place, { name: "/control", status: "ok", found, advice: null }];
  } catch (error) {
    if (signal.aborted || !(error instanceof ClientError)) throw error;
    if (error.code === "network" || error.code === "timeout") {
      const advice = "is the server running, and is this its address?";
      return [{ ...place, status: "faulty", found: error.message, advice }];
    }
    if (error.code === "authentication") {
      const advice = "set CLOUD_BROWSER_API_KEY to a key of this server";
      return [place, { name: "API key", status: "faulty", found: error.message, advice }];
    }
    const advice = "scrape, cookies, replay and automate work; sessions are opened in another way";
    return [place, { name: "/control", status: "missing", found: error.message, advice }];
  }
}

/** Checks what a service needs on this machine. */
async function machine(): Promise<readonly Finding[]> {
  const service = await loadService();
  if (!service) {
    const advice = `only to run a service here: ${serviceInstall}`;
    return [{ name: "service", status: "missing", found: "@cloud-browser/service is not installed", advice }];
  }
  try {
    const parts = await service.checkMachine();
    return parts.map(({ name, found, isFaulty }) => ({
      name,
      found,
      status: isFaulty ? "faulty" : "ok",
      advice: isFaulty ? `cloud-browser serve --check tries it with your flags` : null,
    }));
  } catch (error) {
    const advice = "cloud-browser serve --help has its settings";
    return [{ name: "service", status: "faulty", found: readMessage(error), advice }];
  }
}

/** An address without what may be a secret in it. */
function withoutSecrets(address: string): string {
  const { origin, pathname } = URL.parse(address) ?? {};
  return origin === undefined ? "not a URL" : `${origin}${pathname}`;
}
