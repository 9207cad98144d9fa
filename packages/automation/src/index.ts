export { type FunctionRecord } from "./functions/function-record.ts";
export { AutomationError, type AutomationErrorCode } from "./automation-error.ts";
export { type DownloadEnd, type KeptFile, type RunningDownload, type FilesAtWork } from "./page/files.ts";
export { type PersonAnswer, type PersonAtWork } from "./page/person.ts";
export {
  type AutomationEvent,
  type ProgressEvent,
  type TerminalEvent,
  type Work,
  type Worker,
  type Workplace,
} from "./task/work.ts";
export { writeFunctionSource } from "./functions/function-source.ts";
export { makeFunctionOfActs, type ActsFunction, type ActsRange } from "./acts/function-of-acts.ts";
export { actRefusalCodes, type ActRefusal } from "./acts/act-refusal.ts";
export { type RecordedEntry } from "./acts/recorded-entry.ts";
export { functionName } from "./agent/function-name.ts";
export { FunctionWorker } from "./functions/run-function.ts";
export { Agent } from "./agent/agent.ts";
export { defaultAgentLimits, type AgentLimits } from "./agent/agent-limits.ts";
export { Planner } from "./planner/planner.ts";
export { performStep } from "./steps/perform-step.ts";
export { type Step, type Variable } from "./task/step.ts";
export { undeclaredVariables } from "./task/step-variables.ts";
