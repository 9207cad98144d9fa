import { createCloudBrowser } from "@cloud-browser/client";

// Address and key: options, or CLOUD_BROWSER_BASE_URL and CLOUD_BROWSER_API_KEY.
const client = createCloudBrowser({ timeouts: { headersMs: 60_000 }, retries: { max: 4 } });
const { markdown } = await client.scrape("9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318");
console.log(markdown); // # Harbour ferries…
