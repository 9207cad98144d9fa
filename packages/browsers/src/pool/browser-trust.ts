import pTimeout from "p-timeout";
import type { Browser } from "playwright-core";
import { ProcessHealth } from "../chromium/process-health.ts";

/** Parts of {@link BrowserTrust}. */
export interface BrowserTrustParts {
  /** Process group of the browser, all of whose processes run. */
  readonly group: number;
  /** Opens a page of no session; resolves with whether it came in time. */
  readonly prove: () => Promise<boolean>;
  /** Ends the browser, as one that has crashed. */
  readonly giveUp: () => void;
}

/**
 * Decides whether a browser gets further contexts. One that has lost a process that it needs is given up at once, with its contexts; one that
 * is suspected gets none until it has opened a page, and is given up when it can't.
 */
export class BrowserTrust {
  readonly #parts: BrowserTrustParts;
  readonly #health: ProcessHealth;
  #state: "trusted" | "suspected" | "lost" = "trusted";

  constructor(parts: BrowserTrustParts) {
    this.#parts = parts;
    this.#health = new ProcessHealth(parts.group);
  }

  /** True unless it is suspected, or given up. */
  get isTrusted(): boolean {
    return this.#state === "trusted";
  }

  /** True once it was given up. */
  get isLost(): boolean {
    return this.#state === "lost";
  }

  /** Looks at its processes. Returns whether it is trusted then. */
  check(): boolean {
    const fault = this.isTrusted ? this.#health.findFault() : undefined;
    if (fault === "dead") this.#lose();
    if (fault === "stopped") this.suspect();
    return this.isTrusted;
  }

  /** Trusts it no more until it has opened a page. */
  suspect(): void {
    if (!this.isTrusted) return;
    this.#state = "suspected";
    const proved = this.#parts.prove().catch(() => false);
    void proved.then((isProved) => {
      if (!isProved || this.#health.findFault() !== undefined) this.#lose();
      else this.#state = "trusted";
    });
  }

  #lose(): void {
    this.#state = "lost";
    this.#parts.giveUp();
  }
}

/** Opens a page of a context of its own, and closes both. Resolves with whether that was done in time. */
export async function openProbe(browser: Browser, milliseconds: number): Promise<boolean> {
  const opened = browser.newContext().then(async (context) => {
    await context.newPage();
    await context.close();
    return true;
  });
  return pTimeout(opened, { milliseconds, fallback: () => false });
}
