import type { ChromiumSettings } from "../chromium/chromium-binary.ts";
import type { BrowserMemory } from "../chromium/process-memory.ts";

/** Options of a `BrowserPool`. */
export interface BrowserPoolOptions {
  /** Chromium to start. Default: the one from npm. */
  readonly binary?: ChromiumSettings;
  /** URL of the proxy for all traffic of the browsers. Default: none. */
  readonly proxyServer?: string;
  /** Renames the errors of requests that fail in that proxy, by their URL. Default: as Chromium gives them. */
  readonly renameError?: (url: string, reported: string) => string;
  /** Contexts per browser: they share its crash, too. Default: 20. */
  readonly contextsPerBrowser?: number;
  /** Limit of browsers at a time, including a spare one. Default: 8. */
  readonly maxBrowsers?: number;
  /** Limit of the contexts that are open at a time: no spare browser is started for more. Default: unlimited. */
  readonly maxContexts?: number;
  /** Number of contexts after which a browser is replaced. Default: 100. */
  readonly contextsPerLife?: number;
  /** Memory (PSS) of a browser without spaces above which it is replaced, in bytes. Default: 500 MB. */
  readonly emptyMemoryLimit?: number;
  /** Time after which a browser without spaces is closed if others have enough room, in milliseconds. Default: 60,000. */
  readonly idleMs?: number;
  /** Start timeout of a browser, in milliseconds. Default: 30,000. */
  readonly startTimeoutMs?: number;
  /** Timeout to open or close a context, and then to respond to a ping before the browser is killed, in milliseconds. Default: 20,000. */
  readonly answerTimeMs?: number;
  /** Called with a message for operators: no sandbox, a crash, a spare browser that can't be started. Default: none. */
  readonly onWarning?: (message: string) => void;
  /** Called when a browser has crashed. Default: none. */
  readonly onDeath?: () => void;
}

/** Facts about a browser of a pool. */
export interface BrowserFacts {
  /** Id of its main process; `browserPid` of its contexts. */
  readonly pid: number;
  /** Number of open contexts. */
  readonly contexts: number;
  /** Number of contexts opened so far. */
  readonly contextsSoFar: number;
  /** Memory of its processes. Undefined on platforms other than Linux. */
  readonly memory: BrowserMemory | undefined;
}
