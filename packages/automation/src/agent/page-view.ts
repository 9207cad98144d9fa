import type { ActivePage } from "../page/active-page.ts";
import { AutomationError } from "../automation-error.ts";
import { describePage, type DescribeOptions, type PageDescription } from "../snapshot/describe-page.ts";
import { diffTexts } from "./line-diff.ts";

/** A page, or its changes, as text for the model. */
export interface View {
  /** Text of the page: untrusted, to be marked as such. */
  readonly text: string;
  /** True for the full page; false for the changes since the previous view. */
  readonly isFullPage: boolean;
  /** True when the page differs from the previous view. */
  readonly hasChanged: boolean;
}

/** Describes the page for the model: in full when it is another one, otherwise its changes. */
export class PageView {
  readonly #activePage: ActivePage;
  readonly #maxCharacters: number;
  #lastShown: PageDescription | undefined;

  /** @param maxCharacters - Limit of one snapshot. */
  constructor(activePage: ActivePage, maxCharacters: number) {
    this.#activePage = activePage;
    this.#maxCharacters = maxCharacters;
  }

  /**
   * Describes the page, or a part of it, in full.
   *
   * @throws {AutomationError} `step_failed` if the page does not respond, or has no such part.
   */
  async showFullPage(options: DescribeOptions): Promise<View> {
    const before = this.#lastShown;
    const now = await this.#describe(options);
    // Later views can't be compared with a part of the page.
    const isPart = options.scope !== undefined || options.depth !== undefined;
    this.#lastShown = isPart ? undefined : now;
    return { text: now ? writeFullPage(now) : noPage, isFullPage: true, hasChanged: !isSame(now, before) };
  }

  /** Describes what has changed since the last view; the full page if that is shorter; the error message if the page can't be read. */
  async showChanges(signal: AbortSignal): Promise<View> {
    const before = this.#lastShown;
    try {
      const now = await this.#describe({ signal });
      this.#lastShown = now;
      return now ? describeChange(before, now) : { text: noPage, isFullPage: true, hasChanged: before !== undefined };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AutomationError)) throw error;
      this.#lastShown = undefined;
      return { text: error.message, isFullPage: true, hasChanged: before !== undefined };
    }
  }

  async #describe(options: DescribeOptions): Promise<PageDescription | undefined> {
    const page = this.#activePage.current;
    return page && describePage(page, { ...options, maxCharacters: this.#maxCharacters });
  }
}

const noPage = "No page is open.";

function describeChange(before: PageDescription | undefined, now: PageDescription): View {
  if (isSame(now, before)) return { text: "The page did not change.", isFullPage: false, hasChanged: false };
  const changed = before?.url === now.url ? diffTexts(before.snapshot, now.snapshot).join("\n") : undefined;
  if (changed === undefined || changed.length > now.snapshot.length / 2) {
    return { text: writeFullPage(now), isFullPage: true, hasChanged: true };
  }
  return { text: `What has changed:\n${writeHeader(now)}\n${changed}`, isFullPage: false, hasChanged: true };
}

function isSame(one: PageDescription | undefined, other: PageDescription | undefined): boolean {
  return one?.url === other?.url && one?.title === other?.title && one?.snapshot === other?.snapshot;
}

function writeHeader({ url, title }: PageDescription): string {
  return `url: ${url.slice(0, 2_000)}\ntitle: ${title.slice(0, 300)}`;
}

function writeFullPage(page: PageDescription): string {
  return `${writeHeader(page)}\n${page.snapshot}${page.cut === undefined ? "" : `\n(${page.cut})`}`;
}
