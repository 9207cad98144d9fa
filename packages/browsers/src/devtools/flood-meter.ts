/** Limits of what the pages of one session may send on their own: events of the DevTools protocol, by all of its connections together. */
export interface FloodLimits {
  /** For long, in bytes a second. */
  readonly bytesPerSecond: number;
  /** At once, in bytes. */
  readonly burstBytes: number;
  /** Bytes that each message counts beyond its length: to read it takes time, however short it is. */
  readonly messageBytes: number;
  /** Bytes that each page, frame or worker counts that opens, changes or closes: each takes much work. */
  readonly targetBytes: number;
  /** So long an answer of the browser may take while sessions send much, in milliseconds; then their pages are paused until it comes. */
  readonly lateMs: number;
  /** Bytes in that time from which on it counts as much. */
  readonly lateBytes: number;
  /** Bytes that one session may send at once while answers come late, when it is more than all others send together. */
  readonly mostLateBytes: number;
  /** The same for long, in bytes a second: a machine may be slow for any time, through no fault of those who send little. */
  readonly lateBytesPerSecond: number;
}

/** A page that loads or logs much needs a tenth of it. */
export const usualFloodLimits: FloodLimits = {
  bytesPerSecond: 8 * 2 ** 20,
  burstBytes: 48 * 2 ** 20,
  messageBytes: 500,
  targetBytes: 40_000,
  lateMs: 150,
  lateBytes: 2 ** 19,
  mostLateBytes: 16 * 2 ** 20,
  lateBytesPerSecond: 2 ** 20,
};

/** Methods of a browser that the meter uses. */
export interface MeteredBrowser {
  /** Resolves when the browser answers, behind all that it was sent before. */
  readonly answers: () => Promise<unknown>;
  /** Stops its pages, and lets them go on. */
  readonly pause: { readonly begin: () => void; readonly end: () => void };
}

/** Longest time that pages are paused for the end of a session that floods, in milliseconds. */
const longestPauseMs = 10_000;

/** Traffic of one session. */
interface Sent {
  /** Tokens that are left, in bytes. */
  left: number;
  lastMs: number;
  /** Since the browser was asked for an answer, and its last one was not late, without what may be sent for long, in bytes. */
  sinceAsked: number;
  readonly flooded: () => void;
  isFlooded: boolean;
}

/**
 * Rate limits on the bytes that sessions send over one connection: a token bucket for each; and on a machine that can't read as much,
 * where answers come late, all pages are paused until what they sent is read, and the session goes that sent most of it.
 */
export class FloodMeter {
  readonly #limits: FloodLimits;
  readonly #browser: MeteredBrowser;
  readonly #sessions = new Map<string, Sent>();
  /** When the browser was asked for an answer; undefined: it has given it. */
  #askedMs: number | undefined;
  /** True when its last answer came late: then what was sent before counts on. */
  #wasLate = false;
  #longestPause: NodeJS.Timeout | undefined;

  constructor(limits: FloodLimits, browser: MeteredBrowser) {
    this.#limits = limits;
    this.#browser = browser;
  }

  /**
   * Meters a session from now on.
   *
   * @param flooded - Called once, when it sends more than it may.
   * @returns A function that ends it.
   */
  watch(id: string, flooded: () => void): () => void {
    const left = this.#limits.burstBytes;
    this.#sessions.set(id, { left, lastMs: performance.now(), sinceAsked: 0, flooded, isFlooded: false });
    return () => {
      this.#sessions.delete(id);
      this.#resume();
    };
  }

  /**
   * Counts a message of a session.
   *
   * @returns Whether the session floods.
   */
  count(id: string, method: string, bytes: number): boolean {
    const sent = this.#sessions.get(id);
    if (!sent || sent.isFlooded) return sent?.isFlooded ?? false;
    const { bytesPerSecond, burstBytes, messageBytes, targetBytes, lateBytesPerSecond } = this.#limits;
    const nowMs = performance.now();
    const cost = bytes + (method.startsWith("Target.") ? targetBytes : messageBytes);
    const seconds = (nowMs - sent.lastMs) / 1000;
    sent.left = Math.min(burstBytes, sent.left + seconds * bytesPerSecond) - cost;
    sent.lastMs = nowMs;
    sent.sinceAsked = Math.max(0, sent.sinceAsked - seconds * lateBytesPerSecond) + cost;
    if (sent.left < 0) this.#flood(sent);
    this.#lookForDelay(nowMs);
    return sent.isFlooded;
  }

  #lookForDelay(nowMs: number): void {
    if (this.#askedMs === undefined) {
      this.#askedMs = nowMs;
      if (!this.#wasLate) for (const sent of this.#sessions.values()) sent.sinceAsked = 0;
      const answered = (): void => {
        this.#askedMs = undefined;
        this.#wasLate = performance.now() - nowMs >= this.#limits.lateMs;
        this.#resume();
      };
      this.#browser.answers().then(answered, answered);
      return;
    }
    const { lateMs, lateBytes, mostLateBytes } = this.#limits;
    if (nowMs - this.#askedMs < lateMs) return;
    const all = [...this.#sessions.values()].filter(({ isFlooded }) => !isFlooded);
    const bytes = all.reduce((sum, { sinceAsked }) => sum + sinceAsked, 0);
    if (bytes > lateBytes) this.#pause();
    const heaviest = all.find(({ sinceAsked }) => sinceAsked > Math.max(mostLateBytes, bytes / 2));
    if (heaviest) this.#flood(heaviest);
  }

  #flood(sent: Sent): void {
    sent.isFlooded = true;
    this.#pause();
    sent.flooded();
  }

  #pause(): void {
    if (this.#longestPause !== undefined) return;
    this.#browser.pause.begin();
    this.#longestPause = setTimeout(() => this.#browser.pause.end(), longestPauseMs).unref();
  }

  /** Lets pages go on when the browser answers, and no session is left that floods. */
  #resume(): void {
    if (this.#longestPause === undefined || this.#askedMs !== undefined) return;
    for (const { isFlooded } of this.#sessions.values()) if (isFlooded) return;
    clearTimeout(this.#longestPause);
    this.#longestPause = undefined;
    this.#browser.pause.end();
  }
}
