import { createCloudBrowser } from "@cloud-browser/client";
import { z } from "zod";

const client = createCloudBrowser();
const session = "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318";

const { markdown } = await client.scrape(session, { only_main_content: true });
console.log(markdown); // # Harbour ferries…

const { images } = await client.scrape(session, { only_images: true });
console.log(`${images.length} images`); // 7 images

const ticket = z.object({ title: z.string(), cents: z.number() });
const { structured } = await client.scrape(session, { response_format: ticket });
console.log(structured.success && structured.data.title); // Day ticket
