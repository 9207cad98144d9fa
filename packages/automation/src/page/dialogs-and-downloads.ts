import type { BrowserContext, Dialog, Download } from "playwright-core";
import { AutomationError } from "../automation-error.ts";
import { saysFailure } from "./words.ts";

/** Most characters of a page's message that are repeated. */
const maxQuotedLength = 200;

/**
 * Watches the dialogs and downloads that steps open. Alerts are reported; an alert that says so, a dismissed `confirm` or `prompt`, and a
 * canceled download mean that the action did not take effect.
 */
export class DialogsAndDownloads {
  #messages: string[] = [];
  #refused: string | undefined;

  constructor(context: BrowserContext) {
    context.on("dialog", this.#dialog);
    context.on("download", this.#download);
  }

  readonly #dialog = (dialog: Dialog): void => {
    const message = JSON.stringify(dialog.message().slice(0, maxQuotedLength));
    if (dialog.type() === "alert") {
      this.#messages.push(`The page said ${message}.`);
      if (saysFailure(dialog.message())) this.#refused ??= `the page says ${message}`;
    }
    if (["confirm", "prompt"].includes(dialog.type()))
      this.#refused ??= `the page showed the dialog ${message}, which was dismissed`;
  };

  readonly #download = (download: Download): void => {
    this.#refused ??= `it starts a download (${JSON.stringify(download.suggestedFilename().slice(0, maxQuotedLength))}), and downloads are disabled`;
  };

  /**
   * Returns the alerts that pages showed since the last call, as sentences.
   *
   * @throws {AutomationError} `step_failed` if an alert says so, a dialog was dismissed, or a download was canceled.
   */
  take(): readonly string[] {
    const [messages, refused] = [this.#messages, this.#refused];
    this.forget();
    if (refused !== undefined) throw new AutomationError("step_failed", refused);
    return messages;
  }

  /** Forgets what pages have shown until now. */
  forget(): void {
    this.#messages = [];
    this.#refused = undefined;
  }
}
