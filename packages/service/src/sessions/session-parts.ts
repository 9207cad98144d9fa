import type { PooledContext } from "@cloud-browser/browsers";
import type { Clock } from "@cloud-browser/recorder";
import type { SessionFiles } from "../files/session-files.ts";
import type { MonotonicClock } from "../monotonic-clock.ts";
import type { EndReason } from "../storage/session-store.ts";
import type { TimelineEntry } from "../timeline/timeline-event.ts";
import type { SteeringChange } from "./control/steering-events.ts";
import type { PageInfo } from "./page-info.ts";
import type { LifeLimits } from "./session-limits.ts";

/** Methods of a recorder that a session uses. */
export interface SessionRecorder {
  /** Somebody acts on the page: what follows is sampled soon. */
  onActivity(): void;
  /** A client takes a screenshot, for which the page is drawn differently. Returns a function to be called when it has it. */
  holdForScreenshot(kind: "all" | "resized"): () => void;
  /** Calls back with the newest picture (JPEG) at once, and with each new one; returns a function that ends it. */
  watch(listener: (jpeg: Uint8Array) => void): () => void;
  /** Keeps a line of the timeline with the recording. */
  note(line: string): void;
  /** Takes the last picture. Resolves when nothing of the browser is needed any more. */
  end(): Promise<void>;
}

/** Parts of a session. */
export interface SessionParts {
  /** Its id, a UUID. */
  readonly id: string;
  /** When it was created, in milliseconds since 1970. */
  readonly createdMs: number;
  /** Name of the key that created it; null for the key that the service was started with. */
  readonly key: string | null;
  /** Its browser context, as the client sees it: a browser with one context. */
  readonly pooledContext: PooledContext;
  /** Its files. Default: none are kept. */
  readonly files?: SessionFiles | undefined;
  /** Returns the current time. */
  readonly clock: Clock;
  /** Clock that its limits are measured by. */
  readonly monotonic: MonotonicClock;
  /** How long it may live. */
  readonly limits: LifeLimits;
  /** How long a person who is disconnected keeps the control of it, in milliseconds. */
  readonly graceMs: number;
  /** Called with each change about who steers it. */
  readonly onSteering: (change: SteeringChange) => void;
  /** Called with each entry of its timeline. */
  readonly onEntry?: ((entry: TimelineEntry) => void) | undefined;
  /**
   * Called once, when it has ended for whatever reason and only its recording is left; with the address of its page, what went wrong on
   * the way, and when its last client was disconnected, in milliseconds since 1970: its recording lasts until then, however long its
   * browser takes to close. It has ended for everybody when what this returns has settled; it may not reject.
   */
  readonly onEnd: (
    reason: EndReason,
    page: PageInfo,
    faults: readonly unknown[],
    endedMs: number,
  ) => void | Promise<void>;
}
