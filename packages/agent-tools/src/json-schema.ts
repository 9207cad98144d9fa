export {
  createTools,
  type PlainToolResult,
  type PersonCallbacks,
  type PlainCallOptions,
  type PlainTool,
  type PlainToolsOptions,
} from "./plain/create-tools.ts";
export { allowances, type AgentProfile, type AgentToolsOptions, type Allowance } from "./tools/tool-settings.ts";
export type { FactValue, ObjectSchema, PropertySchema, ToolHints } from "./tools/tool.ts";
