import "./node-version.ts";

export type { Check, Finding, Judgement, Level, Probe } from "./check.ts";
export type { Exchange, RawResponse } from "./exchange.ts";
export { defineConfig, type Configuration, type ReportFormat } from "./configuration.ts";
export { startPrism, type PrismServer } from "./prism.ts";
export type {
  CheckResult,
  Counts,
  ExpectationProblem,
  ExpectedFailure,
  Observation,
  Profile,
  RecordedExchange,
  Report,
  RequirementResult,
  Retry,
  Setting,
  Status,
  Verdict,
} from "./report.ts";
export type { Credentials } from "./credentials.ts";
export type { Operation, RequestPlan } from "./request-plan.ts";
export { runConformance } from "./run-conformance.ts";
export type { Progress, RunOptions, RunPlan } from "./run-options.ts";
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
export { defaultLimits, type Limits } from "./limits.ts";
