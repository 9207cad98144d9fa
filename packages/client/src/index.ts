export type { AutomateOptions, AutomationRequest } from "./automate.ts";
export {
  ClientError,
  type ClientErrorCode,
  type ClientErrorDetails,
  type ClientErrorFacts,
  type Operation,
  type TimeoutPhase,
  type ValidationProblem,
} from "./client-error.ts";
export type { ClientPromise } from "./client-promise.ts";
export { createCloudBrowser, type CloudBrowser, type CookiesResponse, type ReplayResponse } from "./cloud-browser.ts";
export type { RawClient } from "./connection.ts";
export type { Hooks, Logger, RequestNotice, ResponseNotice, RetryNotice } from "./hooks.ts";
export type { CallOptions } from "./operation-call.ts";
export type { RetryOptions } from "./retry-policy.ts";
export type {
  Extraction,
  FailedExtraction,
  Issue,
  JsonSchema,
  JsonSchemaKeywords,
  ResponseFormat,
  StandardIssue,
  StandardJsonSchema,
  StandardSchema,
  Verdict,
} from "./schema.ts";
export type {
  DataRequest,
  ImageData,
  ImagesRequest,
  InstructionsRequest,
  ScrapedData,
  ScrapedImages,
  ScrapedPage,
  ScrapeOptions,
  ScrapeRequest,
} from "./scrape.ts";
export type { CallTimeouts, CloudBrowserOptions } from "./settings.ts";
export { createSpendLedger, type LedgerRun, type SpendLedger, type SpendLedgerOptions } from "./spend-ledger.ts";
