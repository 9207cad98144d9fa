import "./cli/node-version.ts";

export type { PinnedReadings } from "./contract/readings.ts";
export type { Level } from "./contract/requirements.ts";
export type { Probe } from "./http/probe.ts";
export type { Check, Finding, Judgement } from "./checks/check.ts";
export type { Exchange, RawResponse } from "./http/exchange.ts";
export { defineConfig, type Configuration, type ReportFormat } from "./configuration/configuration.ts";
export { startPrism, type PrismServer } from "./embedded/mock.ts";
export type { Profile } from "./http/profile.ts";
export type { Retry } from "./http/sender.ts";
export type {
  CheckResult,
  ExpectationProblem,
  ExpectedFailure,
  Observation,
  ReadingResult,
  RecordedExchange,
  Report,
  RequirementResult,
  Setting,
} from "./report/report.ts";
export type { Counts, Status, Verdict } from "./report/verdict.ts";
export type { Credentials } from "./http/credentials.ts";
export type { Operation } from "./contract/contract.ts";
export type { RequestPlan } from "./http/request-plan.ts";
export { runConformance } from "./run/run-conformance.ts";
export type { Progress, RunOptions, RunPlan } from "./run/run-options.ts";
export { SuiteError, type SuiteErrorCode } from "./http/suite-error.ts";
export { checks } from "./run/suite.ts";
export { liveTarget, type LiveTargetOptions } from "./run/live-target.ts";
export { prismTarget, type PrismTarget } from "./embedded/mock.ts";
export { serviceTarget, type ServiceTarget } from "./embedded/service-target.ts";
export { type Capability, type Target } from "./target/target.ts";
export { defaultLimits, type Limits } from "./http/limits.ts";
