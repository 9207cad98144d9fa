import "./node-version.ts";

export type { Clock } from "./clock.ts";
export type { ModelLimits, ModelPrices, ModelSettings } from "./model/model-settings.ts";
export type { RunLimits } from "./automation/runs.ts";
export { startService, type OpenSession, type RunningService, type ServiceOptions } from "./service.ts";
export { ServiceError, type ServiceErrorCode } from "./service-error.ts";
export type { SessionOptions, StartCookie } from "./sessions/session-options.ts";
export type { SessionLimits } from "./sessions/sessions.ts";
