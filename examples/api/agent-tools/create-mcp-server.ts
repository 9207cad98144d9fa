import { createMcpServer } from "@cloud-browser/agent-tools/mcp";

const factory = createMcpServer({ allow: ["billed-runs"] }); // for serveStdio or createMcpHandler of the MCP SDK
console.log(typeof factory); // function
