import type { ActivePage } from "../page/active-page.ts";
import { AutomationError } from "../automation-error.ts";
import { describePage, type PageDescription } from "../snapshot/describe-page.ts";
import { lineChanges } from "./line-changes.ts";

/** How a page is shown to the model. */
export interface View {
  /** Text of the page: untrusted, to be marked as such. */
  readonly text: string;
  /** True when it stands for itself; else it says what has changed since the view before. */
  readonly isWhole: boolean;
  /** True when the page differs from the one before. */
  readonly hasChanged: boolean;
}

/** Which part of a page is shown. */
export interface ViewOptions {
  /** Reference of the part. Default: the page. */
  readonly scope?: string;
  /** How deep it goes. Default: as deep as fits. */
  readonly depth?: number;
  /** Calls it off. */
  readonly signal: AbortSignal;
}

/** Shows the model what a page is like: whole when it is another one, else what has changed. */
export class PageView {
  readonly #activePage: ActivePage;
  readonly #mostCharacters: number;
  #shown: PageDescription | undefined;

  /** @param mostCharacters - Of one snapshot. */
  constructor(activePage: ActivePage, mostCharacters: number) {
    this.#activePage = activePage;
    this.#mostCharacters = mostCharacters;
  }

  /**
   * Shows the page, or a part of it, whole.
   *
   * @throws {AutomationError} `step_failed`: the page does not answer, or has no such part.
   */
  async whole(options: ViewOptions): Promise<View> {
    const before = this.#shown;
    const now = await this.#describe(options);
    // A part of a page, or less of it, is nothing that later views can be compared with.
    const isPart = options.scope !== undefined || options.depth !== undefined;
    this.#shown = isPart ? undefined : now;
    return { text: now ? wholeText(now) : noPage, isWhole: true, hasChanged: !isSame(now, before) };
  }

  /** Shows what has changed since the last view, or the page when that says it better, or why it can't be seen. */
  async changes(signal: AbortSignal): Promise<View> {
    const before = this.#shown;
    try {
      const now = await this.#describe({ signal });
      this.#shown = now;
      return now ? change(before, now) : { text: noPage, isWhole: true, hasChanged: before !== undefined };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AutomationError)) throw error;
      this.#shown = undefined;
      return { text: error.message, isWhole: true, hasChanged: before !== undefined };
    }
  }

  async #describe(options: ViewOptions): Promise<PageDescription | undefined> {
    const page = this.#activePage.current;
    return page && describePage(page, { ...options, maxCharacters: this.#mostCharacters });
  }
}

const noPage = "No page is open.";

function change(before: PageDescription | undefined, now: PageDescription): View {
  if (isSame(now, before)) return { text: "The page did not change.", isWhole: false, hasChanged: false };
  const changed = before?.url === now.url ? lineChanges(before.snapshot, now.snapshot).join("\n") : undefined;
  if (changed === undefined || changed.length > now.snapshot.length / 2) {
    return { text: wholeText(now), isWhole: true, hasChanged: true };
  }
  return { text: `What has changed:\n${headOf(now)}\n${changed}`, isWhole: false, hasChanged: true };
}

function isSame(one: PageDescription | undefined, other: PageDescription | undefined): boolean {
  return one?.url === other?.url && one?.title === other?.title && one?.snapshot === other?.snapshot;
}

function headOf({ url, title }: PageDescription): string {
  return `url: ${url.slice(0, 2_000)}\ntitle: ${title.slice(0, 300)}`;
}

function wholeText(page: PageDescription): string {
  return `${headOf(page)}\n${page.snapshot}${page.cut === undefined ? "" : `\n(${page.cut})`}`;
}
