import { startSite } from "@cloud-browser/testing/site.ts";
import type { Page } from "playwright-core";
import { vi } from "vitest";
import type { PageAct } from "../../src/acts/act.ts";
import type { PageEvent } from "../../src/acts/page-event.ts";
import { BrowserPool } from "../../src/pool/browser-pool.ts";

/** A page of a watched context, and what is told of it. */
export class WatchedPage implements AsyncDisposable {
  readonly page: Page;
  /** What was told since the page was shown, but that documents were gone for. */
  events: PageEvent[] = [];
  /** Address of the site. */
  readonly url: string;
  readonly #content: { html: string };
  readonly #closing: AsyncDisposableStack;

  private constructor(page: Page, url: string, content: { html: string }, closing: AsyncDisposableStack) {
    this.page = page;
    this.url = url;
    this.#content = content;
    this.#closing = closing;
  }

  /** Starts a site and a browser, and opens a page. */
  static async open(): Promise<WatchedPage> {
    const closing = new AsyncDisposableStack();
    const content = { html: "" };
    const site = closing.use(
      await startSite({
        "/": (_, response) => response.setHeader("content-type", "text/html; charset=utf-8").end(content.html),
        "/inner": "<button>Inner</button>",
      }),
    );
    const pool = await BrowserPool.start({});
    closing.defer(() => pool.close());
    const pooled = await pool.open({});
    const early: PageEvent[] = [];
    let watched: WatchedPage | undefined;
    pooled.watchPages((event) => {
      if (event.kind !== "navigation-started") (watched?.events ?? early).push(event);
    });
    watched = new WatchedPage(await pooled.context.newPage(), `${site.url}/`, content, closing);
    return watched;
  }

  /** Changes what the site shows from now on. */
  serve(html: string): void {
    this.#content.html = html;
  }

  /** Opens a page with a last button, whose click is told after all that was done before. */
  async show(body: string): Promise<void> {
    this.serve(`<!doctype html><title>t</title><body>${body}<hr><button id="last" type="button">That is all</button>`);
    await this.page.goto(this.url);
    this.events = [];
  }

  /** Acts that are over, until now. */
  get actsSoFar(): PageAct[] {
    return this.events.flatMap((event) => (event.kind === "act" && event.act.isGoingOn !== true ? [event.act] : []));
  }

  /** Clicks the last button; resolves with the acts before that. */
  async acts(): Promise<PageAct[]> {
    await this.page.locator("#last").click();
    return vi.waitFor(
      () => {
        if (this.actsSoFar.at(-1)?.target?.name !== "That is all") throw new Error(JSON.stringify(this.actsSoFar));
        return this.actsSoFar.slice(0, -1);
      },
      { timeout: 20_000 },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closing.disposeAsync();
  }
}
