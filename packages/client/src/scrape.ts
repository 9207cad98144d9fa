import type { components } from "@cloud-browser/spec/types";
import { json, type Answer, type CallOptions, type Send } from "./call.ts";
import { defined } from "./defined.ts";
import type { Extraction, ResponseFormat } from "./schema.ts";

type Schemas = components["schemas"];

/** What to scrape and how; every field may be left out. Source: interface § Resources and their fields. */
export type ScrapeRequest = Omit<Schemas["ScrapeRequest"], "response_format"> & { readonly response_format?: null };
/** An image of a page. Source: interface § Resources and their fields. */
export type ImageData = Schemas["ImageData"];

/** A request for images only. Source: interface § Resources and their fields. */
export type ImagesRequest = ScrapeRequest & { readonly only_images: true };

/** A request for data in a structure. Source: interface § Resources and their fields. */
export type DataRequest<Data> = Omit<ScrapeRequest, "response_format"> & {
  /** The structure that the data must follow; it is sent as JSON Schema. */
  readonly response_format: ResponseFormat<Data>;
};

/** A request for data in whatever structure the service gives them. Source: interface § Resources and their fields. */
export type InstructionsRequest = ScrapeRequest & { readonly instructions: string };

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
  /** What became of the extraction: data only when they were checked. */
  readonly structured: Extraction<Data>;
}

/** Options of one scrape. Source: interface § Endpoints. */
export interface ScrapeOptions extends CallOptions {
  /** Sent as the query parameter of this name; the interface gives it no meaning. Default: not sent, which means true. */
  readonly update_metadata?: boolean | undefined;
}

/** Any request to scrape. */
export type AnyRequest = Omit<ScrapeRequest, "response_format"> & {
  readonly response_format?: ResponseFormat<unknown> | null;
};

/** Scrapes a page; what it was asked for is judged. */
export async function scrapePage(
  send: Send,
  session_id: string,
  { response_format, ...rest }: AnyRequest,
  { update_metadata, ...own }: ScrapeOptions,
): Promise<Answer<ScrapedPage>> {
  const wanted = response_format ?? rest.instructions ?? undefined;
  // Loaded when it is needed: most calls extract nothing.
  const format =
    wanted === undefined ? undefined : await (await import("./extraction.ts")).prepareFormat(response_format);
  const body = format?.jsonSchema ? { ...rest, response_format: format.jsonSchema } : rest;
  const path = { session_id };
  const query = defined({ update_metadata });
  return send(
    (raw, { requestOrigin, sdkVersion }) => ({
      operation: "page_scrape",
      accept: json,
      act: (init) => {
        const header = defined({ "x-service-request-origin": requestOrigin, "x-service-sdk-version": sdkVersion });
        return raw.POST("/sessions/{session_id}/page/scrape", { ...init, params: { path, query, header }, body });
      },
      async read(_, objectOf) {
        const page = await objectOf(isPage);
        const images = rest.only_images && { images: page.images ?? [] };
        return { ...page, ...images, ...(format && { structured: await format.judge(page.structured) }) };
      },
    }),
    own,
  );
}

function isPage(body: Readonly<Record<string, unknown>>): body is Schemas["DataSpace"] & typeof body {
  const { markdown, images = null } = body;
  return typeof markdown === "string" && (images === null || Array.isArray(images));
}
