// Uses the contract itself, typed: for what the client has no method for, and for who wants to see every status.
//
//   node --conditions=@cloud-browser/source examples/use-raw-client.ts [session]
//
// Address and key come from CLOUD_BROWSER_BASE_URL and CLOUD_BROWSER_API_KEY; without an address a mock is started.
import { createCloudBrowser } from "@cloud-browser/client";
import { startPrism } from "@cloud-browser/conformance";

await using mock = process.env["CLOUD_BROWSER_BASE_URL"] ? undefined : await startPrism();
if (mock) console.log(`CLOUD_BROWSER_BASE_URL is not set: using a mock at ${mock.url}`);
const { raw } = createCloudBrowser(mock && { apiKey: "any-key", baseUrl: mock.url });
const session_id = process.argv[2] ?? "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318";

// #region call
// openapi-fetch: nothing is thrown for a status, nothing is repeated, nothing is timed.
raw.use({ onRequest: ({ request }) => request.headers.set("x-service-request-origin", "example") });
const { data, error, response } = await raw.POST("/sessions/{session_id}/page/scrape", {
  params: { path: { session_id }, query: { update_metadata: false } },
  body: { only_main_content: true },
});
console.log(response.status, data ? data.markdown.split("\n", 1)[0] : error);
// #endregion call
