export type { AutomateOptions, AutomationRequest } from "./operations/automate.ts";
export {
  ClientError,
  type ClientErrorCode,
  type ClientErrorDetails,
  type ClientErrorFacts,
  type ContractOperation,
  type Operation,
  type TimeoutPhase,
  type ValidationProblem,
} from "./errors/client-error.ts";
export {
  AbortedError,
  AuthenticationError,
  BadRequestError,
  BudgetError,
  DownloadError,
  ExtractionError,
  MisuseError,
  NetworkError,
  NoControlError,
  NotFoundError,
  RateLimitError,
  RedirectError,
  ReplayUnavailableError,
  ServerError,
  TimeoutError,
  TooLargeError,
  UnexpectedContentError,
  UnexpectedStatusError,
  UpstreamError,
  ValidationError,
  type ErrorKind,
} from "./errors/error-kinds.ts";
export type { ClientPromise } from "./calls/client-promise.ts";
export { createCloudBrowser, type CloudBrowser, type CookiesResponse, type ReplayResponse } from "./cloud-browser.ts";
export type { AddressedRequest, CustomFetch, FetchInit, ForeignResponse } from "./options/custom-fetch.ts";
export type { RawClient } from "./http/connection.ts";
export type {
  FailureNotice,
  Hooks,
  Logger,
  LogLevel,
  RequestNotice,
  ResponseNotice,
  RetryNotice,
  RunNotice,
} from "./options/hooks.ts";
export type { CallOptions } from "./calls/operation-call.ts";
export type { RetryOptions } from "./options/retry-policy.ts";
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
} from "./extraction/schema.ts";
export type {
  DataRequest,
  ImageData,
  ImagesRequest,
  InstructionsRequest,
  NoSchema,
  PageRequest,
  ScrapedData,
  ScrapedImages,
  ScrapedPage,
  ScrapeOptions,
  ScrapeRequest,
} from "./operations/scrape.ts";
export type { CallTimeouts, CloudBrowserOptions } from "./options/settings.ts";
export {
  createSpendLedger,
  type LedgerRun,
  type SpendLedger,
  type SpendLedgerOptions,
} from "./operations/spend-ledger.ts";
