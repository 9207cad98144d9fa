import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A server within the program, for what no mock can play. */
export interface LocalServer extends AsyncDisposable {
  /** Its address. */
  readonly url: string;
}

/** Starts a server on a free port of this machine. */
export async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<LocalServer> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
