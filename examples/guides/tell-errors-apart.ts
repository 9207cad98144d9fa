import { createCloudBrowser, NetworkError, RateLimitError, ValidationError } from "@cloud-browser/client";

try {
  console.log((await createCloudBrowser().scrape("s1")).markdown);
} catch (error) {
  if (error instanceof ValidationError) for (const { path, msg } of error.problems) console.error(path, msg);
  else if (error instanceof RateLimitError) console.error(error.status, error.retryAfterMs);
  else if (error instanceof NetworkError) console.error(error.message); // such as "… connection refused … (ECONNREFUSED)"
  else throw error;
}
