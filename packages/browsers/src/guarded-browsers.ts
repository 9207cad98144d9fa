import type { Logger } from "pino";
import { BrowserPool } from "./pool/browser-pool.ts";
import type { BrowserSpace, SpaceOptions } from "./pool/browser-space.ts";
import { NetworkGuard } from "./proxy/network-guard.ts";
import { BrowserError } from "./browser-error.ts";

/** Options of the browsers. */
export interface GuardedBrowsersOptions {
  /** Addresses that pages may load though they are not global. */
  readonly allow: readonly string[];
  /** Path of a Chromium; undefined: the one that comes with npm. */
  readonly chromium: string | undefined;
  /** Most spaces at a time. */
  readonly spaces: number;
  /** How many of them share a browser. Default: 20. */
  readonly spacesPerBrowser: number | undefined;
  /** Port of the service itself, which no page may reach. */
  readonly ownPort: number;
  /** Gets a line for what happens. */
  readonly log: Logger;
  /** Is told of each browser that died by itself. Default: nobody is. */
  readonly onDeath?: () => void;
}

const cannotStart = "the last attempt to start a browser failed; the response to that request says why";

/** Browsers that know no way to the network but through the guard. */
export class GuardedBrowsers {
  readonly #guard: NetworkGuard;
  readonly #pool: BrowserPool;
  #fault: string | undefined;

  private constructor(guard: NetworkGuard, pool: BrowserPool) {
    this.#guard = guard;
    this.#pool = pool;
  }

  /**
   * Starts the guard, and then a browser behind it.
   *
   * @param closing - Is told how each of them is closed, as soon as it runs.
   * @throws {BrowserError} `browser-missing`, or `usage` when an entry of `allow` is none.
   */
  static async start(options: GuardedBrowsersOptions, closing: AsyncDisposableStack): Promise<GuardedBrowsers> {
    const { allow, chromium, spaces, spacesPerBrowser = 20, ownPort, log, onDeath } = options;
    const guard = await NetworkGuard.start({
      allow,
      isForbiddenPort: (_address, port) => port === ownPort,
      onRefused: ({ host, port, reason }) => log.debug({ host, port, reason }, "a request of a page was blocked"),
    });
    closing.defer(() => guard.close());
    const pool = await BrowserPool.start({
      binary: chromium === undefined ? {} : { executable: chromium },
      proxyServer: guard.proxyServer,
      spacesPerBrowser,
      maxBrowsers: Math.ceil(spaces / spacesPerBrowser) + 2, // a spare one, and one that ends
      maxSpaces: spaces,
      onWarning: (message) => log.warn(message),
      ...(onDeath === undefined ? {} : { onDeath }),
    });
    closing.defer(() => pool.close());
    return new GuardedBrowsers(guard, pool);
  }

  /** Which browser it is, and how it runs, in words. */
  get description(): string {
    const { origin, sandbox } = this.#pool;
    const browser = origin === "npm" ? "the Chromium that came with npm" : "the Chromium configured";
    return sandbox === "on" ? `${browser}, in its sandbox` : `${browser}, without its sandbox (${sandbox.off})`;
  }

  /** The browsers that run, with their memory. */
  running(): ReturnType<BrowserPool["browsers"]> {
    return this.#pool.browsers();
  }

  /** Kills all browsers that run; new ones are started as they are needed. */
  kill(): Promise<void> {
    return this.#pool.kill();
  }

  /**
   * Opens a space.
   *
   * @throws {BrowserError} `busy`, `browser-missing`, `page-failed`.
   */
  async open(options: SpaceOptions): Promise<BrowserSpace> {
    try {
      const space = await this.#pool.open(options);
      this.#fault = undefined;
      return space;
    } catch (error) {
      // That there are as many as there may be is no fault of a browser.
      if (!(error instanceof BrowserError && error.code === "busy")) this.#fault = cannotStart;
      throw error;
    }
  }

  /** That no browser could be started when one was needed last, in words; undefined when it could. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /**
   * Lets an address pass that a page is to be opened on.
   *
   * @throws {BrowserError} `address-refused`, saying why.
   */
  async permit(page: URL): Promise<void> {
    const verdict = await this.#guard.judge(page);
    if (!verdict.allowed) throw new BrowserError("address-refused", verdict.message);
  }
}
