import { titleOf } from "@cloud-browser/browsers";
import type { Dialog, Page } from "playwright-core";
import type { Session } from "../sessions/session.ts";
import { PictureSource } from "./picture-source.ts";
import type { PageInput } from "./device-input.ts";
import { ShownPage } from "./shown-page.ts";

/** Messages of a hub to each viewer. */
export interface HubViewer {
  /** Something about the pages has changed. */
  tell(message: LiveState): void;
  /** A source has a new picture. */
  onPicture(source: PictureSource): void;
}

/** Messages to viewers about the pages of a session. */
export type LiveState =
  | { readonly type: "tabs"; readonly tabs: readonly { readonly tab: string; url: string; title: string | null }[] }
  | {
      readonly type: "page";
      readonly tab: string | null;
      readonly url: string | null;
      readonly title: string | null;
      readonly loading: boolean;
    }
  | { readonly type: "dialog"; readonly dialog: OpenDialog | null };

/** A dialog that waits for an answer. */
interface OpenDialog {
  readonly tab: string;
  readonly kind: string;
  readonly message: string;
  readonly default_text: string;
}

/** Widths of pictures: a viewer gets the widest that is not wider than it wants, so that many share few screencasts. */
const widths = [160, 320, 480, 640, 960, 1_280, 1_920, 3_840] as const;
/** Longest text of a page that viewers are told, in characters. */
const maxCharacters = 2_000;
/** Least time between two looks at the title of a page that changes, in milliseconds. */
const titleEveryMs = 1_000;

/** Parts that the viewers of one session share: its tabs, the page that it is on, and a screencast for each size in use. */
export class LiveHub {
  readonly #session: Session;
  readonly #viewers = new Set<HubViewer>();
  readonly #sources = new Map<number, { readonly source: PictureSource; readonly users: Set<HubViewer> }>();
  readonly #ids = new Map<Page, string>();
  readonly #titles = new WeakMap<Page, string | null>();
  readonly #dialogs = new Map<Page, Dialog>();
  readonly #lastTexts = new Map<LiveState["type"], string>();
  readonly #stops: (() => void)[] = [];
  #count = 0;
  #shown: ShownPage | undefined;
  #showing: Promise<void>;
  #isLoading = false;
  #titleMs = -Infinity;
  #titleTimer: NodeJS.Timeout | undefined;

