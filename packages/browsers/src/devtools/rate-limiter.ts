/** Rate limits for CDP events that the pages of one session cause, for all of its connections together. */
export interface RateLimits {
  /** Refill rate of the token bucket, in bytes per second. */
  readonly bytesPerSecond: number;
  /** Capacity of the token bucket, in bytes. */
  readonly burstBytes: number;
  /** Bytes that each message counts in addition to its length, for the time to read it. */
  readonly messageOverheadBytes: number;
  /** Bytes that each event of a target (page, frame, worker) counts, for the work it causes. */
  readonly targetOverheadBytes: number;
  /** Response time of the browser after which pages are paused while sessions send much, in milliseconds. */
  readonly lateMs: number;
  /** Bytes in that time that count as much. */
  readonly lateBytes: number;
  /** Bytes that one session may send while responses are late, if it sends more than all others together. */
  readonly lateBurstBytes: number;
  /**
   * Bytes per second that never count while responses are late: a machine may be slow for any time, through no fault of those who send
   * little.
   */
  readonly lateBytesPerSecond: number;
  /** Refill rate of the token bucket of popups, per second: each may have its own process, even if it sends nothing. */
  readonly popupsPerSecond: number;
  /** Capacity of that bucket. */
  readonly burstPopups: number;
}

/** Default limits. A page that loads or logs much needs a tenth of them. */
export const defaultRateLimits: RateLimits = {
  bytesPerSecond: 8 * 2 ** 20,
  burstBytes: 48 * 2 ** 20,
  messageOverheadBytes: 500,
  targetOverheadBytes: 40_000,
  lateMs: 150,
  lateBytes: 2 ** 19,
  lateBurstBytes: 16 * 2 ** 20,
  lateBytesPerSecond: 2 ** 20,
  popupsPerSecond: 4,
  burstPopups: 40,
};

/** Functions of a browser that the rate limiter uses. */
export interface LimitedBrowser {
  /** Resolves when the browser has responded to all that was sent before. */
  readonly answers: () => Promise<unknown>;
  /** Pauses and resumes its pages. */
  readonly pause: { readonly begin: () => void; readonly end: () => void };
}

/** Longest pause of pages until a session over its limit has ended, in milliseconds. */
const maxPauseMs = 10_000;

/**
 * Events that repeat the body of a request for each listener, as escaped text and in base64: they are discounted, so that the upload of a
 * photo does not count as a flood.
 */
const repeatingEvents: ReadonlySet<string> = new Set(["Network.requestWillBeSent", "Fetch.requestPaused"]);
/** Approximate ratio of the events of a request to the size of its body. */
const repeats = 16;

/** Traffic of one session. */
interface TokenBucket {
  /** Tokens left, in bytes. */
  tokens: number;
  lastMs: number;
  /** Pop-ups left, and when they were counted. */
  popups: number;
  lastPopupMs: number;
  /** Bytes sent since the last probe that was not late, less the sustained rate. */
  bytesSinceProbe: number;
  readonly flooded: () => void;
  isOverLimit: boolean;
}

/**
 * Limits the rate of bytes that sessions send over one connection: a token bucket for each. On a machine that can't keep up, where
 * responses are late, all pages are paused until their messages are read, and the session that sent most of them is ended.
 */
export class RateLimiter {
  readonly #limits: RateLimits;
  readonly #browser: LimitedBrowser;
  readonly #sessions = new Map<string, TokenBucket>();
  /** Time of the pending probe; undefined if it was answered. */
  #probedMs: number | undefined;
  /** True if the last probe was late: the count is then not reset. */
  #wasLate = false;
  #pauseTimer: NodeJS.Timeout | undefined;

  constructor(limits: RateLimits, browser: LimitedBrowser) {
    this.#limits = limits;
    this.#browser = browser;
  }

