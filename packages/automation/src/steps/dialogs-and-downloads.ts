import type { BrowserContext, Dialog, Download } from "playwright-core";
import { AutomationError } from "../automation-error.ts";

/** Most characters of a page's message that are repeated. */
const maxQuotedLength = 200;

/**
 * Watches the dialogs and downloads that an action opens. Alerts are reported; a dismissed `confirm` or `prompt`, and a
 * canceled download mean that the action did not take effect.
 */
export class DialogsAndDownloads {
  readonly #context: BrowserContext;
  readonly #messages: string[] = [];
  #refused: string | undefined;

  constructor(context: BrowserContext) {
    this.#context = context;
    context.on("dialog", this.#dialog);
    context.on("download", this.#download);
  }

  readonly #dialog = (dialog: Dialog): void => {
    const message = JSON.stringify(dialog.message().slice(0, maxQuotedLength));
    if (dialog.type() === "alert") this.#messages.push(` The page said ${message}.`);
    if (["confirm", "prompt"].includes(dialog.type()))
      this.#refused ??= `the page showed the dialog ${message}, which was dismissed`;
  };

  readonly #download = (download: Download): void => {
    this.#refused ??= `it starts a download (${JSON.stringify(download.suggestedFilename().slice(0, maxQuotedLength))}), and downloads are disabled`;
  };

  /**
   * Returns the alerts that the page showed, as sentences.
   *
   * @throws {AutomationError} `step_failed` if a dialog was dismissed or a download was canceled.
   */
  messages(): string {
    if (this.#refused !== undefined) throw new AutomationError("step_failed", this.#refused);
    return this.#messages.join("");
  }

  /** Stops watching. */
  end(): void {
    this.#context.off("dialog", this.#dialog);
    this.#context.off("download", this.#download);
  }
}
