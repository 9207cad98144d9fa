// Waits as long as a service asks for, and no longer than you have time: node wait-after-429.ts <session>
import { createCloudBrowser, RateLimitError } from "@cloud-browser/client";

const client = createCloudBrowser({
  retries: { max: 5, maxRetryAfterMs: 120_000 }, // default: 2 retries, each after at most a minute
  timeouts: { totalMs: 300_000 },
  hooks: { onRetry: ({ error, delayMs }) => console.log(`${error.code}: again in ${delayMs} ms`) },
});
try {
  const { markdown } = await client.scrape(process.argv[2] ?? "");
  console.log(markdown.split("\n", 1)[0]);
} catch (error) {
  if (!(error instanceof RateLimitError)) throw error;
  console.log(`come back in ${(error.retryAfterMs ?? 0) / 1000} s`); // longer than maxRetryAfterMs
  process.exitCode = 75; // EX_TEMPFAIL: a job runner may try again
}
