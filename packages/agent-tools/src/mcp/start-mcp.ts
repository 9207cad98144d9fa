import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { AgentToolsOptions } from "../tools/tool-settings.ts";
import { untilSettled } from "../async.ts";
import { createMcpServer } from "./create-mcp-server.ts";
import { serveHttp, type HttpSettings } from "./serve-http.ts";

/** Options of an MCP server. */
export interface McpOptions extends AgentToolsOptions {
  /** Settings of streamable HTTP; without them it speaks over standard input and output. Default: none. */
  readonly http?: HttpSettings | undefined;
}

/** An MCP server that serves. */
export interface RunningMcp {
  /** Address of its endpoint; undefined on standard input and output. */
  readonly url: string | undefined;
  /** Resolves when it serves no more: it was closed, or standard input has ended. */
  readonly closed: Promise<void>;
  /** Closes the server. Runs that were started continue. */
  readonly close: () => Promise<void>;
}

/**
 * Starts an MCP server: on standard input and output, or over streamable HTTP on this machine. Clients of the revision 2026-07-28 and of those of 2025
 * are served alike. Writes nothing but the protocol.
 *
 * @throws {TypeError} when an option can't be used.
 * @throws {ClientError} `misuse` when the key or the base URL is missing or can't be used.
 *
 * @example
 * ```ts from=examples/api/agent-tools/start-mcp.ts
 * import { startMcp } from "@cloud-browser/agent-tools/mcp";
 *
 * const server = await startMcp({ http: { port: 0, token: crypto.randomUUID() } }); // without `http`: on standard input and output
 * console.log(server.url); // http://127.0.0.1:…
 * await server.close();
 * ```
 */
export async function startMcp({ http, ...options }: McpOptions = {}): Promise<RunningMcp> {
  const factory = createMcpServer(options);
  const { promise: closed, settle } = untilSettled();
  if (http !== undefined) {
    const server = await serveHttp(factory, http);
    return {
      url: server.url,
      closed,
      async close() {
        await server.close();
        settle();
      },
    };
  }
  const handle = serveStdio(factory);
  process.stdin.once("end", settle).once("close", settle);
  return {
    url: undefined,
    closed,
    async close() {
      await handle.close();
      settle();
    },
  };
}
