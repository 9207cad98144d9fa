import type { ProcessType } from "./chromium/browser-processes.ts";
import type { Logger } from "pino";
import { BrowserPool } from "./pool/browser-pool.ts";
import type { PooledContext, ContextOptions } from "./pool/pooled-context.ts";
import { EgressProxy } from "./proxy/egress-proxy.ts";
import { type ProxySettings, readProxy } from "./proxy/upstream/upstream-proxy.ts";
import { BrowserError } from "./browser-error.ts";

/** Options of {@link GuardedBrowsers}. */
export interface GuardedBrowsersOptions {
  /** Allow list of non-global addresses that pages may load. */
  readonly allow: readonly string[];
  /** Hosts that pages may not load, also where `allow` has them. Default: none. */
  readonly deny?: readonly string[];
  /** Path of a Chromium; undefined for the Chromium from npm. */
  readonly chromium: string | undefined;
  /** Limit of contexts at a time. */
  readonly contexts: number;
  /** Number of contexts per browser. Default: 20. */
  readonly contextsPerBrowser: number | undefined;
  /** Port of the service itself, which is blocked for pages. */
  readonly ownPort: number;
  /** Logger. */
  readonly log: Logger;
  /** Called when a browser has crashed. Default: none. */
  readonly onDeath?: () => void;
  /**
   * Returns the number of the lease under which pages may send; undefined without a lease, when nothing is sent. Default: pages may always
   * send.
   */
  readonly lease?: () => number | undefined;
  /** Called for each request of a page that is blocked, with the reason. Default: none. */
  readonly onBlocked?: (reason: string) => void;
}

const startFailed = "the last attempt to start a browser failed; the error of that request has the reason";

/**
 * A pool of browsers whose only way to the network is the egress proxy.
 *
 * @example
 * ```ts from=examples/api/browsers/guarded-browsers.ts
 * import pino from "pino";
 * import { GuardedBrowsers } from "@cloud-browser/browsers";
 *
 * await using closing = new AsyncDisposableStack();
 * const browsers = await GuardedBrowsers.start(
 *   {
 *     allow: ["127.0.0.1"],
 *     chromium: undefined, // the one that comes with npm
 *     contexts: 10,
 *     contextsPerBrowser: undefined,
 *     ownPort: 0,
 *     log: pino({ level: "silent" }),
 *   },
 *   closing,
 * );
 * const { context } = await browsers.open({});
 * console.log(context.pages().length); // 0
 * await browsers.checkUrl(new URL("http://169.254.169.254/")).catch((error) => console.log(error.code)); // address-refused
 * ```
 */
export class GuardedBrowsers {
  readonly #proxy: EgressProxy;
  readonly #pool: BrowserPool;
  #failure: string | undefined;

  private constructor(proxy: EgressProxy, pool: BrowserPool) {
    this.#proxy = proxy;
    this.#pool = pool;
  }

  /**
   * Starts the egress proxy, and then a browser behind it.
   *
   * @param closing - Receives a callback that closes each of them, as soon as it runs.
   * @throws {BrowserError} `browser-missing`; `usage` if an entry of `allow` is malformed.
   */
  static async start(options: GuardedBrowsersOptions, closing: AsyncDisposableStack): Promise<GuardedBrowsers> {
    const {
      allow,
      deny = [],
      chromium,
      contexts,
      contextsPerBrowser = 20,
      ownPort,
      log,
      onDeath,
      onBlocked,
      lease,
    } = options;
    const guard = await EgressProxy.start({
      allow,
      deny,
      ...(lease === undefined ? {} : { lease }),
      isForbiddenPort: (_address, port) => port === ownPort,
      onRefused: ({ host, port, reason }) => {
        onBlocked?.(reason);
        log.debug({ host, port, reason }, "a request of a page was blocked");
      },
    });
    closing.defer(() => guard.close());
    const pool = await BrowserPool.start({
      binary: chromium === undefined ? {} : { executable: chromium },
      proxyServer: guard.proxyServer,
      renameError: (url, reported) => guard.renameError(url, reported),
      contextsPerBrowser,
      maxBrowsers: Math.ceil(contexts / contextsPerBrowser) + 2, // a spare one, and one that is closing
      maxContexts: contexts,
      onWarning: (message) => log.warn(message),
      ...(onDeath === undefined ? {} : { onDeath }),
    });
    closing.defer(() => pool.close());
    return new GuardedBrowsers(guard, pool);
  }

  /** Description of the browser and its sandbox, for logs. */
  get description(): string {
    const { origin, sandbox } = this.#pool;
    const browser = browserNames[origin];
    return sandbox === "on" ? `${browser}, in its sandbox` : `${browser}, without its sandbox (${sandbox.off})`;
  }

  /** Lists the running browsers, with their memory. */
  running(): ReturnType<BrowserPool["browsers"]> {
    return this.#pool.browsers();
  }

  /** Kills the process of a type that uses most memory of those of a browser, if that is so many bytes; see {@link BrowserPool.killHeaviest}. */
  killHeaviest(browserPid: number, type: ProcessType, leastBytes: number): Promise<boolean> {
    return this.#pool.killHeaviest(browserPid, type, leastBytes);
  }

  /** Kills all running browsers; new ones are started when needed. */
  kill(): Promise<void> {
    return this.#pool.kill();
  }

  /**
   * Opens a browser context.
   *
   * @param proxy - Proxy for all of its traffic. The egress proxy checks where that goes, and the address of the proxy. Default: none.
   * @throws {BrowserError} `busy`, `browser-missing`, `page-failed`; of its proxy also `usage`, `address-refused`.
   */
  async open(options: Omit<ContextOptions, "proxyServer">, proxy?: ProxySettings): Promise<PooledContext> {
    const egress = proxy && (await this.#proxy.openProxied(readProxy(proxy)));
    try {
      const pooled = await this.#pool.open(egress ? { ...options, proxyServer: egress.proxyServer } : options);
      void pooled.lost.then(() => egress?.close());
      this.#failure = undefined;
      return pooled;
    } catch (error) {
      egress?.close();
      // A full pool is not a failure of a browser.
      if (!(error instanceof BrowserError && error.code === "busy")) this.#failure = startFailed;
      throw error;
    }
  }

  /** Message if no browser could be started when one was needed last; otherwise undefined. */
  get fault(): string | undefined {
    return this.#failure;
  }

  /**
   * Resolves if a page may be opened at a URL.
   *
   * @param proxy - Proxy of its context. Default: none.
   * @throws {BrowserError} `address-refused`, with the reason; `page-failed` if its host has no address, `busy` if too many are looked up.
   */
  async checkUrl(page: URL, proxy?: ProxySettings): Promise<void> {
    const verdict = await this.#proxy.checkPage(page, proxy?.dns === "proxy");
    if (verdict.allowed) return;
    const { reason, message } = verdict;
    if (reason === "busy") throw new BrowserError("busy", message);
    if (reason !== "unresolvable") throw new BrowserError("address-refused", message);
    throw new BrowserError("page-failed", `${page.origin} could not be opened: ${message}`);
  }
}

const browserNames = {
  npm: "the Chromium that came with npm",
  configured: "the Chromium configured",
  found: "the Chromium installed on this machine",
} as const;
