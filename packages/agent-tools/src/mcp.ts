export { runMcpCommand, type McpCommand } from "./cli/run-mcp-command.ts";
export { createMcpServer } from "./mcp/create-mcp-server.ts";
export type { HttpSettings } from "./mcp/serve-http.ts";
export { startMcp, type McpOptions, type RunningMcp } from "./mcp/start-mcp.ts";
export { allowances, type AgentProfile, type AgentToolsOptions, type Allowance } from "./tools/tool-settings.ts";
