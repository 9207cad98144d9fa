import type { BrowserContext, Dialog, Download } from "playwright-core";
import { AutomationError } from "../automation-error.ts";

/** Most characters of a page's message that are told. */
const mostTold = 200;

/**
 * Watches what an act asks for that nobody here grants. A message of the page has been told; a question that was answered with no, and a
 * download that was refused mean that what was wanted has not been done.
 */
export class Refused {
  readonly #context: BrowserContext;
  readonly #messages: string[] = [];
  #refused: string | undefined;

  constructor(context: BrowserContext) {
    this.#context = context;
    context.on("dialog", this.#dialog);
    context.on("download", this.#download);
  }

  readonly #dialog = (dialog: Dialog): void => {
    const message = JSON.stringify(dialog.message().slice(0, mostTold));
    if (dialog.type() === "alert") this.#messages.push(` The page said ${message}.`);
    if (["confirm", "prompt"].includes(dialog.type()))
      this.#refused ??= `the page showed the dialog ${message}, which was dismissed`;
  };

  readonly #download = (download: Download): void => {
    this.#refused ??= `it starts a download (${JSON.stringify(download.suggestedFilename().slice(0, mostTold))}), and downloads are disabled`;
  };

  /**
   * Returns the messages that the page showed meanwhile, as sentences.
   *
   * @throws {AutomationError} `step_failed` when something was refused.
   */
  messages(): string {
    if (this.#refused !== undefined) throw new AutomationError("step_failed", this.#refused);
    return this.#messages.join("");
  }

  /** Ends the watch. */
  end(): void {
    this.#context.off("dialog", this.#dialog);
    this.#context.off("download", this.#download);
  }
}
