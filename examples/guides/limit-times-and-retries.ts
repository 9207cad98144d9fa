import { createCloudBrowser } from "@cloud-browser/client";

const client = createCloudBrowser({
  timeouts: { headersMs: 30_000, totalMs: 120_000 },
  retries: { max: 4 },
  hooks: { onRetry: ({ operation, delayMs, error }) => console.log(operation, delayMs, error.code) },
});
const { cookies } = await client.cookies("s1", { signal: AbortSignal.timeout(60_000), retries: 0 });
console.log(cookies.length);
