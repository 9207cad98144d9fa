export type { CallOptions } from "./call.ts";
export {
  ClientError,
  type ClientErrorCode,
  type ClientErrorDetails,
  type Operation,
  type ValidationProblem,
} from "./client-error.ts";
export {
  createCloudBrowser,
  type AutomateOptions,
  type AutomationRequest,
  type CloudBrowser,
  type CookiesResponse,
  type DataSpace,
  type ReplayResponse,
  type ScrapeOptions,
  type ScrapeRequest,
} from "./cloud-browser.ts";
export type { RawClient } from "./connection.ts";
export type { CloudBrowserOptions } from "./settings.ts";
