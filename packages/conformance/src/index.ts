export type { Check, Finding, Judgement, Level, Probe } from "./check.ts";
export type { Exchange, RawResponse } from "./exchange.ts";
export { startPrism, type PrismServer } from "./prism.ts";
export type {
  CheckResult,
  Counts,
  Observation,
  RecordedExchange,
  Report,
  RequirementResult,
  Status,
  Verdict,
} from "./report.ts";
export type { Credentials, Operation, RequestPlan } from "./request-plan.ts";
export { runConformance, type Progress, type RunOptions } from "./run-conformance.ts";
export { SuiteError, type SuiteErrorCode } from "./suite-error.ts";
export { checks } from "./suite.ts";
export {
  liveTarget,
  prismTarget,
  type Capability,
  type LiveTargetOptions,
  type PrismTarget,
  type Target,
} from "./target.ts";
export { defaultLimits, type Limits } from "./transport.ts";
