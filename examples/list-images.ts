// Lists the images of the current page of a session.
//
//   node --conditions=@cloud-browser/source examples/list-images.ts [session]
//
// Address and key come from CLOUD_BROWSER_BASE_URL and CLOUD_BROWSER_API_KEY; without an address a mock is started.
import { createCloudBrowser } from "@cloud-browser/client";
import { startPrism } from "@cloud-browser/conformance";

await using mock = process.env["CLOUD_BROWSER_BASE_URL"] ? undefined : await startPrism();
if (mock) console.log(`CLOUD_BROWSER_BASE_URL is not set: using a mock at ${mock.url}`);
const headers = { prefer: "example=images" }; // which example the mock answers with
const client = createCloudBrowser(mock && { apiKey: "any-key", baseUrl: mock.url, headers });
const session = process.argv[2] ?? "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318";

const { images } = await client.scrape(session, { only_images: true });
for (const { url, category, description } of images) {
  if (category !== "content_image" && category !== "svg_content") continue; // icons and decoration
  console.log(`${description}: ${url}`);
}
console.log(`${images.length} images in all`);
