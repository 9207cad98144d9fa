import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";

/** An HTTP server of a test. */
export interface HttpServer extends AsyncDisposable {
  /** Its address, without a slash at its end. */
  readonly url: string;
  /** The requests that it received. */
  readonly requests: IncomingMessage[];
}

/** Serves on a free port of loopback; ends its connections when it is disposed of. */
export async function serveHttp(answer: RequestListener): Promise<HttpServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((message, response) => {
    requests.push(message);
    answer(message, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
