// Scrapes the current page of a session as Markdown.
//
//   node --conditions=@cloud-browser/source examples/scrape.ts [session]
//
// Address and key come from CLOUD_BROWSER_BASE_URL and CLOUD_BROWSER_API_KEY; without an address a mock is started.
import { ClientError, createCloudBrowser } from "@cloud-browser/client";
import { startPrism } from "@cloud-browser/conformance";

await using mock = process.env["CLOUD_BROWSER_BASE_URL"] ? undefined : await startPrism();
if (mock) console.log(`CLOUD_BROWSER_BASE_URL is not set: using a mock at ${mock.url}`);
const client = createCloudBrowser(mock && { apiKey: "any-key", baseUrl: mock.url, automationUrl: mock.url });
const session = process.argv[2] ?? "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318";

try {
  const { markdown } = await client.scrape(session, { only_main_content: true });
  console.log(markdown);
} catch (error) {
  if (!(error instanceof ClientError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  for (const { path, msg } of error.problems) console.error(`- ${path}: ${msg}`);
  process.exitCode = 1;
}
