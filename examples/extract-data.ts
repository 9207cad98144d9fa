// Extracts data from the current page of a session, in a structure of one's own.
//
//   node --conditions=@cloud-browser/source examples/extract-data.ts [session]
//
// Address and key come from CLOUD_BROWSER_BASE_URL and CLOUD_BROWSER_API_KEY; without an address a mock is started.
import { ClientError, createCloudBrowser } from "@cloud-browser/client";
import { startPrism } from "@cloud-browser/conformance";
import { z } from "zod"; // or arktype, or valibot with its wrapper; or plain JSON Schema

await using mock = process.env["CLOUD_BROWSER_BASE_URL"] ? undefined : await startPrism();
if (mock) console.log(`CLOUD_BROWSER_BASE_URL is not set: using a mock at ${mock.url}`);
const client = createCloudBrowser(mock && { apiKey: "any-key", baseUrl: mock.url });
const answering = (example: string): object => (mock ? { headers: { prefer: `example=${example}` } } : {});
const session = process.argv[2] ?? "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318";

const ticket = z.object({ title: z.string(), price_eur: z.number().transform((euros) => Math.round(euros * 100)) });

// An extraction that fails is no error: the result says what became of it.
const { structured } = await client.scrape(session, { response_format: ticket }, answering("structured"));
if (structured.success) console.log(`${structured.data.title}: ${structured.data.price_eur} cents`);
else if (structured.reason === "failed") console.log(`the service says: ${structured.error}`);
else if (structured.reason === "missing") console.log("the service gave no data");
else for (const { path, message } of structured.issues) console.log(`${path.join(".")}: ${message}`);

// extract() gives the data alone, and throws when there are none.
try {
  const { title } = await client.extract(session, { response_format: ticket }, answering("extraction-failed"));
  console.log(title);
} catch (error) {
  if (!(error instanceof ClientError) || error.extraction?.reason !== "failed") throw error;
  console.log(`no ticket: ${error.extraction.error}`);
}
