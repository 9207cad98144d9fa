// Extracts data in a structure of valibot: node extract-with-valibot.ts <session>
import { createCloudBrowser } from "@cloud-browser/client";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";

const Tea = v.object({
  name: v.string(),
  price: v.pipe(v.number(), v.minValue(0)),
});

const client = createCloudBrowser();
const { structured } = await client.scrape(process.argv[2] ?? "", { response_format: toStandardJsonSchema(Tea) });
if (structured.success) console.log(`${structured.data.name}: ${structured.data.price.toFixed(2)}`);
else if (structured.reason === "mismatch") console.log(structured.issues.map(({ message }) => message).join("; "));
else console.log(structured.reason);
