// What goes wrong, and what a program can do about it.
//
//   node --conditions=@cloud-browser/source examples/handle-errors.ts
//
// Needs nothing: a server within the program plays the service.
import { ClientError, createCloudBrowser } from "@cloud-browser/client";
import { startFlakyService } from "./servers/flaky-service.ts";

await using service = await startFlakyService();
const client = createCloudBrowser({ apiKey: "any-key", baseUrl: service.url, retries: { max: 2 } });

async function scrape(session: string, selector?: string): Promise<void> {
  try {
    const { markdown } = await client.scrape(session, { selector }, { timeouts: { totalMs: 10_000 } });
    console.log(markdown.trim());
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const { code, requestId, attempts, retryable } = error;
    if (code === "validation") for (const { path, msg } of error.problems) console.log(`wrong at ${path}: ${msg}`);
    else if (code === "not-found") console.log(`no session ${session}, says ${requestId}`);
    else if (code === "misuse") console.log(`this program is wrong: ${error.message}`);
    // What is retryable may do better later. It was tried as often as it may be.
    else console.log(`${code} after ${attempts} attempts, retryable: ${retryable}`);
  }
}

await scrape("ferries"); // answered twice with 503, and then
await scrape("ferries", "#none");
await scrape("trains");
await scrape("..");
await service[Symbol.asyncDispose]();
await scrape("ferries");
