import type { Configuration, Writable } from "../configuration/configuration.ts";
import type { Capability, Target } from "../target/target.ts";
import { notYetOpened } from "../target/opened-pages.ts";
import { capabilities } from "../target/target.ts";
import { redactAddress } from "../redaction/shown-address.ts";
import { neutralWords, wordPattern } from "../http/own-words.ts";
import { SuiteError } from "../http/suite-error.ts";

/** Options of a live target that are also settings. */
type TargetSettings = Pick<
  Configuration,
  | "automationUrl"
  | "automationWord"
  | "serviceWord"
  | "sessionId"
  | "endedSessionId"
  | "query"
  | "lacks"
  | "headers"
  | "sessionCommand"
  | "endSessionCommand"
  | "siteHost"
>;

/** A live target, as a person describes it. */
export interface LiveTargetOptions extends Writable<TargetSettings> {
  /** Address of the session-scoped operations; http or https; a path prefix is kept. */
  baseUrl: string;
  /** API key of the target. Never reaches a report. */
  apiKey: string;
  /** Opens a page and gives the id of its session; goes before `sessionCommand`. Default: none. */
  openSession?: (url: string) => Promise<string>;
  /** Ends a session; goes before `endSessionCommand`. Default: none. */
  endSession?: (sessionId: string) => Promise<void>;
}

/**
 * Describes any server that is reachable over HTTP.
 *
 * @throws {SuiteError} `usage` when an address is not an absolute http(s) URL, the key or a session is empty, or there is neither an open
 *   session nor a way to open one.
 *
 * @example
 * ```ts from=examples/api/conformance/live-target.ts
 * import { liveTarget, runConformance } from "@cloud-browser/conformance";
 *
 * const target = liveTarget({
 *   baseUrl: process.env["CLOUD_BROWSER_BASE_URL"] ?? "https://staging.example.com",
 *   apiKey: process.env["CLOUD_BROWSER_API_KEY"] ?? "",
 *   sessionId: "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318", // an open one
 * });
 * const { checks } = await runConformance(target, { only: ["cookies/json"] });
 * console.log(checks.map(({ id, status }) => `${id}: ${status}`).join()); // cookies/json: pass
 * ```
 */
export function liveTarget(options: LiveTargetOptions): Target {
  const baseUrl = address(options.baseUrl, "base URL");
  if (!/^[\x21-\x7e]+$/.test(options.apiKey)) {
    throw new SuiteError("usage", "the API key is empty, or has characters that are not allowed in an HTTP header");
  }
  for (const id of [options.sessionId, options.endedSessionId]) {
    if (id !== undefined && /^\.{0,2}$/.test(id))
      throw new SuiteError("usage", `invalid session id "${id}"; give the id of an open session`);
  }
  const lacks = new Map<Capability, string>([
    ["chooses-answers", "A live target does not let a request choose its response."],
  ]);
  if (options.sessionId === undefined) {
    if (options.openSession === undefined && options.sessionCommand === undefined) {
      throw new SuiteError("usage", "no open session: give its id, or a command that opens one");
    }
    lacks.set("open-session", "No open session was given (--session-id).");
  }
  if (options.endedSessionId === undefined) {
    lacks.set("ended-session", "No ended session was given (--ended-session-id).");
  }
  for (const name of capabilities) {
    const reason = options.lacks?.[name];
    if (reason !== undefined) lacks.set(name, reason);
  }
  return {
    name: baseUrl,
    kind: "live",
    baseUrl,
    ...findAutomation(options, baseUrl),
    serviceWord: word("serviceWord", options.serviceWord ?? neutralWords.serviceWord),
    apiKey: options.apiKey,
    sessionId: options.sessionId ?? notYetOpened,
    endedSessionId: options.endedSessionId ?? options.sessionId ?? notYetOpened,
    query: options.query ?? defaultQuery,
    lacks,
    ...(options.headers === undefined ? {} : { headers: extraHeaders(options.headers) }),
    ...pageOptions(options),
  };
}

/** Default task of a run: it needs no page. It has letters outside ASCII and a line break, as people's tasks have. */
export const defaultQuery = "Open about:blank and finish.\nAnswer with “déjà fini 🛳️”.";

/** Returns the options with which the suite opens pages, without missing ones. */
function pageOptions(options: LiveTargetOptions): Partial<Target> {
  const { sessionCommand, endSessionCommand, openSession, endSession, siteHost } = options;
  return {
    ...(sessionCommand === undefined ? {} : { sessionCommand }),
    ...(endSessionCommand === undefined ? {} : { endSessionCommand }),
    ...(openSession === undefined ? {} : { openSession }),
    ...(endSession === undefined ? {} : { endSession }),
    ...(siteHost === undefined ? {} : { siteHost }),
  };
}

/**
 * Checks extra headers, and returns them.
 *
 * @throws {SuiteError} `usage`
 */
function extraHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    if (/^authorization$/i.test(name)) {
      throw new SuiteError(
        "usage",
        "the header Authorization is set from the API key and can't be overridden; remove it",
      );
    }
    if (/^(content-length|content-type|transfer-encoding|connection|host)$/i.test(name)) {
      throw new SuiteError("usage", `the header ${name} is set by the suite and can't be overridden; remove it`);
    }
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value)) {
      throw new SuiteError("usage", `the header ${JSON.stringify(name)} has characters that are not allowed in HTTP`);
    }
  }
  return headers;
}

/** Returns address and word of the automation; both may stand in its URL. */
function findAutomation(
  { automationUrl, automationWord }: LiveTargetOptions,
  baseUrl: string,
): Pick<Target, "automationUrl" | "automationWord"> {
  const url = automationUrl === undefined ? baseUrl : address(automationUrl, "automation URL");
  const [, base = url, wordInUrl] = /^(.*)\/api\/([^/]+)\/start$/.exec(automationUrl === undefined ? "" : url) ?? [];
  if (wordInUrl !== undefined && automationWord !== undefined && wordInUrl !== automationWord) {
    throw new SuiteError(
      "usage",
      `the automation URL ends in /api/${wordInUrl}/start, and the automation word is "${automationWord}"; give one of them`,
    );
  }
  return {
    automationUrl: base,
    automationWord: word("automationWord", wordInUrl ?? automationWord ?? neutralWords.automationWord),
  };
}

/**
 * Checks a word of the service, and returns it.
 *
 * @throws {SuiteError} `usage`
 */
function word(option: string, text: string): string {
  if (wordPattern.test(text)) return text;
  throw new SuiteError("usage", `${option} is ${JSON.stringify(text)}; give letters, digits, "-" and "_"`);
}

/**
 * Checks an address, and returns it without a trailing slash.
 *
 * @throws {SuiteError} `usage`
 */
function address(text: string, what: string): string {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new SuiteError(
      "usage",
      `the ${what} is not an absolute http(s) URL: "${redactAddress(text)}"; give one such as https://api.example.com`,
    );
  }
  if (url.username || url.password || /[?#]/.test(url.href)) {
    throw new SuiteError(
      "usage",
      `the ${what} contains credentials, a query or a fragment; give the address without them`,
    );
  }
  return url.href.replace(/\/+$/, "");
}
