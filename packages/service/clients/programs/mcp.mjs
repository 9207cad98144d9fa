// What the two MCP servers share: a server on stdio, and the text of what its tools answer.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

/** Starts a server; returns a function that calls its tools, with another one that ends it. It throws what a tool answers as an error. */
export async function serve(path, args, cwd) {
  const client = new Client({ name: "test-clients", version: "1.0.0" });
  const env = { ...process.env, CI: "1" };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [path, ...args], cwd, env, stderr: "ignore" }),
  );
  const call = async (name, toolArgs = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: toolArgs });
    const text = content.map((part) => part.text ?? `[${part.type} ${part.mimeType}]`).join("\n");
    if (isError) throw new Error(text);
    return text;
  };
  return Object.assign(call, { end: () => client.close() });
}
