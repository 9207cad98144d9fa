import type { Probe } from "../../http/probe.ts";
import { formatSessionPath } from "../../http/request-plan.ts";
import type { Credentials } from "../../http/credentials.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import { objectText, type Member } from "../generation/json-object.ts";
import type { Repetition } from "../repetitions.ts";
import type { Target } from "../../target/target.ts";

/** Differences between a scrape and the plain one. */
export interface ScrapeProbeOptions {
  /** Members of the body, in their order. Default: none, an empty object. */
  readonly members?: readonly Member[];
  /** The body as it goes over the wire, in place of members; null for no body at all. */
  readonly body?: string | null;
  /** Query with its question mark. Default: none. */
  readonly query?: string;
  /** Headers beyond the usual ones. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True for a body without `Content-Type`. Default: false. */
  readonly withoutMediaType?: true;
  /** Kind of credentials. Default: `key`. */
  readonly credentials?: Credentials;
  /** Connection and timing. Default: alone, on a connection of its own. */
  readonly sending?: Repetition["sending"];
  /** Expected result. Default: `success`. */
  readonly expects?: Probe["expects"];
  /** Capabilities that the target needs. Default: an open session. */
  readonly needs?: Probe["needs"];
}

/** Every option with its default, as SDKs write them out; null where there is none. Source: interface § ScrapeRequest. */
export const defaultMembers: readonly Member[] = scrapeFields.map((field) => [field.name, field.default]);

/** The same, by name. */
export const defaultOptions: Readonly<Record<string, unknown>> = Object.fromEntries(defaultMembers);

/** A property that no schema has. */
export const unknownMember: Member = ["conformance_unknown", true];

/** A valid value for every option. */
export const validMembers: readonly Member[] = scrapeFields.flatMap(({ name, valid: [first] }): Member[] =>
  first ? [[name, first.value]] : [],
);

/** Returns the path of a page scrape, without a query. Source: interface § Endpoints. */
export function scrapePath({ sessionId }: Target): string {
  return formatSessionPath(sessionId, "page/scrape");
}

/** Makes one page scrape. */
export function makeScrapeProbe(name: string, options: ScrapeProbeOptions = {}): Probe {
  const { members = [], query = "", headers, credentials = "key", sending, needs = ["open-session"] } = options;
  const { expects = "success", withoutMediaType } = options;
  const body = options.body === undefined ? objectText(members) : options.body;
  return {
    id: `scrape/${name}`,
    operation: "page_scrape",
    needs,
    expects,
    ...sending,
    request: (target) => ({
      method: "POST",
      path: `${scrapePath(target)}${query}`,
      credentials,
      ...(headers === undefined ? {} : { headers }),
      ...(withoutMediaType && { withoutMediaType }),
      ...(body === null ? {} : { body }),
    }),
  };
}

/** The optional headers of a page scrape. Source: interface § Endpoints. */
export const optionalHeaders: readonly { readonly word: string; readonly headers: Readonly<Record<string, string>> }[] =
  [
    { word: "request-origin", headers: { "x-service-request-origin": "https://conformance.example" } },
    { word: "sdk-version", headers: { "x-service-sdk-version": "1.4.40" } },
  ];

/** All optional headers together. */
export const everyOptionalHeader: Readonly<Record<string, string>> = Object.fromEntries(
  optionalHeaders.flatMap(({ headers }) => Object.entries(headers)),
);
