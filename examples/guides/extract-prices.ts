import { createCloudBrowser } from "@cloud-browser/client";
import { z } from "zod";

const client = createCloudBrowser();
const response_format = z.object({ title: z.string(), price_eur: z.number() });
const { structured } = await client.scrape("s1", { response_format });
if (structured.success) console.log(structured.data.price_eur);
else if (structured.reason === "failed") console.log("the extraction failed:", structured.error);
else if (structured.reason === "missing") console.log("no data");
else for (const { path, message } of structured.issues) console.log(path.join("."), message);
