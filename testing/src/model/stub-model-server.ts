import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { writeBody, writeChunks, type StubTurn, type StubUsage } from "./stub-turns.ts";

/** A message of a request, as it came. */
export interface StubMessage {
  /** `system`, `user`, `assistant` or `tool`. */
  readonly role: string;
  /** Its text. */
  readonly content: string | null;
  /** Tools that the assistant called. */
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** The body of a request, the fields that tests look at. */
export interface StubRequestBody {
  /** Name of the model. */
  readonly model: string;
  /** All messages. */
  readonly messages: readonly StubMessage[];
  /** True when a stream was requested. */
  readonly stream?: boolean;
  /** Requested format of the answer. */
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema: unknown } };
  /** Tools that were offered. */
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** A request that came. */
export interface StubRequest {
  /** Its path. */
  readonly path: string;
  /** Its headers; names in lower case. */
  readonly headers: IncomingMessage["headers"];
  /** Its body. */
  readonly body: StubRequestBody;
}

/** A provider that plays turns. */
export interface StubModelServer {
  /** Value for `baseUrl`. */
  readonly baseUrl: string;
  /** All requests so far, those that failed by plan too. */
  readonly requests: readonly StubRequest[];
  /** Reported usage so far, one entry for each complete turn: the truth that costs are compared with. */
  readonly ledger: readonly StubUsage[];
  /** Ends the server, and what hangs. */
  close(): Promise<void>;
}

/**
 * Starts an OpenAI-compatible server (`POST …/chat/completions`) on loopback that answers the first request with the
 * first turn, and so on. A request beyond the last turn gets the status 500, which says so.
 *
 * @param turns - The turns, or what makes one of a request; `number` counts from 0.
 * @param options - `apiKey`: other keys get 401. Any is taken unless told.
 */
export async function startStubModelServer(
  turns: readonly StubTurn[] | ((request: StubRequest, number: number) => StubTurn),
  options: { readonly apiKey?: string } = {},
): Promise<StubModelServer> {
  const requests: StubRequest[] = [];
  const ledger: StubUsage[] = [];
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: StubRequestBody = JSON.parse(await text(incoming));
    const request = { path: incoming.url ?? "", headers: incoming.headers, body };
    const number = requests.push(request) - 1;
    if (!request.path.endsWith("/chat/completions")) return fail(response, 404, "no such address");
    if (options.apiKey && request.headers.authorization !== `Bearer ${options.apiKey}`) {
      return fail(response, 401, `Incorrect API key provided: ${request.headers.authorization}`);
    }
    const turn = typeof turns === "function" ? turns(request, number) : turns[number];
    if (!turn) return fail(response, 500, "the stub has no more turns");
    if (await play(turn, number, body, response)) ledger.push(turn.usage ?? { input: 100, output: 10 });
  }

  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    ledger,
    async close() {
      const end = once(server, "close");
      server.close();
      server.closeAllConnections();
      await end;
    },
  };
}

/** Sends a turn; tells whether its usage was reported. */
async function play(turn: StubTurn, number: number, body: StubRequestBody, response: ServerResponse): Promise<boolean> {
  const { failure, delayMs = 0 } = turn;
  if (failure?.kind === "status") {
    const { retryAfter, location } = failure;
    const headers = {
      ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
      ...(location === undefined ? {} : { location }),
    };
    fail(response, failure.status, failure.message ?? "planned", headers);
    return false;
  }
  if (failure?.kind === "hang" && failure.afterBytes < 0) return false;
  response.writeHead(200, { "content-type": body.stream ? "text/event-stream" : "application/json" });
  response.flushHeaders();
  let bytesLeft = failure?.kind === "cut" || failure?.kind === "hang" ? failure.afterBytes : Infinity;
  for (const part of body.stream ? writeEvents(turn, number, body.model) : [writeWholeBody(turn, number, body.model)]) {
    if (delayMs > 0) await wait(delayMs);
    if (response.destroyed) return false;
    const bytes = Buffer.from(part);
    const hasRoom = response.write(bytes.subarray(0, bytesLeft));
    bytesLeft -= bytes.length;
    if (bytesLeft <= 0) {
      if (failure?.kind === "cut") setImmediate(() => response.destroy());
      return false;
    }
    if (!hasRoom) await Promise.race([once(response, "drain"), once(response, "close")]);
  }
  response.end();
  return failure === undefined && turn.usage !== null;
}

function writeWholeBody(turn: StubTurn, number: number, model: string): string {
  return turn.failure?.kind === "garbage" ? "<html>not JSON</html>" : writeBody(turn, number, model);
}

function writeEvents(turn: StubTurn, number: number, model: string): readonly string[] {
  const chunks = [...writeChunks(turn, number, model), "[DONE]"];
  if (turn.failure?.kind === "garbage") chunks.splice(Math.floor(chunks.length / 2), 0, '{"choices": [{"delta"');
  return chunks.map((chunk) => `data: ${chunk}\n\n`);
}

function fail(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ error: { message, type: "stub", code: null } }));
}
