import { createTools } from "@cloud-browser/agent-tools/json-schema";

// What a model is told of the tools: name, description, inputSchema.
const tools = createTools({ confirm: (question) => question.includes("shop.example"), control: false });
console.log(tools.map(({ name }) => name).join(", "));

// What it wants is called as it came; a call that is wrong is answered with what to do.
const wanted = { name: "scrape", arguments: { session_id: "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318", outline: true } };
const result = await tools.find(({ name }) => name === wanted.name)?.call(wanted.arguments);
console.log(result?.isError, result?.text);
