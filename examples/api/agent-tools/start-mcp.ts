import { startMcp } from "@cloud-browser/agent-tools/mcp";

const server = await startMcp({ http: { port: 0, token: crypto.randomUUID() } }); // without `http`: on standard input and output
console.log(server.url); // http://127.0.0.1:…
await server.close();
