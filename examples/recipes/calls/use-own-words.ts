// Uses a service that answers at /api/acme/start and knows x-acme-sdk-version: node use-own-words.ts "the task"
import { createCloudBrowser } from "@cloud-browser/client";

const client = createCloudBrowser({
  automationWord: "acme", // or CLOUD_BROWSER_AUTOMATION_WORD
  serviceWord: "acme", // or CLOUD_BROWSER_SERVICE_WORD
  sdkVersion: true, // sent with a scrape as x-acme-sdk-version
  hooks: { onRequest: ({ url }) => console.log(new URL(url).pathname) },
});
const stream = await client.automate({ query: process.argv[2] ?? "" });
console.log((await stream.outcome()).type);
