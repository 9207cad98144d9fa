import { createTools } from "@cloud-browser/agent-tools/json-schema";

// Name, description and inputSchema are for the model; `control: false` for a service without /control.
const tools = createTools({ control: false });
const scrape = tools.find(({ name }) => name === "scrape");
const result = await scrape?.call({ session_id: "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318" });
console.log(result?.isError, result?.text.includes("Harbour ferries")); // false true
