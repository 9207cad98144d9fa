import { createCloudBrowser } from "@cloud-browser/client";
import { z } from "zod";

const ticket = z.object({ title: z.string(), cents: z.number() });
const { title, cents } = await createCloudBrowser().extract("9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318", {
  response_format: ticket,
});
console.log(`${title}: ${cents} cents`); // Day ticket: 1850 cents