  /**
   * Adds a session.
   *
   * @param flooded - Called once, when it exceeds the limit.
   * @returns A function that removes it.
   */
  watch(id: string, flooded: () => void): () => void {
    const { burstBytes, burstPopups } = this.#limits;
    this.#sessions.set(id, {
      tokens: burstBytes,
      lastMs: performance.now(),
      popups: burstPopups,
      lastPopupMs: performance.now(),
      bytesSinceProbe: 0,
      flooded,
      isOverLimit: false,
    });
    return () => {
      this.#sessions.delete(id);
      this.#resume();
    };
  }

  /**
   * Counts a message of a session.
   *
   * @returns Whether the session is over its limit.
   */
  count(id: string, method: string, bytes: number): boolean {
    const sent = this.#sessions.get(id);
    if (!sent || sent.isOverLimit) return sent?.isOverLimit ?? false;
    const {
      bytesPerSecond,
      burstBytes,
      messageOverheadBytes: messageBytes,
      targetOverheadBytes: targetBytes,
      lateBytesPerSecond,
    } = this.#limits;
    const nowMs = performance.now();
    const cost =
      Math.ceil(bytes / (repeatingEvents.has(method) ? repeats : 1)) +
      (method.startsWith("Target.") ? targetBytes : messageBytes);
    const seconds = (nowMs - sent.lastMs) / 1000;
    sent.tokens = Math.min(burstBytes, sent.tokens + seconds * bytesPerSecond) - cost;
    sent.lastMs = nowMs;
    sent.bytesSinceProbe = Math.max(0, sent.bytesSinceProbe - seconds * lateBytesPerSecond) + cost;
    if (sent.tokens < 0) this.#markFlooded(sent);
    this.#checkLatency(nowMs);
    return sent.isOverLimit;
  }

  /** Counts a popup of a session. */
  countPopup(id: string): void {
    const sent = this.#sessions.get(id);
    if (!sent || sent.isOverLimit) return;
    const { popupsPerSecond, burstPopups } = this.#limits;
    const nowMs = performance.now();
    const refill = ((nowMs - sent.lastPopupMs) / 1000) * popupsPerSecond;
    sent.popups = Math.min(burstPopups, sent.popups + refill) - 1;
    sent.lastPopupMs = nowMs;
    if (sent.popups < 0) this.#markFlooded(sent);
  }

  #checkLatency(nowMs: number): void {
    if (this.#probedMs === undefined) {
      this.#probedMs = nowMs;
      if (!this.#wasLate) for (const sent of this.#sessions.values()) sent.bytesSinceProbe = 0;
      const answered = (): void => {
        this.#probedMs = undefined;
        this.#wasLate = performance.now() - nowMs >= this.#limits.lateMs;
        this.#resume();
      };
      this.#browser.answers().then(answered, answered);
      return;
    }
    const { lateMs, lateBytes, lateBurstBytes: maxLateBytes } = this.#limits;
    if (nowMs - this.#probedMs < lateMs) return;
    const all = [...this.#sessions.values()].filter(({ isOverLimit: isFlooded }) => !isFlooded);
    const bytes = all.reduce((sum, { bytesSinceProbe: sinceAsked }) => sum + sinceAsked, 0);
    if (bytes > lateBytes) this.#pause();
    const heaviest = all.find(({ bytesSinceProbe: sinceAsked }) => sinceAsked > Math.max(maxLateBytes, bytes / 2));
    if (heaviest) this.#markFlooded(heaviest);
  }

  #markFlooded(sent: TokenBucket): void {
    sent.isOverLimit = true;
    this.#pause();
    sent.flooded();
  }

  #pause(): void {
    if (this.#pauseTimer !== undefined) return;
    this.#browser.pause.begin();
    this.#pauseTimer = setTimeout(() => this.#browser.pause.end(), maxPauseMs).unref();
  }

  /** Resumes pages when the browser has responded, and no session is over its limit. */
  #resume(): void {
    if (this.#pauseTimer === undefined || this.#probedMs !== undefined) return;
    for (const { isOverLimit: isFlooded } of this.#sessions.values()) if (isFlooded) return;
    clearTimeout(this.#pauseTimer);
    this.#pauseTimer = undefined;
    this.#browser.pause.end();
  }
}
