import { StepError } from "../automation-error.ts";
import { sleep } from "../async.ts";
import { quoteText } from "../quote.ts";
import type { DownloadEnd, FilesAtWork, RunningDownload } from "./files.ts";

/** Longest wait of a step for its downloads, in milliseconds; the end of the run waits for the rest. */
const stepMs = 10_000;
/** Time without a byte after which a download counts as failed at the end of a run, in milliseconds. */
const stalledMs = 30_000;
/** Longest wait for a download that a response announced to begin, in milliseconds. */
const beginMs = 5_000;
const pollMs = 100;
/** Most characters of a name in a message. */
const maxNameLength = 200;

/** A download, and its end. */
interface DownloadState {
  readonly download: RunningDownload;
  end: DownloadEnd | undefined;
  /** True once a note reported it as still running. */
  isTold: boolean;
}

/** Follows the downloads that steps begin, until each is kept as a file of the session or has failed. */
export class KeptDownloads {
  #files: FilesAtWork | undefined;
  #open: DownloadState[] = [];
  /** True when a response announced a download, and when one began, since the last call of `take`. */
  #isAnnounced = false;
  #hasBegun = false;

  /** Follows the downloads of a session from now on. */
  follow(files: FilesAtWork | undefined): void {
    if (files === undefined || files === this.#files) return;
    this.#files = files;
    files.onDownload((download) => {
      const state: DownloadState = { download, end: undefined, isTold: false };
      this.#open.push(state);
      this.#hasBegun = true;
      void download.ended.then((end) => (state.end = end));
    });
  }

  /** True when downloads are kept as files of the session. */
  get areKept(): boolean {
    return this.#files !== undefined;
  }

  /** True while a download is running or announced, or its end was not reported. */
  get isAny(): boolean {
    return this.#open.length > 0 || this.#isAnnounced;
  }

  /** Announces a download. Call it when a response is downloaded instead of shown. */
  announce(): void {
    this.#isAnnounced = true;
  }

  /**
   * Waits some seconds for downloads that have begun. Returns which were kept, and which are still running, as sentences, each once.
   *
   * @throws {AutomationError} `step_failed` if one was not kept, or did not begin.
   */
  async take(): Promise<readonly string[]> {
    await this.#begin();
    const until = performance.now() + stepMs;
    while (this.#open.some(({ end, isTold }) => !end && !isTold) && performance.now() < until)
      await sleep(pollMs, undefined);
    return this.#report();
  }

  /**
   * Waits for all downloads, as long as bytes arrive. Returns which were kept, as sentences.
   *
   * @throws {AutomationError} `step_failed` if one was not kept, or nothing arrives any more.
   */
  async finish(signal: AbortSignal): Promise<readonly string[]> {
    await this.#begin();
    let lastBytes = -1;
    let lastBytesMs = performance.now();
    for (;;) {
      const left = this.#open.filter(({ end }) => !end);
      if (left.length === 0) return this.#report();
      const bytes = left.reduce((sum, { download }) => sum + download.bytes(), 0) - left.length;
      if (bytes !== lastBytes) [lastBytes, lastBytesMs] = [bytes, performance.now()];
      if (performance.now() - lastBytesMs > stalledMs) {
        const [{ download } = { download: { name: "", bytes: () => 0 } }] = left;
        const why = `nothing has arrived for ${stalledMs / 1000} s, after ${download.bytes()} bytes`;
        throw new StepError(`the download ${quoteText(download.name, maxNameLength)} has stalled: ${why}`);
      }
      await sleep(pollMs, signal);
    }
  }

  /** Waits for a download that was announced. */
  async #begin(): Promise<void> {
    const until = performance.now() + beginMs;
    while (this.#files && this.#isAnnounced && !this.#hasBegun) {
      if (performance.now() > until) {
        this.#isAnnounced = false;
        throw new StepError("the page was answered with a download, which did not begin");
      }
      await sleep(pollMs, undefined);
    }
    this.#isAnnounced = false;
    this.#hasBegun = false;
  }

  #report(): readonly string[] {
    const ended = this.#open.filter(({ end }) => end);
    this.#open = this.#open.filter(({ end }) => !end);
    for (const { download, end } of ended) {
      if (end && "reason" in end)
        throw new StepError(`the download ${quoteText(download.name, maxNameLength)} was not kept: ${end.reason}`);
    }
    const files = ended.flatMap(({ end }) => (end && "file" in end ? [end.file] : []));
    const going = this.#open.filter(({ isTold }) => !isTold);
    for (const one of going) one.isTold = true;
    return [
      ...files.map(
        ({ name, size }) => `Downloaded ${quoteText(name, maxNameLength)} (${size} bytes), a file of the session.`,
      ),
      ...going.map(({ download }) => `The download ${quoteText(download.name, maxNameLength)} goes on.`),
    ];
  }
}
