import type { TerminalEvent } from "@cloud-browser/automation";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { QueueOutcome } from "../sessions/session-queue.ts";
import type { RecordingStore } from "../storage/recordings/recording-store.ts";
import type { EndReason } from "../storage/session-store.ts";

/** Parts whose state is read with each scrape of the metrics. */
export interface ObservedParts {
  /** The sessions. */
  readonly sessions: {
    readonly open: readonly unknown[];
    readonly queue: { readonly length: number; readonly oldestMs: number };
  };
  /** Most sessions at a time. */
  readonly sessionLimit: number;
  /** The runs. */
  readonly runs: { readonly open: readonly unknown[] };
  /** The recordings. */
  readonly recordings: Pick<RecordingStore, "bytes" | "lagMs" | "shippingLagMs" | "unshippedBytes">;
  /** Counts the leases that nodes hold. Default: 0, as where one process is the whole service. */
  readonly leases?: () => Promise<number>;
  /** Returns whether the service drains. Default: it does not. */
  readonly isDraining?: () => boolean;
}

const creationBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];
const queueBuckets = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 240, 500];
const scrapeBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Metrics of the service, in the text format of Prometheus. Labels have few values, and none comes from a client. */
export class ServiceMetrics {
  readonly #registry = new Registry();
  readonly #waiting = this.#gauge("sessions_waiting", "Requests for a session that are pending.");
  readonly #created = this.#counter("sessions_created_total", "Sessions that were created.");
  readonly #ended = this.#counter("sessions_ended_total", "Sessions that have ended, by reason.", ["reason"]);
  readonly #creation = this.#histogram(
    "session_creation_duration_seconds",
    "Time from the request for a session until it is created or has failed.",
    creationBuckets,
  );
  readonly #queue = this.#histogram(
    "session_queue_duration_seconds",
    "Time that requests for a session waited in the queue, by outcome.",
    queueBuckets,
  );
  readonly #scrape = this.#histogram("scrape_duration_seconds", "Time of a page scrape.", scrapeBuckets);
  readonly #encoderFailures = this.#counter(
    "recording_encoder_failures_total",
    "Encoder runs that failed; they are retried.",
  );
  readonly #runsStarted = this.#counter("runs_started_total", "Automation runs that were started.");
  readonly #runsEnded = this.#counter("runs_ended_total", "Automation runs that have ended, by terminal event.", [
    "end",
  ]);
  readonly #cost = this.#counter("run_cost_usd_total", "Cost of automation runs that have ended, in US dollars.");
  readonly #browserDeaths = this.#counter("browser_deaths_total", "Browser processes that crashed.");

  /** Content type of {@link text}. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The value of every metric now, in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Reads the state of these parts with each scrape of the metrics. To be called once. */
  observe({
    sessions,
    sessionLimit,
    runs,
    recordings,
    leases = () => Promise.resolve(0),
    isDraining = () => false,
  }: ObservedParts): void {
    this.#gauge("draining", "1 while the service drains: it accepts no new sessions.", () => Number(isDraining()));
    this.#gauge("sessions_open", "Sessions that are open.", () => sessions.open.length);
    this.#gauge("sessions_limit", "Limit of open sessions.", () => sessionLimit);
    this.#gauge("session_queue_length", "Requests in the session queue.", () => sessions.queue.length);
    this.#gauge(
      "session_queue_age_seconds",
      "Age of the oldest request in the session queue.",
      () => sessions.queue.oldestMs / 1_000,
    );
    this.#gauge("runs_open", "Automation runs that are active.", () => runs.open.length);
    this.#gauge(
      "recording_lag_seconds",
      "Longest time for which nothing of an open session's recording could be written.",
      () => recordings.lagMs / 1_000,
    );
    this.#gauge(
      "recording_shipping_lag_seconds",
      "Longest time for which a recording has not been shipped whole to the bucket; 0 where there is none.",
      () => recordings.shippingLagMs / 1_000,
    );
    this.#gauge(
      "recording_unshipped_bytes",
      "Bytes of recordings that are not shipped to the bucket; 0 where there is none.",
      () => recordings.unshippedBytes,
    );
    this.#gauge("leases_held", "Leases that nodes hold; 0 where one process is the whole service.", leases);
    let counted = 0;
    const bytes = this.#counter("recording_bytes_total", "Bytes written to recordings.", [], () => {
      const now = Math.max(counted, recordings.bytes);
      bytes.inc(now - counted);
      counted = now;
    });
  }

  /** A session was created. */
  sessionCreated(): void {
    this.#created.inc();
  }

  /** A session has ended. */
  sessionEnded(reason: EndReason): void {
    this.#ended.inc({ reason });
  }

  /** A request that had to wait for a session has left the queue. */
  queueLeft(outcome: QueueOutcome, ms: number): void {
    this.#queue.observe({ outcome }, ms / 1_000);
  }

  /** Times a creation, which counts as waiting meanwhile. */
  timeCreation(creation: Promise<unknown>): void {
    this.#waiting.inc();
    void timed(this.#creation, creation).then(
      () => this.#waiting.dec(),
      () => this.#waiting.dec(),
    );
  }

  /** Times a scrape. Gives what that gives. */
  timeScrape<Result>(scrape: Promise<Result>): Promise<Result> {
    return timed(this.#scrape, scrape);
  }

  /** A run of the encoder failed. */
  encoderFailed(): void {
    this.#encoderFailures.inc();
  }

  /** A run was started. */
  runBegun(): void {
    this.#runsStarted.inc();
  }

  /** A run has ended. */
  runEnded(end: TerminalEvent["type"], costUsd: string): void {
    this.#runsEnded.inc({ end });
    this.#cost.inc(Number(costUsd));
  }

  /** Counts a browser crash. */
  browserDied(): void {
    this.#browserDeaths.inc();
  }

  #counter(name: string, help: string, labelNames: readonly string[] = [], collect?: () => void): Counter {
    return new Counter({
      name: prefixed(name),
      help,
      labelNames,
      registers: [this.#registry],
      ...(collect === undefined ? {} : { collect }),
    });
  }

  #gauge(name: string, help: string, read?: () => number | Promise<number>): Gauge {
    const collect = read && (async (): Promise<void> => gauge.set(await read()));
    const gauge = new Gauge({
      name: prefixed(name),
      help,
      registers: [this.#registry],
      ...(collect === undefined ? {} : { collect }),
    });
    return gauge;
  }

  #histogram(name: string, help: string, buckets: readonly number[]): Histogram<"outcome"> {
    return new Histogram({
      name: prefixed(name),
      help,
      labelNames: ["outcome"],
      buckets: [...buckets],
      registers: [this.#registry],
    });
  }
}

const prefixed = (name: string): string => `cloud_browser_${name}`;

/** Gives what the work gives, and keeps how long that took. */
async function timed<Result>(histogram: Histogram<"outcome">, work: Promise<Result>): Promise<Result> {
  const end = histogram.startTimer();
  try {
    const result = await work;
    end({ outcome: "ok" });
    return result;
  } catch (error) {
    end({ outcome: "failed" });
    throw error;
  }
}
