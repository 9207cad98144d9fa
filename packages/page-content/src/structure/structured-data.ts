import type { Json } from "../in-page/declared/declared-data.ts";
import type { components } from "@cloud-browser/spec/types";

/** Structured data of a scrape. Source: interface § StructuredData. */
export type StructuredData = components["schemas"]["StructuredData"];

/** Data that follows its schema. */
export function makeSuccess(data: Json): StructuredData {
  return { success: true, error: null, data };
}

/** Creates the result of a failed extraction; the error is in whole sentences. */
export function makeFailure(error: string): StructuredData {
  return { success: false, error, data: null };
}
