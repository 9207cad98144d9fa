// Watches calls in progress: hooks for a program, a logger for people.
//
//   node --conditions=@cloud-browser/source examples/watch-calls.ts
//
// Needs nothing: a server within the program plays the service.
import { createCloudBrowser } from "@cloud-browser/client";
import { startFlakyService } from "./servers/flaky-service.ts";

await using service = await startFlakyService();
let waitedMs = 0;
const client = createCloudBrowser({
  apiKey: "any-key",
  baseUrl: service.url,
  hooks: {
    onRequest: ({ operation, attempt }) => console.log(`${operation}, attempt ${attempt}`),
    onResponse: ({ status }) => console.log(`answered with ${status}`),
    onRetry: ({ delayMs }) => (waitedMs += delayMs),
  },
  // Whatever has debug() and warn(), such as console. Neither sees a key, a body or the query of an address.
  logger: { debug() {}, warn: (message, { error }) => console.log(`${message} after ${error.code}`) },
});

const { response } = await client.scrape("ferries").withResponse();
console.log(`${response.headers.get("x-request-id")} succeeded after ${waitedMs} ms of waiting`);
