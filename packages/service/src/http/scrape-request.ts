import openapi from "@cloud-browser/spec/openapi.json" with { type: "json" };
import type { components } from "@cloud-browser/spec/types";
import { Ajv2020 } from "ajv/dist/2020.js";
import { toFaults, type Fault } from "../control/validation-faults.ts";
import type { ReadJson } from "./json-body.ts";

/** Options of a scrape. Source: interface § ScrapeRequest. */
export type ScrapeRequest = components["schemas"]["ScrapeRequest"];

const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false });
const validate = ajv.compile<ScrapeRequest>(openapi.components.schemas.ScrapeRequest);

/** A scrape, as its client asks for it. Source: interface § Endpoints. */
export interface ScrapeCall {
  /** Its options. */
  readonly request: ScrapeRequest;
  /** True when address and title of the session are stored. */
  readonly updatesMetadata: boolean;
}

/** Reads a scrape from the query parameter `update_metadata` and a body, or returns all faults in both. */
export function readScrapeCall(
  query: string | undefined,
  body: ReadJson,
): ScrapeCall | { readonly faults: readonly Fault[] } {
  const update = parseBooleanQuery(query, "update_metadata", true);
  const read = "fault" in body ? { faults: [body.fault] } : readScrapeRequest(body.value);
  if ("value" in update && "request" in read) return { request: read.request, updatesMetadata: update.value };
  return { faults: [...("fault" in update ? [update.fault] : []), ...("faults" in read ? read.faults : [])] };
}

/** Reads a scrape request from a body, or returns all faults in it. Source: interface § ScrapeRequest. */
export function readScrapeRequest(
  body: unknown,
): { readonly request: ScrapeRequest } | { readonly faults: readonly Fault[] } {
  if (!validate(body)) return { faults: toFaults(validate.errors ?? []) };
  const faults = findTagFaults(body);
  return faults.length > 0 ? { faults } : { request: body };
}

/** Names of elements as HTML has them; those of custom elements have a hyphen, and may have a point. */
const tagName = /^(?:\p{L}[\p{L}\p{N}_:]*|\p{L}[\p{L}\p{N}_:.]*-[\p{L}\p{N}_:.-]*)$/u;

/** Rejects malformed tag names instead of ignoring them. */
function findTagFaults({ ignored_tags: tags }: ScrapeRequest): readonly Fault[] {
  return (tags ?? []).flatMap((tag, index): readonly Fault[] => {
    if (tagName.test(tag.trim())) return [];
    const msg = "Input should be the name of an HTML tag, such as nav: no selector, and no angle brackets";
    return [{ loc: ["body", "ignored_tags", index], msg, type: "value_error", input: tag.slice(0, 100) }];
  });
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Reads a query parameter that is a boolean. Source: interface § Endpoints (`update_metadata`). */
export function parseBooleanQuery(
  text: string | undefined,
  name: string,
  otherwise: boolean,
): { readonly value: boolean } | { readonly fault: Fault } {
  if (text === undefined) return { value: otherwise };
  const value = booleans.get(text.toLowerCase());
  if (value !== undefined) return { value };
  const msg = "Input should be a valid boolean: true or false";
  return { fault: { loc: ["query", name], msg, type: "bool_parsing", input: text.slice(0, 100) } };
}
