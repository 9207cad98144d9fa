import type { BrowserContext, Dialog, Download } from "playwright-core";
import type { ExpectedDialogs } from "./expected-dialogs.ts";
import { StepError } from "../automation-error.ts";
import { KeptDownloads } from "./downloads.ts";
import { saysFailure } from "./words.ts";

/** Most characters of a page's message that are repeated. */
const maxQuotedLength = 200;

/**
 * Watches the dialogs and downloads that steps open. Alerts, and downloads that the session keeps, become notes. A step failed when an
 * alert reports a failure, a `confirm` or `prompt` was dismissed, or a download is not kept. Dialogs that a step expects get its answers;
 * any other one is dismissed meanwhile.
 */
export class DialogsAndDownloads {
  #messages: string[] = [];
  #refused: string | undefined;
  #hasDownload = false;
  /** Downloads that the session keeps. */
  readonly downloads = new KeptDownloads();
  /** Dialogs that the current step expects; undefined if it expects none. */
  expected: ExpectedDialogs | undefined;

  constructor(context: BrowserContext) {
    context.on("dialog", this.#dialog);
    context.on("download", this.#download);
  }

  readonly #dialog = (dialog: Dialog): void => {
    if (this.expected?.answer(dialog)) return;
    // Nobody else answers while a step does.
    if (this.expected)
      void (dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss()).catch(() => undefined);
    const message = JSON.stringify(dialog.message().slice(0, maxQuotedLength));
    if (dialog.type() === "alert") {
      this.#messages.push(`The page said ${message}.`);
      if (saysFailure(dialog.message())) this.#refused ??= `the page says ${message}`;
    }
    if (["confirm", "prompt"].includes(dialog.type()))
      this.#refused ??= `the page showed the dialog ${message}, which was dismissed`;
  };

  readonly #download = (download: Download): void => {
    this.#hasDownload = true;
    if (this.downloads.areKept) return;
    this.#refused ??= `it starts a download (${JSON.stringify(download.suggestedFilename().slice(0, maxQuotedLength))}), and the session keeps no files`;
  };

  /** True when a download has begun since the last call of `take`. */
  get hasDownload(): boolean {
    return this.#hasDownload;
  }

  /**
   * Returns the alerts since the last call, and the downloads that were kept, as sentences. Waits some seconds for downloads that have
   * begun.
   *
   * @throws {AutomationError} `step_failed` if an alert says so, a dialog was dismissed, or a download was not kept.
   */
  async take(): Promise<readonly string[]> {
    const [messages, refused] = [this.#messages, this.#refused];
    this.#messages = [];
    this.#refused = undefined;
    this.#hasDownload = false;
    if (refused !== undefined) throw new StepError(refused);
    return [...messages, ...(await this.downloads.take())];
  }
}
