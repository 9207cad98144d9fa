import type { TimelineEntry } from "../timeline/timeline-event.ts";
import type { TerminalEvent } from "@cloud-browser/automation";
import type { Histogram } from "prom-client";
import { mainKey } from "../keys/keys.ts";
import type { HandoverAnswer } from "../sessions/control/steering-events.ts";
import type { QueueOutcome } from "../sessions/queue/session-queue.ts";
import type { EndReason } from "../storage/session-store.ts";
import { MetricRegistry } from "./metric-registry.ts";
import { observeParts, type ObservedParts } from "./observed-parts.ts";

/** An answered request. */
export interface AnsweredRequest {
  /** Its method. */
  readonly method: string;
  /** Path of its route, with the names of parameters; undefined where there is no such route. */
  readonly route: string | undefined;
  /** Status of the answer. */
  readonly status: number;
  /** Time until the head of the answer was there, in milliseconds. */
  readonly ms: number;
  /** Name of the key that it had; undefined without a right one. */
  readonly key: string | undefined;
}

const creationBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];
const queueBuckets = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 240, 500];
const requestBuckets = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];
const scrapeBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Methods that a label may have; others are counted together, since a client chooses them. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Metrics of the service, in the text format of Prometheus. Labels have few values, and none that a client chose. */
export class ServiceMetrics {
  readonly #metrics = new MetricRegistry();
  readonly #waiting = this.#metrics.addGauge("sessions_waiting", "Requests for a session that are pending.");
  readonly #created = this.#metrics.addCounter("sessions_created_total", "Sessions that were created.");
  readonly #ended = this.#metrics.addCounter("sessions_ended_total", "Sessions that have ended, by reason.", [
    "reason",
  ]);
  readonly #creation = this.#metrics.addHistogram(
    "session_creation_duration_seconds",
    "Time from the request for a session until it is created or has failed.",
    creationBuckets,
    ["outcome"],
  );
  readonly #queue = this.#metrics.addHistogram(
    "session_queue_duration_seconds",
    "Time that requests for a session waited in the queue, by outcome.",
    queueBuckets,
    ["outcome"],
  );
  readonly #scrape = this.#metrics.addHistogram("scrape_duration_seconds", "Time of a page scrape.", scrapeBuckets, [
    "outcome",
  ]);
  readonly #requests = this.#metrics.addHistogram(
    "http_request_duration_seconds",
    "Time from a request to the head of its answer, by method, route and status.",
    requestBuckets,
    ["method", "route", "status"],
  );
  readonly #requestsOfKeys = this.#metrics.addCounter("key_requests_total", "Requests, by the name of their key.", [
    "key",
  ]);
  readonly #costOfKeys = this.#metrics.addCounter(
    "key_run_cost_usd_total",
    "Cost of automation runs that have ended, in US dollars, by the name of their key.",
    ["key"],
  );
  readonly #blocked = this.#metrics.addCounter(
    "egress_blocked_total",
    "Requests of pages that were blocked, by reason.",
    ["reason"],
  );
  readonly #encoderFailures = this.#metrics.addCounter(
    "recording_encoder_failures_total",
    "Encoder runs that failed; they are retried.",
  );
  readonly #runsStarted = this.#metrics.addCounter("runs_started_total", "Automation runs that were started.");
  readonly #runsEnded = this.#metrics.addCounter(
    "runs_ended_total",
    "Automation runs that have ended, by terminal event.",
    ["end"],
  );
  readonly #cost = this.#metrics.addCounter(
    "run_cost_usd_total",
    "Cost of automation runs that have ended, in US dollars.",
  );
  readonly #writeBacks = this.#metrics.addCounter(
    "profile_write_backs_total",
    "Profiles that sessions had to write back at their end, by outcome.",
    ["outcome"],
  );
  readonly #viewers = this.#metrics.addGauge("live_viewers_open", "Live sockets of viewers that are open.");
  readonly #pictures = this.#metrics.addCounter("live_pictures_sent_total", "Pictures that were sent to viewers.");
  readonly #answered = this.#metrics.addCounter(
    "handovers_answered_total",
    "Requests for a person that were answered, by answer.",
    ["answer"],
  );
  readonly #files = this.#metrics.addCounter(
    "session_files_total",
    "Files of sessions that came to an end, by origin (download, upload) and outcome.",
    ["origin", "outcome"],
  );
  readonly #fileBytes = this.#metrics.addCounter(
    "session_file_bytes_total",
    "Bytes of files that were kept, by origin.",
    ["origin"],
  );
  readonly #entries = this.#metrics.addCounter(
    "timeline_entries_total",
    "Entries of the timelines of sessions, by who acted.",
    ["by"],
  );
  readonly #droppedEntries = this.#metrics.addCounter(
    "timeline_dropped_total",
    "Entries that were left out of timelines: more came than are kept.",
  );
  readonly #browserDeaths = this.#metrics.addCounter("browser_deaths_total", "Browser processes that crashed.");

  /** Content type of {@link writeText}. */
  get contentType(): string {
    return this.#metrics.contentType;
  }

  /** The value of every metric now, in the text format of Prometheus. */
  writeText(): Promise<string> {
    return this.#metrics.writeText();
  }

  /** Reads the state of these parts with each scrape of the metrics. To be called once. */
  observe(parts: ObservedParts): void {
    observeParts(this.#metrics, parts);
  }

  /** A session was created. */
  countCreatedSession(): void {
    this.#created.inc();
  }

  /** A session has ended. */
  countEndedSession(reason: EndReason): void {
    this.#ended.inc({ reason });
  }

  /** A request that had to wait for a session has left the queue. */
  countQueueExit(outcome: QueueOutcome, ms: number): void {
    this.#queue.observe({ outcome }, ms / 1_000);
  }

  /** Times a creation, which counts as waiting meanwhile. */
  timeCreation(creation: Promise<unknown>): void {
    this.#waiting.inc();
    void time(this.#creation, creation).then(
      () => this.#waiting.dec(),
      () => this.#waiting.dec(),
    );
  }

  /** Times a scrape. Gives what that gives. */
  timeScrape<Result>(scrape: Promise<Result>): Promise<Result> {
    return time(this.#scrape, scrape);
  }

  /** A run of the encoder failed. */
  countEncoderFailure(): void {
    this.#encoderFailures.inc();
  }

  /** A run was started. */
  countBegunRun(): void {
    this.#runsStarted.inc();
  }

  /** A run of a key has ended. */
  countEndedRun(end: TerminalEvent["type"], costUsd: string, key: string | null): void {
    this.#runsEnded.inc({ end });
    this.#cost.inc(Number(costUsd));
    this.#costOfKeys.inc({ key: key ?? mainKey }, Number(costUsd));
  }

  /** A request was answered. */
  countRequest({ method, route = "none", status, ms, key }: AnsweredRequest): void {
    const labels = { method: methods.has(method) ? method : "other", route, status };
    this.#requests.observe(labels, ms / 1_000);
    if (key !== undefined) this.#requestsOfKeys.inc({ key });
  }

  /** A request of a page was blocked. */
  countBlockedRequest(reason: string): void {
    this.#blocked.inc({ reason });
  }

  /** A viewer opened a live socket. */
  countViewer(): void {
    this.#viewers.inc();
  }

  /** A live socket was closed. */
  discountViewer(): void {
    this.#viewers.dec();
  }

  /** A picture was sent to a viewer. */
  countPicture(): void {
    this.#pictures.inc();
  }

  /** A request for a person was answered. */
  countHandover(answer: HandoverAnswer): void {
    this.#answered.inc({ answer });
  }

  /** A session that had to write a profile back has ended; it was saved or not. */
  countWriteBack(isSaved: boolean): void {
    this.#writeBacks.inc({ outcome: isSaved ? "saved" : "failed" });
  }

  /** Counts a file that is complete, canceled or has failed, and the bytes that are kept of it. */
  countFile(origin: "download" | "upload", outcome: string, bytes: number): void {
    this.#files.inc({ origin, outcome });
    this.#fileBytes.inc({ origin }, bytes);
  }

  /** An entry was added to the timeline of a session. */
  countEntry(entry: TimelineEntry): void {
    if (entry.kind === "dropped") this.#droppedEntries.inc(entry.count);
    else this.#entries.inc({ by: entry.by });
  }

  /** Counts a browser crash. */
  countBrowserCrash(): void {
    this.#browserDeaths.inc();
  }
}

/** Gives what the work gives, and keeps how long that took. */
async function time<Result>(histogram: Histogram<"outcome">, work: Promise<Result>): Promise<Result> {
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
