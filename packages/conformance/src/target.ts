import type { OpenedPages } from "./pages/opened-pages.ts";
import { startPrism, type PrismServer } from "./prism.ts";
import { shownAddress } from "./shown-address.ts";
import { SuiteError } from "./suite-error.ts";

/**
 * What a target may be unable to do or to show.
 *
 * - `judges-keys`: it tells a valid API key from an invalid one.
 * - `reads-any-body`: it answers a body that is not JSON.
 * - `streams`: events arrive when they are written, and the connection closes when the stream ends.
 * - `chooses-answers`: it gives the answer that a `Prefer` header names, as a mock of the contract does.
 * - `knows-sessions`: it tells a session that exists from one that does not.
 * - `open-session`: the session given can be scraped and has cookies.
 * - `ended-session`: the session given for the replay has ended and has a recording.
 * - `automation-runs`: automation runs may be started; a live target bills them.
 * - `opens-pages`: the suite can open a session on a page of its own.
 * - `ends-sessions`: it can end such a session as well.
 *
 * Source: ours.
 */
export type Capability =
  | "judges-keys"
  | "reads-any-body"
  | "streams"
  | "chooses-answers"
  | "knows-sessions"
  | "open-session"
  | "ended-session"
  | "automation-runs"
  | "opens-pages"
  | "ends-sessions";

/** Every capability, for those who declare what a target lacks. Source: ours. */
export const capabilities: readonly Capability[] = [
  "judges-keys",
  "reads-any-body",
  "streams",
  "chooses-answers",
  "knows-sessions",
  "open-session",
  "ended-session",
  "automation-runs",
  "opens-pages",
  "ends-sessions",
];

/** The implementation under test. Source: ours. */
export interface Target {
  /** How reports call it: `prism`, or the base URL. */
  readonly name: string;
  /** `mock`: answers come from the contract's examples. `live`: an implementation of its own. */
  readonly kind: "mock" | "live";
  /** Address of the session-scoped operations, without a trailing slash. */
  readonly baseUrl: string;
  /** Address of the automation operation, without a trailing slash. */
  readonly automationUrl: string;
  /** API key. Never reaches a report. */
  readonly apiKey: string;
  /** An open session. */
  readonly sessionId: string;
  /** An ended session that has a recording; the open one when the target has none. */
  readonly endedSessionId: string;
  /** The task that a run is started with. */
  readonly query: string;
  /** Capabilities that the target lacks, each with the reason that the report gives. */
  readonly lacks: ReadonlyMap<Capability, string>;
  /** Headers of every request, beyond the usual ones; never `Authorization`. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Command that opens a page and prints the id of its session; `{url}` stands for the page. Default: none. */
  readonly sessionCommand?: string;
  /** Command that ends a session; `{id}` stands for its id. Default: none. */
  readonly endSessionCommand?: string;
  /** Opens a page and gives the id of its session; goes before `sessionCommand`. Default: none. */
  readonly openSession?: (url: string) => Promise<string>;
  /** Ends a session; goes before `endSessionCommand`. Default: none. */
  readonly endSession?: (sessionId: string) => Promise<void>;
  /** Name or address, with or without a port, by which the browser reaches the suite's own site. Default: `127.0.0.1`. */
  readonly siteHost?: string;
  /** The pages on which the suite has opened sessions; a run fills it in. Default: none. */
  readonly pages?: OpenedPages;
}

/** A live target, as a person describes it. Source: ours. */
export interface LiveTargetOptions {
  /** Address of the session-scoped operations; http or https; a path prefix is kept. */
  baseUrl: string;
  /** Address of the automation operation. Default: `baseUrl`. */
  automationUrl?: string;
  /** API key of the target. Never reaches a report. */
  apiKey: string;
  /** An open session, for scrape and cookies. */
  sessionId: string;
  /** An ended session that has a recording. Default: the replay is asked of `sessionId`, and judged only when it is there. */
  endedSessionId?: string;
  /** The task of the billed runs. Default: a task that needs no page. */
  query?: string;
  /** Capabilities that the target is known to lack, each with the reason that the report gives. Default: none. */
  lacks?: Partial<Readonly<Record<Capability, string>>>;
  /** Headers of every request, beyond the usual ones; the key has its own place. Default: none. */
  headers?: Readonly<Record<string, string>>;
  /** Command that opens a page and prints the id of its session; `{url}` stands for the page. Default: none. */
  sessionCommand?: string;
  /** Command that ends a session; `{id}` stands for its id. Default: none, and the sessions are left open. */
  endSessionCommand?: string;
  /** Opens a page and gives the id of its session; goes before `sessionCommand`. Default: none. */
  openSession?: (url: string) => Promise<string>;
  /** Ends a session; goes before `endSessionCommand`. Default: none. */
  endSession?: (sessionId: string) => Promise<void>;
  /** Name or address, with or without a port, by which the browser reaches the suite's own site. Default: `127.0.0.1`. */
  siteHost?: string;
}

