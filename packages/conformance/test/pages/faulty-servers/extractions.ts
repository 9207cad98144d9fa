/** Faults of structured data. */
import type { DataSpace } from "../scrape.ts";
import type { Twist } from "../site-server.ts";
import { breakPages, inAnswer, inExtraction } from "./faulty-server.ts";

type Structured = NonNullable<DataSpace["structured"]>;

/** Gives other data where an extraction has succeeded. */
const succeedWith = (data: unknown): Twist =>
  inExtraction((structured) => (structured.success === true ? { success: true, error: null, data } : structured));
/** Gives data where an extraction has failed. */
const makeUp = (data: unknown): Twist =>
  inExtraction((structured) => (structured.success === false ? { success: true, data } : structured));
/** Says something else of an extraction that has succeeded. */
const sayOfSuccess = (fields: Partial<Structured>): Twist =>
  inExtraction((structured) => (structured.success === true ? { ...structured, ...fields } : structured));
/** Gives data where the format has a word in it. */
const give = (word: string, structured: Structured): Twist =>
  inExtraction(
    () => structured,
    ({ response_format: format }) => JSON.stringify(format ?? {}).includes(word),
  );

/** Servers with one fault each. */
export const extractionFaults = breakPages({
  "page/structured-on-request scrape.optional-structure": {
    "leaves out the structure that was asked for": inAnswer((answer) => ({ ...answer, structured: null })),
    "gives an empty object for the structure that was asked for": inExtraction(() => ({})),
    "gives the bare data in place of structured data": inExtraction(({ data }) =>
      Object.assign({}, data ?? { name: "none" }),
    ),
  },
  "page/structured-follows-schema scrape.request.response_format.meaning": {
    "succeeds with data that does not fit": succeedWith({
      name: "Lamp ambervessel",
      offers: [{ price: "129.50 EUR", currency: "EUR" }],
    }),
    "succeeds with properties that the schema forbids": succeedWith({
      name: "Lamp ambervessel",
      offers: [{ price: 129.5, currency: "EUR" }],
      colour: "brass",
    }),
  },
  "page/structured-follows-schema structured.success.meaning": {
    "succeeds with an empty object for what is not on the page": makeUp({}),
  },
  "page/structured-success-is-true structured.success.meaning": {
    "calls an extraction failed whose data are right": sayOfSuccess({ success: false, error: null }),
    "tells the error of an extraction whose data are right": sayOfSuccess({ success: false, error: "no price" }),
    "tells an error beside no data, and calls that a success": sayOfSuccess({ error: "no model", data: null }),
  },
  "page/structured-is-of-page scrape.response.structured.meaning": {
    "makes up data for what is not on the page": makeUp({ imoNumber: "IMO 9074729", decks: 4 }),
    "makes up an optional member that the page says nothing of": give("captain", {
      success: true,
      data: { name: "Lamp ambervessel", captain: "J. Smith" },
    }),
  },
  "page/structured-is-of-page structured.data.meaning": Object.fromEntries(
    [
      { what: "name", data: { name: "A lamp", offers: [{ price: 129.5, currency: "EUR" }] } },
      { what: "price", data: { name: "Lamp ambervessel", offers: [{ price: 99.9, currency: "EUR" }] } },
      { what: "free", data: { name: "Lamp ambervessel", offers: [{ price: 0, currency: "EUR" }] } },
      { what: "currency", data: { name: "Lamp ambervessel", offers: [{ price: 129.5, currency: "USD" }] } },
    ].map(({ what, data }) => [
      `gets the ${what} of the product wrong`,
      give("offers", { success: true, error: null, data }),
    ]),
  ),
});
