import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { PageInput } from "./device-input.ts";

/** Events of the page that viewers see. */
export interface PageEvents {
  /** It began or ended to load. */
  readonly onLoading: (isLoading: boolean) => void;
  /** Its dialog was answered, by whoever did. */
  readonly onDialogClosed: () => void;
}

/** The page that viewers see: takes their input, and says whether it is loading. */
export class ShownPage {
  /** The page. */
  readonly page: Page;
  /** Input for it. */
  readonly input: PageInput;
  readonly #devtools: CDPSession;

  private constructor(page: Page, devtools: CDPSession) {
    this.page = page;
    this.#devtools = devtools;
    this.input = new PageInput(devtools);
  }

  /** Attaches to a page; undefined when that is closed. */
  static async attach(context: BrowserContext, page: Page, events: PageEvents): Promise<ShownPage | undefined> {
    const devtools = await context.newCDPSession(page).catch(() => undefined);
    if (!devtools) return undefined;
    let mainFrame: string | undefined;
    devtools.on("Page.frameStartedLoading", ({ frameId }) => {
      if (frameId === mainFrame) events.onLoading(true);
    });
    devtools.on("Page.frameStoppedLoading", ({ frameId }) => {
      if (frameId === mainFrame) events.onLoading(false);
    });
    devtools.on("Page.javascriptDialogClosed", () => events.onDialogClosed());
    // A page with an open dialog answers later: its input waits for nothing.
    devtools.send("Page.enable").catch(ignore);
    devtools.send("Page.getFrameTree").then(({ frameTree }) => (mainFrame = frameTree.frame.id), ignore);
    return new ShownPage(page, devtools);
  }

  /** Takes no more input. */
  detach(): void {
    this.#devtools.detach().catch(ignore);
  }
}

/** Ignores that the page was closed. */
function ignore(): void {}
