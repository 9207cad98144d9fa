import "./node-version.ts";

export type { Clock } from "@cloud-browser/recorder";
export type { ModelLimits, ModelPrices, ModelSettings } from "@cloud-browser/page-content";
export type { RunLimits } from "./runs/run-options.ts";
export type { OpenSession, RunningService } from "./running-service.ts";
export { startService } from "./service.ts";
export type { ClusterOptions, ServiceOptions } from "./service-options.ts";
export { ServiceError, type ServiceErrorCode } from "./service-error.ts";
export type { SessionOptions, StartCookie } from "./sessions/session-options.ts";
export type { SessionLimits } from "./sessions/session-limits.ts";
