import { ClientError, createCloudBrowser } from "@cloud-browser/client";

try {
  await createCloudBrowser({ retries: 0 }).scrape("a-session-that-has-ended");
} catch (error) {
  if (!(error instanceof ClientError)) throw error;
  console.log(error.code, error.status, error.retryable); // not-found 404 false
}
