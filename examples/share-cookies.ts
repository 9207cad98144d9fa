// Takes the cookies of a session along: to Playwright, to curl, to one's own requests.
//
//   node --conditions=@cloud-browser/source examples/share-cookies.ts [session]
//
// Address and key come from CLOUD_BROWSER_BASE_URL and CLOUD_BROWSER_API_KEY; without an address a mock is started.
import { createCloudBrowser } from "@cloud-browser/client";
import { toCookieHeader, toCookiesTxt, toPlaywrightCookies } from "@cloud-browser/client/cookies";
import { startPrism } from "@cloud-browser/conformance";

await using mock = process.env["CLOUD_BROWSER_BASE_URL"] ? undefined : await startPrism();
if (mock) console.log(`CLOUD_BROWSER_BASE_URL is not set: using a mock at ${mock.url}`);
const client = createCloudBrowser(mock && { apiKey: "any-key", baseUrl: mock.url });
const read = await client.cookies(process.argv[2] ?? "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318");

const playwright = toPlaywrightCookies(read); // await context.addCookies(playwright.cookies)
for (const { name, domain } of playwright.cookies) console.log(`Playwright gets ${name} of ${domain}`);

const curl = toCookiesTxt(read); // await writeFile("cookies.txt", curl.text), and then: curl -b cookies.txt
console.log(`curl gets ${curl.text.split("\n").filter((line) => line.includes("\t")).length} lines`);
for (const { reason, field, name } of curl.losses) console.log(`  ${reason}: ${field} of ${name}`);

const { header } = toCookieHeader(read, "http://www.ferries.example/"); // no secure cookies for http:
console.log(`a request gets ${header.replaceAll(/=[^;]*/g, "=…")}`); // values are secrets
