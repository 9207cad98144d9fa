import { WebStandardStreamableHTTPServerTransport, type McpServerFactory } from "@modelcontextprotocol/server";

/** Connections of clients of the 2025 revisions, over HTTP. */
export interface LegacySessions {
  /** Serves a request. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Closes all of them. */
  readonly close: () => Promise<void>;
}

interface LegacySession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAtMs: number;
}

/** Maximum number of connections; beyond it the least recently used one is closed. */
const mostSessions = 64;
/** Lifetime of an unused connection, in milliseconds. */
const idleMs = 60 * 60_000;

/**
 * Keeps a server for each client of the 2025 revisions, which it needs to ask the person a question during a call. A client whose
 * connection was closed gets 404, and starts another.
 */
export function createLegacySessions(factory: McpServerFactory): LegacySessions {
  const sessions = new Map<string, LegacySession>();
  const begin = async (request: Request): Promise<Response> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        sessions.set(id, { transport, usedAtMs: Date.now() });
        makeRoom();
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const server = await factory({ era: "legacy", requestInfo: request });
    await server.connect(transport);
    return transport.handleRequest(request);
  };
  const makeRoom = (): void => {
    const oldest = [...sessions].toSorted(([, a], [, b]) => a.usedAtMs - b.usedAtMs);
    for (const [index, [id, { transport, usedAtMs }]] of oldest.entries()) {
      if (oldest.length - index <= mostSessions && Date.now() - usedAtMs <= idleMs) continue;
      sessions.delete(id);
      void transport.close();
    }
  };
  return {
    async fetch(request) {
      const id = request.headers.get("mcp-session-id");
      if (id === null) return begin(request);
      const session = sessions.get(id);
      if (session === undefined) {
        const error = { code: -32_001, message: "Session not found: send initialize without mcp-session-id" };
        return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 404 });
      }
      session.usedAtMs = Date.now();
      return session.transport.handleRequest(request);
    },
    async close() {
      await Promise.allSettled([...sessions.values()].map(({ transport }) => transport.close()));
      sessions.clear();
    },
  };
}
