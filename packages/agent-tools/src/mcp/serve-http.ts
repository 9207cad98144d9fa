import { timingSafeEqual, createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  type McpServerFactory,
} from "@modelcontextprotocol/server";
import { createLegacySessions } from "./legacy-sessions.ts";

/** Settings of MCP over HTTP. */
export interface HttpSettings {
  /** Address that is listened at. Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** Port. Default: a free one. */
  readonly port?: number | undefined;
  /** Token that every request has to have, as `Authorization: Bearer`: at least 16 characters. */
  readonly token: string;
  /** Host names by which clients reach this server, beside those of this machine. Default: none. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/** A server that listens. */
export interface HttpServer {
  /** Address of the endpoint. */
  readonly url: string;
  /** Stops listening, and aborts requests in progress. */
  readonly close: () => Promise<void>;
}

/** Path of the endpoint. */
const path = "/mcp";
/** Shortest token. */
const shortestToken = 16;

/**
 * Serves MCP over streamable HTTP, for both eras of the protocol. A request with a `Host` or an `Origin` that is not this machine's, or one of
 * `allowedHosts`, is refused with 403, one without the token with 401.
 *
 * @throws {TypeError} when the token is too short.
 */
export async function serveHttp(factory: McpServerFactory, settings: HttpSettings): Promise<HttpServer> {
  const { host = "127.0.0.1", port = 0, token, allowedHosts = [] } = settings;
  if (token.length < shortestToken) {
    throw new TypeError(
      `MCP over HTTP needs a token of at least ${shortestToken} characters: whoever can send requests to it uses your API key; make one with: openssl rand -hex 24`,
    );
  }
  const modern = createMcpHandler(factory, { legacy: "reject" });
  const legacy = createLegacySessions(factory);
  const handle = async (request: Request): Promise<Response> => {
    const refused =
      hostHeaderValidationResponse(request, [...localhostAllowedHostnames(), ...allowedHosts]) ??
      originValidationResponse(request, [...localhostAllowedOrigins(), ...allowedHosts]) ??
      refuseStranger(request, token);
    if (refused !== undefined) return refused;
    if (new URL(request.url).pathname !== path) return problem(404, `the endpoint is ${path}`);
    return (await isLegacyRequest(request)) ? legacy.fetch(request) : modern.fetch(request);
  };
  const respond = toNodeHandler({ fetch: handle });
  const server = createServer((request, response) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is one; the type there forbids a method that is undefined
    void respond(request as Parameters<typeof respond>[0], response);
  });
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  const bound = address !== null && typeof address === "object" ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}${path}`,
    async close() {
      server.close();
      await Promise.allSettled([modern.close(), legacy.close()]);
      server.closeAllConnections();
    },
  };
}

/** Returns the refusal of a request without the token. */
function refuseStranger(request: Request, token: string): Response | undefined {
  const [, bearer = ""] = /^Bearer +(\S+)$/iu.exec(request.headers.get("authorization") ?? "") ?? [];
  if (timingSafeEqual(hashToken(bearer), hashToken(token))) return undefined;
  return problem(
    401,
    "the token is missing or wrong: send Authorization: Bearer <token>, the one this server was started with",
    {
      "www-authenticate": "Bearer",
    },
  );
}

function hashToken(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function problem(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }, { status, headers });
}
