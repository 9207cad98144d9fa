/** Faults of structured data. */
import type { PageFault } from "./page-fault.ts";
import type { DataSpace, ScrapeOptions } from "../scrape.ts";
import type { Twist } from "../site-server.ts";

const meaning = (option: string): string => `scrape.request.${option}.meaning`;

const structured = (data: unknown): Twist => ({
  scrape: (answer, asked): DataSpace =>
    asked.response_format && answer.structured?.success === true
      ? { ...answer, structured: { success: true, error: null, data } }
      : answer,
});

/** Servers with one fault each. */
export const extractionFaults: readonly PageFault[] = [
  {
    name: "leaves out the structure that was asked for",
    twist: { scrape: (answer) => ({ ...answer, structured: null }) },
    check: "page/structured-on-request",
    requirement: "scrape.optional-structure",
  },
  {
    name: "gives an empty object for the structure that was asked for",
    twist: { scrape: (answer, asked) => (asked.response_format ? { ...answer, structured: {} } : answer) },
    check: "page/structured-on-request",
    requirement: "scrape.optional-structure",
  },
  {
    name: "gives the bare data in place of structured data",
    twist: {
      scrape: (answer, asked) =>
        asked.response_format
          ? { ...answer, structured: Object.assign({}, answer.structured?.data ?? { name: "none" }) }
          : answer,
    },
    check: "page/structured-on-request",
    requirement: "scrape.optional-structure",
  },
  {
    name: "succeeds with data that does not fit",
    twist: structured({ name: "Lamp ambervessel", offers: [{ price: "129.50 EUR", currency: "EUR" }] }),
    check: "page/structured-follows-schema",
    requirement: meaning("response_format"),
  },
  {
    name: "succeeds with properties that the schema forbids",
    twist: structured({ name: "Lamp ambervessel", offers: [{ price: 129.5, currency: "EUR" }], colour: "brass" }),
    check: "page/structured-follows-schema",
    requirement: meaning("response_format"),
  },
  {
    name: "succeeds with an empty object for what is not on the page",
    twist: {
      scrape: (answer) =>
        answer.structured?.success === false ? { ...answer, structured: { success: true, data: {} } } : answer,
    },
    check: "page/structured-follows-schema",
    requirement: "structured.success.meaning",
  },
  ...[
    { what: "calls an extraction failed whose data are right", fields: { success: false, error: null } },
    { what: "tells the error of an extraction whose data are right", fields: { success: false, error: "no price" } },
    { what: "tells an error beside no data, and calls that a success", fields: { error: "no model", data: null } },
  ].map(({ what, fields }) => ({
    name: what,
    twist: {
      scrape: (answer: DataSpace): DataSpace =>
        answer.structured?.success === true ? { ...answer, structured: { ...answer.structured, ...fields } } : answer,
    },
    check: "page/structured-success-is-true",
    requirement: "structured.success.meaning",
  })),
  {
    name: "makes up data for what is not on the page",
    twist: {
      scrape: (answer) =>
        answer.structured?.success === false
          ? { ...answer, structured: { success: true, data: { imoNumber: "IMO 9074729", decks: 4 } } }
          : answer,
    },
    check: "page/structured-is-of-page",
    requirement: "scrape.response.structured.meaning",
  },
  {
    name: "makes up an optional member that the page says nothing of",
    twist: {
      scrape: (answer, { response_format: format }) =>
        JSON.stringify(format ?? {}).includes("captain")
          ? { ...answer, structured: { success: true, data: { name: "Lamp ambervessel", captain: "J. Smith" } } }
          : answer,
    },
    check: "page/structured-is-of-page",
    requirement: "scrape.response.structured.meaning",
  },
  ...[
    { what: "name", data: { name: "A lamp", offers: [{ price: 129.5, currency: "EUR" }] } },
    { what: "price", data: { name: "Lamp ambervessel", offers: [{ price: 99.9, currency: "EUR" }] } },
    { what: "free", data: { name: "Lamp ambervessel", offers: [{ price: 0, currency: "EUR" }] } },
    { what: "currency", data: { name: "Lamp ambervessel", offers: [{ price: 129.5, currency: "USD" }] } },
  ].map(({ what, data }) => ({
    name: `gets the ${what} of the product wrong`,
    twist: {
      scrape: (answer: DataSpace, asked: Partial<ScrapeOptions>): DataSpace =>
        JSON.stringify(asked.response_format ?? {}).includes("offers")
          ? { ...answer, structured: { success: true, error: null, data } }
          : answer,
    },
    check: "page/structured-is-of-page",
    requirement: "structured.data.meaning",
  })),
];
