// Scrapes the page of a session into a Markdown file: node scrape-to-file.ts <session> page.md
import { rename, writeFile } from "node:fs/promises";
import { createCloudBrowser } from "@cloud-browser/client";

const [session = "", file = "page.md"] = process.argv.slice(2);
const client = createCloudBrowser(); // CLOUD_BROWSER_BASE_URL and CLOUD_BROWSER_API_KEY

const { markdown } = await client.scrape(session, { only_main_content: true });
await writeFile(`${file}.part`, markdown);
await rename(`${file}.part`, file); // nobody reads half a file
console.log(`${Buffer.byteLength(markdown)} bytes, ${markdown.split("\n", 1)[0]}`);
