import { parseArgs } from "node:util";
import { startMcp, type McpOptions } from "../mcp/start-mcp.ts";
import { allowances, type AgentToolsOptions, type Allowance } from "../tools/tool-settings.ts";
import { version } from "../version.ts";

/** The command, and how it was called. */
export interface McpCommand {
  /** Its name, in help and errors. */
  readonly name: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /**
   * Returns address and key of the service for the value of `--base-url`. Default: `CLOUD_BROWSER_BASE_URL` and `CLOUD_BROWSER_API_KEY`.
   */
  readonly connect?: ((baseUrl: string | undefined) => AgentToolsOptions) | undefined;
}

const help = (name: string): string => `Usage: ${name} [options]

Serves the tools of a cloud browser to an MCP client, on standard input and output.
CLOUD_BROWSER_BASE_URL and CLOUD_BROWSER_API_KEY say which service, and with which key.

Options:
  --base-url <url>          base URL of the service
  --profile <name>          profile that sessions begin with; what they change is not kept
  --profile-write           keep it
  --allow <what>            ${allowances.join(", ")}; several by commas or again
  --max-page-chars <n>      most characters of a page in one result (default: 16000)
  --http                    serve streamable HTTP on 127.0.0.1 instead; needs CLOUD_BROWSER_MCP_TOKEN
  --port <n>                port of --http (default: a free one)
  --host <address>          address of --http (default: 127.0.0.1)
  --allowed-host <name>     another name by which clients reach it; may be given again
  --version, --help

Example:
  claude mcp add cloud-browser -- npx -y @cloud-browser/agent-tools --profile shop
`;

/** Runs the command until it ends, and resolves with its exit code: 0, or 2 when it was called wrongly. */
export async function runMcpCommand({ name, args, connect }: McpCommand): Promise<number> {
  try {
    const options = readOptions(name, args);
    if (typeof options === "string") {
      process.stdout.write(options);
      return 0;
    }
    const { url, closed, close } = await startMcp({ ...connect?.(options.baseUrl), ...options });
    if (url !== undefined) process.stderr.write(`MCP over HTTP: ${url}\n`);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void close());
    await closed;
    return 0;
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

/** @throws {TypeError} when a flag can't be used. */
function readOptions(name: string, args: readonly string[]): McpOptions | string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      allow: { type: "string", multiple: true },
      "base-url": { type: "string" },
      "allowed-host": { type: "string", multiple: true },
      help: { type: "boolean", short: "h" },
      host: { type: "string" },
      http: { type: "boolean" },
      "max-page-chars": { type: "string" },
      port: { type: "string" },
      profile: { type: "string" },
      "profile-write": { type: "boolean" },
      version: { type: "boolean" },
    },
  });
  if (values.help === true) return help(name);
  if (values.version === true) return `${version}\n`;
  const { profile, "profile-write": keeps, "max-page-chars": most } = values;
  const port = parseNumber("--port", values.port);
  if (port !== undefined && port > 65_535) throw new TypeError("--port must be at most 65535");
  return {
    allow: (values.allow ?? []).flatMap((list) => list.split(",")).map(parseAllowance),
    ...(values["base-url"] !== undefined && { baseUrl: values["base-url"] }),
    ...(profile !== undefined && { profile: { name: profile, mode: keeps === true ? "write" : "read" } }),
    ...(most !== undefined && { maxPageChars: parseNumber("--max-page-chars", most) }),
    ...(values.http === true && {
      http: {
        host: values.host,
        port,
        token: process.env["CLOUD_BROWSER_MCP_TOKEN"] ?? "",
        allowedHosts: values["allowed-host"],
      },
    }),
  };
}

function parseNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/u.test(text)) throw new TypeError(`${flag} must be a whole number; it is ${JSON.stringify(text)}`);
  return Number(text);
}

function parseAllowance(text: string): Allowance {
  const found = allowances.find((one) => one === text.trim());
  if (found === undefined) throw new TypeError(`--allow: ${JSON.stringify(text)} is none of ${allowances.join(", ")}`);
  return found;
}
