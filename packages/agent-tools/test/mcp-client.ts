import { Client, InMemoryTransport, type CallToolResult } from "@modelcontextprotocol/client";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

/** The two eras of the protocol. */
export const eras = ["2025", "2026-07-28"] as const;
/** One of them. */
export type Era = (typeof eras)[number];

/** How a person answers what a server asks. */
export type Person = (question: {
  readonly mode: string;
  readonly message: string;
  readonly url?: string;
}) => Promise<{ readonly action: "accept" | "decline" | "cancel"; readonly content?: Record<string, boolean> }>;

/** A client that is connected in memory. */
export interface ConnectedClient extends AsyncDisposable {
  readonly client: Client;
  /** Calls a tool; what it says. */
  readonly call: (
    name: string,
    args?: Record<string, unknown>,
    options?: Parameters<Client["callTool"]>[1],
  ) => Promise<CalledText>;
  /** Progress messages of all calls. */
  readonly progress: readonly string[];
}

/** What a tool said. */
export interface CalledText {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly raw: CallToolResult;
}

/** Connects the client of the SDK to a server of a factory, in an era of the protocol. Without a person the client can't ask anybody. */
export async function connectInMemory(factory: McpServerFactory, era: Era, person?: Person): Promise<ConnectedClient> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(factory, { transport: serverSide });
  const client = createTestClient(era, person);
  await client.connect(clientSide);
  return wrapClient(client, async () => {
    await client.close();
    await handle.close();
  });
}

/** Creates a client of an era. */
export function createTestClient(era: Era, person?: Person): Client {
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: person === undefined ? {} : { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: era === "2025" ? "legacy" : { pin: "2026-07-28" } },
    },
  );
  if (person !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const { mode = "form", message } = params;
      return person({ mode, message, ...("url" in params && { url: params.url }) });
    });
  }
  return client;
}

/** Adds what tests do with a client. */
export function wrapClient(client: Client, close: () => Promise<void>): ConnectedClient {
  const progress: string[] = [];
  const note = ({ message = "" }: { message?: string | undefined }): void => void progress.push(message);
  return {
    client,
    progress,
    async call(name, args = {}, options = {}) {
      const raw = await client.callTool({ name, arguments: args }, { onprogress: note, ...options });
      const text = raw.content.map((part) => ("text" in part ? part.text : "")).join("\n");
      return { text, isError: raw.isError === true, structured: { ...Object(raw.structuredContent) }, raw };
    },
    [Symbol.asyncDispose]: close,
  };
}
