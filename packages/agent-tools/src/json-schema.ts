export {
  createTools,
  type CallResult,
  type PersonCallbacks,
  type PlainCallOptions,
  type PlainTool,
  type PlainToolsOptions,
} from "./plain/create-tools.ts";
export { allowances, type AgentProfile, type AgentToolsOptions, type Allowance } from "./tools/tool-settings.ts";
export type { Json, ObjectSchema, PropertySchema, ToolHints } from "./tools/tool.ts";
