import {
  createCloudBrowser,
  type DataRequest,
  type Extraction,
  type InstructionsRequest,
  type ResponseFormat,
} from "../../src/index.ts";
import { startFaultServer } from "../calls/fault-server.ts";

/** What became of one scrape. */
export interface ScrapeResult {
  /** The judged data. */
  readonly extraction: Extraction<unknown>;
  /** The bodies of the requests that the service got, in order. */
  readonly bodies: readonly object[];
}

/**
 * Scrapes a page of a service that answers with `page`, or with this text.
 *
 * @param page - all of the answer but `markdown`
 */
export async function scrapePage(
  request: DataRequest<unknown> | InstructionsRequest,
  page: Readonly<Record<string, unknown>> | string,
): Promise<ScrapeResult> {
  const body = typeof page === "string" ? page : JSON.stringify({ markdown: "", ...page });
  await using server = await startFaultServer({ body });
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url, retries: 0 });
  const { structured } = await ("response_format" in request && request.response_format
    ? client.scrape("s1", request)
    : client.scrape("s1", request));
  const bodies = server.requests.map((one): object => JSON.parse(one.body));
  return { extraction: structured, bodies };
}

/** What a caller without types may pass. */
export function asFormat(format: unknown): ResponseFormat<unknown>;
export function asFormat(format: unknown): unknown {
  return format;
}
