import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";

/** A body that every operation but an automation takes for an answer. */
export const fitting = '{"markdown":"","cookies":[]}';

/** What the server saw of one request. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A real HTTP server on a free port of this machine, which gives the configured responses and records the requests. */
export interface FaultServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: ReceivedRequest[];
}

/** How the server answers: as a whole, or by hand. */
export type Fault = { status?: number; headers?: Record<string, string>; body?: string } | RequestListener;

/** Starts a server that gives every request the same answer. */
export async function startFaultServer(fault: Fault): Promise<FaultServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      requests.push({ method, url, headers, body });
      if (typeof fault === "function") return fault(request, response);
      response.writeHead(fault.status ?? 200, { "content-type": "application/json", ...fault.headers });
      response.end(fault.body ?? fitting);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
