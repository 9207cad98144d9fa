import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createCloudBrowser, type CloudBrowserOptions } from "../../src/index.ts";
import { getHead, startSocketServer, streamContent } from "../calls/fault-socket.ts";

/** Everything that could make a client send again. */
export const eager: CloudBrowserOptions = {
  apiKey: "key",
  retries: { max: 10, baseMs: 1, maxMs: 2, maxRetryAfterMs: 5, unsentAutomations: true },
  timeouts: { headersMs: 120, bodyMs: 120, firstEventMs: 120, bytesMs: 120, eventsMs: 120 },
};

/** What is asked of an automation. */
export const request = { query: "Book the 9 o'clock ferry, and pay for it." };

const hints = [{}, { "retry-after": "0" }, { "retry-after-ms": "1" }, { location: "/elsewhere" }];

/**
 * Starts runs that are answered with each of these statuses, with each header that suggests another request. Returns the statuses after
 * which there was not exactly the one request of the run.
 */
export async function listRepeatedStatuses(statuses: readonly number[]): Promise<number[]> {
  const again: number[] = [];
  let head = "";
  const mark = randomUUID();
  await using server = await startSocketServer({ onRequest: (socket) => socket.write(head) }, streamContent);
  const client = createCloudBrowser({ ...eager, timeouts: {}, baseUrl: server.url });
  let runs = 0;
  for (const status of statuses) {
    for (const hint of status >= 300 ? hints : [{}]) {
      head = getHead(status, { "content-length": [204, 304].includes(status) ? [] : "0", ...hint });
      // Each has a task of its own: a repeated request, or one of another test, is recognized.
      const task = { query: `${request.query} ${mark} ${runs}` };
      const stream = await client.automate(task).catch(() => undefined);
      await stream?.outcome();
      const bodies = server.requests.slice(runs).map(({ body }) => body);
      if (bodies.join("\n") !== JSON.stringify(task)) again.push(status);
      runs++;
    }
  }
  await delay(50);
  if (server.requests.length !== runs) again.push(NaN);
  return again;
}