const defaultQuery = "Open about:blank and finish.";

/**
 * Describes any server that is reachable over HTTP.
 *
 * Source: ours.
 *
 * @throws {SuiteError} `usage` when an address is not an absolute http(s) URL, or the key or session is empty.
 */
export function liveTarget(options: LiveTargetOptions): Target {
  const baseUrl = address(options.baseUrl, "base URL");
  if (!/^[\x21-\x7e]+$/.test(options.apiKey)) {
    throw new SuiteError("usage", "the API key is empty, or has characters that an HTTP header can't carry");
  }
  const endedSessionId = options.endedSessionId ?? options.sessionId;
  for (const id of [options.sessionId, endedSessionId]) {
    if (/^\.{0,2}$/.test(id)) throw new SuiteError("usage", `"${id}" can't be a session id; give the id of a session`);
  }
  const lacks = new Map<Capability, string>([["chooses-answers", "A live target can't be told which answer to give."]]);
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
    automationUrl: options.automationUrl === undefined ? baseUrl : address(options.automationUrl, "automation URL"),
    apiKey: options.apiKey,
    sessionId: options.sessionId,
    endedSessionId,
    query: options.query ?? defaultQuery,
    lacks,
    ...(options.headers === undefined ? {} : { headers: extraHeaders(options.headers) }),
    ...pageOptions(options),
  };
}

/** What the suite opens pages with, as far as it is given. */
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

/** @throws {SuiteError} `usage` */
function extraHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    if (/^authorization$/i.test(name)) {
      throw new SuiteError("usage", "the header Authorization carries the API key, and can't be given by itself");
    }
    if (/^(content-length|content-type|transfer-encoding|connection|host)$/i.test(name)) {
      throw new SuiteError("usage", `the header ${name} is set by the suite, and can't be given`);
    }
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value)) {
      throw new SuiteError("usage", `the header ${JSON.stringify(name)} has characters that HTTP can't carry`);
    }
  }
  return headers;
}

/** A mock of the contract, together with the process that serves it. Source: ours. */
export interface PrismTarget extends AsyncDisposable {
  /** The mock as a target. */
  readonly target: Target;
  /** The process that serves it. */
  readonly server: PrismServer;
}

/**
 * Starts Prism on the contract and describes it as a target.
 *
 * Source: ours.
 *
 * @throws {SuiteError} `usage` when `@stoplight/prism-cli` is not installed; `mock-failed` when Prism does not come up.
 */
export async function prismTarget(): Promise<PrismTarget> {
  const server = await startPrism();
  return { target: mockTarget(server.url), server, [Symbol.asyncDispose]: () => server.stop() };
}

function mockTarget(url: string): Target {
  return {
    name: "prism",
    kind: "mock",
    baseUrl: url,
    automationUrl: url,
    apiKey: "any-key-will-do-on-the-mock",
    sessionId: "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318",
    endedSessionId: "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318",
    query: defaultQuery,
    lacks: new Map<Capability, string>([
      ["judges-keys", "The mock accepts any key."],
      ["knows-sessions", "The mock knows no sessions."],
      ["reads-any-body", "The mock never answers a body that is not JSON."],
      ["streams", "The mock sends a whole stream as one body of known length."],
    ]),
  };
}

/** @throws {SuiteError} `usage` */
function address(text: string, what: string): string {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new SuiteError(
      "usage",
      `the ${what} is "${shownAddress(text)}"; give an absolute address such as https://api.example.com`,
    );
  }
  if (url.username || url.password || /[?#]/.test(url.href)) {
    throw new SuiteError("usage", `the ${what} carries credentials, a query or a fragment; give the bare address`);
  }
  return url.href.replace(/\/+$/, "");
}
