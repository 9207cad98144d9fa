import type { CDPSession, Frame, Page, Request } from "playwright-core";
import { PageWorld } from "./page-world.ts";

/** Everything that one scraper keeps of a page from one scrape to the next. */
export class PageCache {
  /** The page. */
  readonly page: Page;
  /** Requests that had no answer after a whole wait: nothing waits for them again. */
  readonly unanswered = new WeakSet<Request>();
  /** True once the page has crashed. */
  #hasCrashed = false;
  /** Stays open until a scrape fails: opening one takes longer than a scrape. */
  #session: Promise<CDPSession> | undefined;
  #hasAnswered = false;
  /** Isolated world in the document of the main frame; undefined once that document may have been replaced. */
  #world: Promise<PageWorld> | undefined;
  /** Id of the main frame: it stays when documents go. */
  #frameId: string | undefined;

  /** Follows a page, until {@link PageCache.close}. */
  constructor(page: Page) {
    this.page = page;
    page.once("crash", this.#onCrash);
    page.on("framenavigated", this.#onNavigation);
  }

  /** True when it has crashed. */
  get hasCrashed(): boolean {
    return this.#hasCrashed;
  }

  /** True when it has answered over the session. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** The DevTools session that it is read over. */
  session(): Promise<CDPSession> {
    if (this.#session === undefined) {
      this.#session = this.page.context().newCDPSession(this.page);
      this.#session.catch(() => this.forgetSession());
    }
    return this.#session;
  }

  /** Returns the isolated world of the main frame, the same as before unless the document may have been replaced. */
  world(): Promise<PageWorld> {
    this.#world ??= this.#openWorld();
    return this.#world;
  }

  /** Discards the world; its next use opens another one. */
  forgetWorld(): void {
    this.#world = undefined;
  }

  /** Discards the session and the world; their next use opens others. */
  forgetSession(): void {
    this.#session = undefined;
    this.#hasAnswered = false;
    this.#world = undefined;
    this.#frameId = undefined;
  }

  /** Detaches from the page; leaves it open. */
  async close(): Promise<void> {
    this.page.off("crash", this.#onCrash);
    this.page.off("framenavigated", this.#onNavigation);
    const session = await this.#session?.catch(() => undefined);
    this.forgetSession();
    await session?.detach().catch(() => undefined);
  }

  readonly #onCrash = (): void => void (this.#hasCrashed = true);
  readonly #onNavigation = (frame: Frame): void => {
    if (frame === this.page.mainFrame()) this.forgetWorld();
  };

  async #openWorld(): Promise<PageWorld> {
    const session = await this.session();
    try {
      this.#frameId ??= (await session.send("Page.getFrameTree")).frameTree.frame.id;
      const world = await PageWorld.open(session, this.#frameId);
      this.#hasAnswered = true;
      return world;
    } catch (error) {
      this.#frameId = undefined;
      this.#world = undefined;
      throw error;
    }
  }
}
