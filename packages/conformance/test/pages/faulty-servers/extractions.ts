/** Faults of structured data. */
import { breaking, type PageFault } from "./faulty-server.ts";
import type { DataSpace, ScrapeOptions } from "../scrape.ts";
import type { Twist } from "../site-server.ts";

const meaning = (option: string): string => `scrape.request.${option}.meaning`;

const structured = (data: unknown): Twist => ({
  scrape: (answer, request): DataSpace =>
    request.response_format && answer.structured?.success === true
      ? { ...answer, structured: { success: true, error: null, data } }
      : answer,
});

/** Servers with one fault each. */
export const extractionFaults: readonly PageFault[] = [
  ...breaking("page/structured-on-request", "scrape.optional-structure", {
    "leaves out the structure that was asked for": { scrape: (answer) => ({ ...answer, structured: null }) },
    "gives an empty object for the structure that was asked for": {
      scrape: (answer, request) => (request.response_format ? { ...answer, structured: {} } : answer),
    },
    "gives the bare data in place of structured data": {
      scrape: (answer, request) =>
        request.response_format
          ? { ...answer, structured: Object.assign({}, answer.structured?.data ?? { name: "none" }) }
          : answer,
    },
  }),
  ...breaking("page/structured-follows-schema", meaning("response_format"), {
    "succeeds with data that does not fit": structured({
      name: "Lamp ambervessel",
      offers: [{ price: "129.50 EUR", currency: "EUR" }],
    }),
    "succeeds with properties that the schema forbids": structured({
      name: "Lamp ambervessel",
      offers: [{ price: 129.5, currency: "EUR" }],
      colour: "brass",
    }),
  }),
  ...breaking("page/structured-follows-schema", "structured.success.meaning", {
    "succeeds with an empty object for what is not on the page": {
      scrape: (answer) =>
        answer.structured?.success === false ? { ...answer, structured: { success: true, data: {} } } : answer,
    },
  }),
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
  ...breaking("page/structured-is-of-page", "scrape.response.structured.meaning", {
    "makes up data for what is not on the page": {
      scrape: (answer) =>
        answer.structured?.success === false
          ? { ...answer, structured: { success: true, data: { imoNumber: "IMO 9074729", decks: 4 } } }
          : answer,
    },
    "makes up an optional member that the page says nothing of": {
      scrape: (answer, { response_format: format }) =>
        JSON.stringify(format ?? {}).includes("captain")
          ? { ...answer, structured: { success: true, data: { name: "Lamp ambervessel", captain: "J. Smith" } } }
          : answer,
    },
  }),
  ...[
    { what: "name", data: { name: "A lamp", offers: [{ price: 129.5, currency: "EUR" }] } },
    { what: "price", data: { name: "Lamp ambervessel", offers: [{ price: 99.9, currency: "EUR" }] } },
    { what: "free", data: { name: "Lamp ambervessel", offers: [{ price: 0, currency: "EUR" }] } },
    { what: "currency", data: { name: "Lamp ambervessel", offers: [{ price: 129.5, currency: "USD" }] } },
  ].map(({ what, data }) => ({
    name: `gets the ${what} of the product wrong`,
    twist: {
      scrape: (answer: DataSpace, request: Partial<ScrapeOptions>): DataSpace =>
        JSON.stringify(request.response_format ?? {}).includes("offers")
          ? { ...answer, structured: { success: true, error: null, data } }
          : answer,
    },
    check: "page/structured-is-of-page",
    requirement: "structured.data.meaning",
  })),
];
