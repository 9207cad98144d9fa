import type { components } from "@cloud-browser/spec/types";
import { version } from "../version.ts";
import { call } from "../calls/call.ts";
import { ClientError, guardArguments, omitUndefined } from "../errors/client-error.ts";
import type { PreparedFormat } from "../extraction/extraction.ts";
import type { Answer, CallContext, CallOptions, JsonObject } from "../calls/operation-call.ts";
import type { Extraction, ResponseFormat } from "../extraction/schema.ts";

type Schemas = components["schemas"];

/** A scrape request; all fields are optional, and may be `undefined`. Source: interface § Resources and their fields. */
export type ScrapeRequest = Scalars & {
  /** Names of HTML tags to ignore. */
  readonly ignored_tags?: readonly string[] | null | undefined;
  /** Not set: the page itself is scraped. */
  readonly response_format?: null | undefined;
};

/** A request for the page itself, as the last of all requests, so that the errors of the compiler are about it. */
export type PageRequest = Omit<ScrapeRequest, "response_format"> & {
  /** Not set: the page itself is scraped. */
  readonly response_format?: NoSchema | null | undefined;
};

/** Shows, in compiler errors, how to use a schema without a JSON Schema. No value has this type. */
export interface NoSchema {
  /** Advice in the errors of the compiler. */
  readonly "zod before 4.2 and others have no JSON Schema: pass [jsonSchema, schema], or before zod 3.24 [jsonSchema, guard]": never;
}

type Scalars = {
  readonly [Name in Exclude<keyof Schemas["ScrapeRequest"], "ignored_tags" | "response_format">]?:
    | Schemas["ScrapeRequest"][Name]
    | undefined;
};

/** An image of a page. Source: interface § Resources and their fields. */
export type ImageData = Schemas["ImageData"];

/** A request for images only. Source: interface § Resources and their fields. */
export type ImagesRequest = ScrapeRequest & {
  /** Scrapes only images, without the page content. */
  readonly only_images: true;
};

/** A request for data in a structure. Source: interface § Resources and their fields. */
export type DataRequest<Data> = Omit<ScrapeRequest, "response_format"> & {
  /** Structure of the data; sent as JSON Schema. */
  readonly response_format: ResponseFormat<Data>;
};

/** A request for data in a structure that the service chooses. Source: interface § Resources and their fields. */
export type InstructionsRequest = ScrapeRequest & {
  /** Instructions for the extraction, in free text. */
  readonly instructions: string;
};

/** The content of a page. Source: interface § Resources and their fields. */
export interface ScrapedPage {
  /** Markdown form of the page. */
  readonly markdown: string;
  /** Images of the page, if the service sends any. */
  readonly images?: readonly ImageData[] | null;
}

/** The images of a page. Source: interface § Resources and their fields. */
export interface ScrapedImages extends ScrapedPage {
  /** The images; empty when the service sends none. */
  readonly images: readonly ImageData[];
}

/** Data of a page. Source: interface § Resources and their fields. */
export interface ScrapedData<Data> extends ScrapedPage {
  /** Result of the extraction; has data only if they are valid. */
  readonly structured: Extraction<Data>;
}

/** Options of a scrape. Source: interface § Endpoints. */
export interface ScrapeOptions extends CallOptions {
  /** Sent as the query parameter of this name; the interface does not define its meaning. Default: not sent, which means true. */
  readonly update_metadata?: boolean | undefined;
}

/** Any request to scrape. */
export type AnyRequest = Omit<ScrapeRequest, "response_format"> & {
  readonly response_format?: ResponseFormat<unknown> | null | undefined;
};

/** Scrapes a page, and validates extracted data. */
export function scrapePage<Data>(
  context: CallContext,
  session_id: string,
  request: DataRequest<Data>,
  update_metadata: boolean | undefined,
): Promise<Answer<ScrapedData<Data>>>;
export function scrapePage(
  context: CallContext,
  session_id: string,
  request: AnyRequest,
  update_metadata: boolean | undefined,
): Promise<Answer<ScrapedPage>>;
export async function scrapePage(
  context: CallContext,
  session_id: string,
  request: AnyRequest,
  update_metadata: boolean | undefined,
): Promise<Answer<ScrapedPage>> {
  const { response_format, ...rest } = guardArguments(() => copyRequest(request));
  const formatOrInstructions = response_format ?? rest.instructions ?? undefined;
  const format = formatOrInstructions === undefined ? undefined : await loadFormat(response_format, context);
  const { requestOrigin, sdkVersion } = context.options;
  const header = {
    ...(requestOrigin !== undefined && { "x-service-request-origin": requestOrigin }),
    ...(sdkVersion !== undefined && { "x-service-sdk-version": sdkVersion === true ? version : sdkVersion }),
  };
  const query = update_metadata === undefined ? {} : { update_metadata };
  const params = { path: { session_id }, query };
  const body = omitUndefined({
    ...rest,
    ...(format && { response_format: format.jsonSchema }),
  });
  const decode = (page: JsonObject, signal?: AbortSignal): ScrapedPage | undefined | Promise<ScrapedPage> => {
    if (!isPage(page)) return undefined;
    const images = rest.only_images && { images: page.images ?? [] };
    const scraped = { ...page, ...images };
    return format ? format.judge(page.structured, signal).then((structured) => ({ ...scraped, structured })) : scraped;
  };
  return call(
    {
      request: { operation: "page_scrape", content: { params, header, body } },
      wrong: "markdown is not a string, or images not an array",
      decode,
    },
    context,
  );
}

/** Copies a request with its list, which the caller may change meanwhile. */
function copyRequest({ ignored_tags: tags, ...rest }: AnyRequest) {
  return { ...rest, ...(tags !== undefined && { ignored_tags: tags && [...tags] }) };
}

/** Loads the extraction on demand, as most calls do not need it. */
async function loadFormat(format: AnyRequest["response_format"], { connection }: CallContext): Promise<PreparedFormat> {
  const { prepareFormat } = await import("../extraction/extraction.ts");
  return prepareFormat(format).catch((thrown: unknown) => {
    // A getter or method of the caller's may throw anything, also the key.
    const { name, message, cause } = Object(connection.redact(thrown));
    const own = name === "UnusableFormat" ? connection.redactKeys(Object(thrown).message) : message;
    throw new ClientError("misuse", String(own), { operation: "page_scrape", ...(cause !== undefined && { cause }) });
  });
}

function isPage(body: JsonObject): body is Schemas["DataSpace"] & typeof body {
  const { markdown, images = null } = body;
  return typeof markdown === "string" && (images === null || Array.isArray(images));
}
