// Reads the cookies of a session, and where its replay can be downloaded.
//
//   node --conditions=@cloud-browser/source examples/cookies-and-replay.ts [session]
//
// Address and key come from CLOUD_BROWSER_BASE_URL and CLOUD_BROWSER_API_KEY; without an address a mock is started.
import { ClientError, createCloudBrowser } from "@cloud-browser/client";
import { startPrism } from "@cloud-browser/conformance";

await using mock = process.env["CLOUD_BROWSER_BASE_URL"] ? undefined : await startPrism();
if (mock) console.log(`CLOUD_BROWSER_BASE_URL is not set: using a mock at ${mock.url}`);
const client = createCloudBrowser(mock && { apiKey: "any-key", baseUrl: mock.url, automationUrl: mock.url });
const session = process.argv[2] ?? "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318";

try {
  const { cookies } = await client.cookies(session);
  for (const { name, domain } of cookies) console.log(`cookie ${name} of ${domain}`); // the value is a secret

  const { mp4_url, video_duration_ms, expires_at } = await client.replay(session);
  const { origin, pathname } = new URL(mp4_url); // the query is a secret
  console.log(`replay of ${video_duration_ms / 1000} s at ${origin}${pathname}, until ${expires_at}`);
} catch (error) {
  if (!(error instanceof ClientError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
