import { once } from "node:events";
import { createServer } from "node:http";

/** A provider that streams text for as long as somebody reads. */
export interface FloodServer {
  /** To be given as `baseUrl`. */
  readonly baseUrl: string;
  /** Bytes that were handed to the connection until now. */
  readonly countBytes: () => number;
  /** Whether the reader has gone before the end. */
  readonly isLeft: () => boolean;
  /** Ends it. */
  close(): Promise<void>;
}

/** Starts a provider whose one answer has so many bytes of text, sent no faster than they are taken. */
export async function startFloodServer(bytes: number): Promise<FloodServer> {
  const delta = JSON.stringify({ choices: [{ index: 0, delta: { content: "x".repeat(16_000) } }] });
  const end = JSON.stringify({
    choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  });
  let bytesWritten = 0;
  let isLeft = false;
  const server = createServer((request, response) => {
    response.on("close", () => (isLeft = !response.writableFinished));
    void (async () => {
      request.resume();
      const closing = once(response, "close");
      response.writeHead(200, { "content-type": "text/event-stream" });
      while (bytesWritten < bytes && !response.destroyed) {
        const line = `data: ${delta}\n\n`;
        bytesWritten += line.length;
        if (!response.write(line)) await Promise.race([once(response, "drain"), closing]);
      }
      response.end(`data: ${end}\n\ndata: [DONE]\n\n`);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    countBytes: () => bytesWritten,
    isLeft: () => isLeft,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
