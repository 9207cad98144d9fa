import type { Frame, Page } from "playwright-core";
import pTimeout from "p-timeout";
import { ServiceError } from "../service-error.ts";

/** Longest text, in characters. */
const maxCharacters = 500_000;

/** How long a page may take to copy or paste, in milliseconds. */
const pageMs = 5_000;

/**
 * The clipboard of one session: a text that the service keeps. The clipboard of Chromium is shared by all sessions of a browser, and never
 * read or written here: a page is asked by a script for what is selected, and a text is inserted as if it was typed.
 */
export class SessionClipboard {
  #text = "";

  /** The text; empty at first. A secret of the session. */
  get text(): string {
    return this.#text;
  }

  /** Replaces the text. */
  set(text: string): void {
    this.#text = text.slice(0, maxCharacters);
  }

  /**
   * Copies what is selected in a page; keeps the text when nothing is, or a password.
   *
   * @throws {ServiceError} `page-failed` when the page does not answer.
   */
  async copy(page: Page): Promise<void> {
    const selection = await limitTime(
      findFocusedFrame(page.mainFrame()).then((frame) => frame.evaluate(readSelection, maxCharacters)),
    );
    // A page can answer with anything.
    if (typeof selection === "string" && selection !== "") this.set(selection);
  }

  /**
   * Inserts the text where the cursor is, unless the page handles the `paste` event itself.
   *
   * @throws {ServiceError} `page-failed` when the page does not answer.
   */
  async paste(page: Page): Promise<void> {
    const text = this.#text;
    const pasting = findFocusedFrame(page.mainFrame()).then(async (frame) => {
      if (!(await frame.evaluate(offerPaste, text))) await page.keyboard.insertText(text);
    });
    await limitTime(pasting);
  }
}

/** Finds the frame that has the focus within a page. */
async function findFocusedFrame(frame: Frame): Promise<Frame> {
  const active = await frame.evaluateHandle(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element;
  });
  const inner = await active.asElement()?.contentFrame();
  await active.dispose();
  return inner ? findFocusedFrame(inner) : frame;
}

/** Runs in the page: returns what a copy would give. */
function readSelection(most: number): string {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const field = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element : undefined;
  if (field?.type === "password") return "";
  const clipboardData = new DataTransfer();
  const event = new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true, composed: true });
  const isOwn = !(element ?? document).dispatchEvent(event);
  if (isOwn) return clipboardData.getData("text/plain").slice(0, most);
  const { selectionStart = null, selectionEnd = null, value = "" } = field ?? {};
  if (selectionStart !== null) return value.slice(selectionStart, selectionEnd ?? undefined).slice(0, most);
  return String(getSelection() ?? "").slice(0, most);
}

/** Runs in the page: returns whether it has handled the text itself. */
function offerPaste(text: string): boolean {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true, composed: true });
  return !(element ?? document).dispatchEvent(event);
}

async function limitTime<Result>(work: Promise<Result>): Promise<Result> {
  const message = `the page has not answered for ${pageMs / 1_000} s`;
  try {
    return await pTimeout(work, { milliseconds: pageMs, message });
  } catch (cause) {
    const why =
      cause instanceof Error && cause.message === message ? message : "the page was closed, or went elsewhere";
    throw new ServiceError("page-failed", `the clipboard could not be used: ${why}; try again`, { cause });
  }
}
