export { createAiTools, type AiToolsOptions } from "./ai-sdk/create-ai-tools.ts";
export { allowances, type AgentProfile, type AgentToolsOptions, type Allowance } from "./tools/tool-settings.ts";
