import { createCloudBrowser } from "@cloud-browser/client";

const client = createCloudBrowser();
const { images } = await client.scrape("s1", { only_images: true });
for (const { url, category, description } of images) console.log(category, description, url);

// Every call also gives access to its HTTP response.
const { data, response } = await client.scrape("s1", { selector: "main" }).withResponse();
console.log(response.status, data.markdown.length);
