import type { OpenedPages } from "./opened-pages.ts";

/** Every capability, for those who declare what a target lacks. */
export const capabilities = [
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
] as const;

/**
 * Ability that a target may lack.
 *
 * - `judges-keys`: it distinguishes valid API keys from invalid ones.
 * - `reads-any-body`: it answers a body that is not JSON.
 * - `streams`: events arrive when they are written, and the connection closes when the stream ends.
 * - `chooses-answers`: it gives the answer that a `Prefer` header names, as a mock of the contract does.
 * - `knows-sessions`: it distinguishes sessions that exist from others.
 * - `open-session`: the session given can be scraped and has cookies.
 * - `ended-session`: the session given for the replay has ended and has a recording.
 * - `automation-runs`: automation runs may be started; a live target bills them.
 * - `opens-pages`: the suite can open a session on a page of its own.
 * - `ends-sessions`: it can end such a session as well.
 */
export type Capability = (typeof capabilities)[number];

/** The implementation under test. */
export interface Target {
  /** Name in reports: `prism`, or the base URL. */
  readonly name: string;
  /** `mock`: answers come from the contract's examples. `live`: an implementation of its own. */
  readonly kind: "mock" | "live";
  /** Address of the session-scoped operations, without a trailing slash. */
  readonly baseUrl: string;
  /** Address of the automation operation, without a trailing slash. */
  readonly automationUrl: string;
  /** The service's own word in the path of the automation: `/api/<word>/start`. Default: `automation`. */
  readonly automationWord?: string;
  /** The service's own word in the names of two request headers: `x-<word>-sdk-version`. Default: `service`. */
  readonly serviceWord?: string;
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
  /** Host, with or without a port, at which the browser reaches the fixture site. Default: `127.0.0.1`. */
  readonly siteHost?: string;
  /** The pages on which the suite has opened sessions; a run fills it in. Default: none. */
  readonly pages?: OpenedPages;
}
