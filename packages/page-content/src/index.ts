export { createModel, type Model } from "./model/model.ts";
export { computeCost, noTokens, readTokens, type TokenUsage } from "./model/cost.ts";
export { type ModelLimits, type ModelPrices, type ModelSettings } from "./model/model-settings.ts";
export { describeModelFailure, isProviderRefusal } from "./model/model-failure.ts";
export {
  PageScraper,
  type ScrapedContent,
  type ScrapeRequest,
  type ScrapeLimits,
  type PageScrapeOptions,
} from "./scrape/scrape-page.ts";
export { extractStructured, type ExtractionOptions } from "./structure/extract-structured.ts";
export { readTableCells, type TableCells, type TableRow, type TableView } from "./in-page/declared/table-cells.ts";
export { PageContentError, type PageContentErrorCode } from "./page-content-error.ts";
