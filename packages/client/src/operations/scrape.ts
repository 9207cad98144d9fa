import type { components } from "@cloud-browser/spec/types";
import { call } from "../calls/call.ts";
import { ClientError } from "../errors/client-error.ts";
import { defined } from "../errors/defined.ts";
import type { PreparedFormat } from "../extraction/extraction.ts";
import type { Answer, CallContext, CallOptions, JsonObject } from "../calls/operation-call.ts";
import type { Extraction, ResponseFormat } from "../extraction/schema.ts";

type Schemas = components["schemas"];

/** Options of a scrape; every field may be left out, or `undefined`. Source: interface § Resources and their fields. */
export type ScrapeRequest = Scalars & {
  /** Names of HTML tags to ignore. */
  readonly ignored_tags?: readonly string[] | null | undefined;
  /** No structure: the page itself is wanted. */
  readonly response_format?: null | undefined;
};

type Scalars = {
  readonly [Name in Exclude<keyof Schemas["ScrapeRequest"], "ignored_tags" | "response_format">]?:
    | Schemas["ScrapeRequest"][Name]
    | undefined;
};

/** An image of a page. Source: interface § Resources and their fields. */
export type ImageData = Schemas["ImageData"];

/** A request for images only. Source: interface § Resources and their fields. */
export type ImagesRequest = ScrapeRequest & {
  /** Only images are scraped, and the page content is left out. */
  readonly only_images: true;
};

/** A request for data in a structure. Source: interface § Resources and their fields. */
export type DataRequest<Data> = Omit<ScrapeRequest, "response_format"> & {
  /** The structure that the data must follow; it is sent as JSON Schema. */
  readonly response_format: ResponseFormat<Data>;
};

/** A request for data in whatever structure the service gives them. Source: interface § Resources and their fields. */
export type InstructionsRequest = ScrapeRequest & {
  /** Instructions for the extraction, in free text. */
  readonly instructions: string;
};

/** The content of a page. Source: interface § Resources and their fields. */
export interface ScrapedPage {
  /** Markdown form of the page. */
  readonly markdown: string;
  /** Images of the page, when the service gives any. */
  readonly images?: readonly ImageData[] | null;
}

/** The images of a page. Source: interface § Resources and their fields. */
export interface ScrapedImages extends ScrapedPage {
  /** The images; empty when the service gives none. */
  readonly images: readonly ImageData[];
}

/** Data of a page. Source: interface § Resources and their fields. */
export interface ScrapedData<Data> extends ScrapedPage {
  /** Outcome of the extraction: data only when they were checked. */
  readonly structured: Extraction<Data>;
}

/** Options of one scrape. Source: interface § Endpoints. */
export interface ScrapeOptions extends CallOptions {
  /** Sent as the query parameter of this name; the interface gives it no meaning. Default: not sent, which means true. */
  readonly update_metadata?: boolean | undefined;
}

/** Any request to scrape. */
export type AnyRequest = Omit<ScrapeRequest, "response_format"> & {
  readonly response_format?: ResponseFormat<unknown> | null | undefined;
};

/** Scrapes a page; what it was asked for is judged. */
export async function scrapePage(
  context: CallContext,
  session_id: string,
  { response_format, ...rest }: AnyRequest,
  update_metadata: boolean | undefined,
): Promise<Answer<ScrapedPage>> {
  const wanted = response_format ?? rest.instructions ?? undefined;
  const format = wanted === undefined ? undefined : await prepared(response_format);
  const { ignored_tags } = rest;
  const tags = ignored_tags && [...ignored_tags];
  const { requestOrigin, sdkVersion } = context.options;
  const header = defined({ "x-service-request-origin": requestOrigin, "x-service-sdk-version": sdkVersion });
  const params = { path: { session_id }, query: defined({ update_metadata }), header };
  const body = defined({ ...rest, ignored_tags: tags, response_format: format?.jsonSchema });
  const decode = async (page: JsonObject): Promise<ScrapedPage | undefined> => {
    if (!isPage(page)) return undefined;
    const images = rest.only_images && { images: page.images ?? [] };
    return { ...page, ...images, ...(format && { structured: await format.judge(page.structured) }) };
  };
  return call({ request: { operation: "page_scrape", content: { params, body } }, decode }, context);
}

/** Loaded when it is needed: most calls extract nothing. */
async function prepared(format: AnyRequest["response_format"]): Promise<PreparedFormat> {
  const { prepareFormat } = await import("../extraction/extraction.ts");
  return prepareFormat(format).catch(({ message, cause }: Error) => {
    throw new ClientError("misuse", message, { operation: "page_scrape", ...(cause !== undefined && { cause }) });
  });
}

function isPage(body: JsonObject): body is Schemas["DataSpace"] & typeof body {
  const { markdown, images = null } = body;
  return typeof markdown === "string" && (images === null || Array.isArray(images));
}
