import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { isMainThread, Worker } from "node:worker_threads";
import { answers } from "./way.ts";

/** A real server on this machine, in a thread of its own, so that its work is not measured. */
export interface Loopback extends AsyncDisposable {
  /** Its address. */
  readonly baseUrl: string;
}

/** Starts the server. */
export async function startLoopback(): Promise<Loopback> {
  const worker = new Worker(new URL(import.meta.url), { stdout: true });
  const baseUrl = await new Promise<string>((resolve) => worker.stdout.setEncoding("utf8").once("data", resolve));
  return {
    baseUrl: baseUrl.trim(),
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}

if (!isMainThread) {
  const server = createServer(async (request, response) => {
    await text(request);
    response.setHeader("content-type", "application/json");
    response.end(request.url?.endsWith("/cookies") ? answers.cookies : answers.scrape);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (typeof address === "object") console.log(`http://127.0.0.1:${address?.port}`);
}
