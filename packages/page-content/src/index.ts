export { createModel, type Model } from "./model/model.ts";
export { costOf, noTokens, tokensOf, type TokenUsage } from "./model/cost.ts";
export { type ModelLimits, type ModelPrices, type ModelSettings } from "./model/model-settings.ts";
export { describeModelFailure, isRefusal } from "./model/model-failure.ts";
export {
  PageScraper,
  type Scraped,
  type ScrapeRequest,
  type ScrapeLimits,
  type ScrapeOptions,
} from "./scrape/scrape-page.ts";
export { extractStructured, type Extraction } from "./structure/extract-structured.ts";
export { PageContentError, type PageContentErrorCode } from "./page-content-error.ts";
