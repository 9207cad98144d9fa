import { createTools } from "@cloud-browser/agent-tools/json-schema";

// A model reads name, description and inputSchema of each tool.
const tools = createTools({ confirm: (question) => question.includes("shop.example"), control: false });
console.log(tools.map(({ name }) => name).join(", "));

// Its call is passed on unchecked; a wrong call is answered with what to do.
const toolCall = { name: "scrape", arguments: { session_id: "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318", outline: true } };
const result = await tools.find(({ name }) => name === toolCall.name)?.call(toolCall.arguments);
console.log(result?.isError, result?.text);