  constructor(session: Session) {
    this.#session = session;
    const { context } = session.pooledContext;
    for (const page of context.pages()) this.#add(page);
    const onPage = (page: Page): void => this.#add(page);
    const onDialog = (dialog: Dialog): void => {
      const page = dialog.page();
      if (!page) return;
      this.#dialogs.set(page, dialog);
      this.#tell();
    };
    context.on("page", onPage);
    context.on("dialog", onDialog);
    this.#stops.push(
      () => context.off("page", onPage),
      () => context.off("dialog", onDialog),
      session.activePage.onChange(() => void (this.#showing = this.#show())),
    );
    this.#showing = this.#show();
  }

  /** Input for the page that is shown; undefined while there is none. */
  get input(): PageInput | undefined {
    return this.#shown?.input;
  }

  /** Resolves with {@link input} when the page that the session is on takes some; undefined when it has none. */
  async waitForInput(): Promise<PageInput | undefined> {
    await this.#showing;
    return this.input;
  }

  /** The dialog of the page that is shown. */
  get dialog(): Dialog | undefined {
    const page = this.#session.activePage.current;
    return page && this.#dialogs.get(page);
  }

  /** Returns the page of a tab. */
  findPage(tab: string): Page | undefined {
    return [...this.#ids].find(([, id]) => id === tab)?.[0];
  }

  /** How many viewers it has. */
  get viewers(): number {
    return this.#viewers.size;
  }

  /** A viewer comes, and is told what there is. */
  join(viewer: HubViewer): void {
    this.#viewers.add(viewer);
    for (const state of this.#listStates()) viewer.tell(state);
  }

  /** A viewer has gone. The last one closes the hub. */
  leave(viewer: HubViewer): void {
    this.#viewers.delete(viewer);
    this.#release(viewer);
    if (this.#viewers.size > 0) return;
    for (const stop of this.#stops) stop();
    clearTimeout(this.#titleTimer);
    this.#shown?.detach();
    this.#shown = undefined;
  }

  /** Returns the source of the pictures that are at most so wide, in pixels, for a viewer. */
  findSource(viewer: HubViewer, maxWidth: number): PictureSource {
    const width = widths.findLast((one) => one <= maxWidth) ?? widths[0];
    const shared = this.#sources.get(width);
    if (shared?.users.has(viewer)) return shared.source;
    this.#release(viewer);
    if (shared && this.#sources.has(width)) {
      shared.users.add(viewer);
      return shared.source;
    }
    const users = new Set([viewer]);
    const source = new PictureSource(this.#session.pooledContext.context, width, () => {
      for (const one of users) one.onPicture(source);
      this.#readTitleSoon();
    });
    this.#sources.set(width, { source, users });
    void source.show(this.#session.activePage.current);
    return source;
  }

  /** Tells what has changed. */
  #tell(): void {
    for (const state of this.#listStates()) {
      const text = JSON.stringify(state);
      if (this.#lastTexts.get(state.type) === text) continue;
      this.#lastTexts.set(state.type, text);
      for (const viewer of this.#viewers) viewer.tell(state);
    }
  }

  #listStates(): readonly LiveState[] {
    const pages = [...this.#ids].map(([page, tab]) => ({
      tab,
      url: cut(this.#session.readAddress(page) ?? ""),
      title: this.#titles.get(page) ?? null,
    }));
    const page = this.#session.activePage.current;
    const tab = (page && this.#ids.get(page)) ?? null;
    const current = pages.find((one) => one.tab === tab);
    const { url = null, title = null } = current ?? {};
    const dialog = this.dialog;
    return [
      { type: "tabs", tabs: pages },
      { type: "page", tab, url, title, loading: this.#isLoading },
      {
        type: "dialog",
        dialog: dialog
          ? {
              tab: tab ?? "",
              kind: dialog.type(),
              message: cut(dialog.message()),
              default_text: cut(dialog.defaultValue()),
            }
          : null,
      },
    ];
  }

  #add(page: Page): void {
    if (this.#ids.has(page)) return;
    this.#count += 1;
    this.#ids.set(page, String(this.#count));
    const onChange = (): void => {
      this.#tell();
      void this.#readTitle(page);
    };
    const onClose = (): void => {
      this.#ids.delete(page);
      this.#dialogs.delete(page);
      this.#tell();
    };
    page.on("framenavigated", onChange).on("domcontentloaded", onChange).on("load", onChange).on("close", onClose);
    this.#stops.push(() =>
      page
        .off("framenavigated", onChange)
        .off("domcontentloaded", onChange)
        .off("load", onChange)
        .off("close", onClose),
    );
    onChange();
  }

  async #show(): Promise<void> {
    const page = this.#session.activePage.current;
    this.#shown?.detach();
    this.#shown = undefined;
    this.#isLoading = false;
    this.#tell();
    for (const { source } of this.#sources.values()) void source.show(page);
    if (!page) return;
    const { context } = this.#session.pooledContext;
    const shown = await ShownPage.attach(context, page, {
      onLoading: (isLoading) => {
        if (page !== this.#session.activePage.current) return;
        this.#isLoading = isLoading;
        this.#tell();
      },
      onDialogClosed: () => {
        this.#dialogs.delete(page);
        this.#tell();
      },
    });
    if (page !== this.#session.activePage.current || this.#shown) shown?.detach();
    else this.#shown = shown;
  }

  /** Scripts change titles, and nothing tells of it: a page that changes is looked at soon, and not for every picture. */
  #readTitleSoon(): void {
    if (this.#titleTimer) return;
    const dueMs = Math.max(0, this.#titleMs + titleEveryMs - performance.now());
    this.#titleTimer = setTimeout(() => {
      this.#titleTimer = undefined;
      this.#titleMs = performance.now();
      const page = this.#session.activePage.current;
      if (page) void this.#readTitle(page);
    }, dueMs);
    this.#titleTimer.unref();
  }

  async #readTitle(page: Page): Promise<void> {
    const title = await titleOf(page);
    this.#titles.set(page, title === null ? null : cut(title));
    this.#tell();
  }

  #release(viewer: HubViewer): void {
    for (const [width, { source, users }] of this.#sources) {
      if (!users.delete(viewer) || users.size > 0) continue;
      source.close();
      this.#sources.delete(width);
    }
  }
}

function cut(text: string): string {
  return text.slice(0, maxCharacters);
}
