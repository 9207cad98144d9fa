import type { CDPSession } from "playwright-core";
import pageScripts from "#page-script";

const worldName = "cloud-browser";

/** Argument of a call in a page: a JSON value, or a handle of an object of the page. */
export type Argument = { readonly value: unknown } | { readonly objectId: string };

/**
 * A world of JavaScript of our own in the document of a frame: the same nodes, but none of the objects that scripts of the
 * page have changed, and nothing that they can see.
 */
export class PageWorld {
  /** CDP session of the page. */
  readonly session: CDPSession;
  /** Its id in the DevTools protocol. */
  readonly contextId: number;
  /** Handle of `cloudBrowserPage` in it. Unlike an id, no other world ever has the same. */
  readonly #page: string;
  #mainContent: Promise<unknown> | undefined;

  private constructor(session: CDPSession, contextId: number, page: string) {
    this.session = session;
    this.contextId = contextId;
    this.#page = page;
  }

  /** Opens the world of a frame, or finds it again. */
  static async open(session: CDPSession, frameId: string): Promise<PageWorld> {
    const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId, worldName });
    const [script] = await pageScripts();
    const { result } = await session.send("Runtime.evaluate", {
      expression: `if (typeof cloudBrowserPage === "undefined") { ${script} } cloudBrowserPage;`,
      contextId: executionContextId,
    });
    if (result.objectId === undefined) throw new Error("the script of the page does not run in this context");
    return new PageWorld(session, executionContextId, result.objectId);
  }

  /** Loads what finds the main content of a page, which is large. */
  async loadMainContent(): Promise<void> {
    this.#mainContent ??= this.#loadMainContent();
    await this.#mainContent;
  }

  /** Calls a function in the page with `cloudBrowserPage` as its first parameter; gives its result as JSON does. */
  async call(declaration: string, ...args: readonly Argument[]): Promise<unknown> {
    return (await this.#run(declaration, args, true)).value;
  }

  /** Calls a function in the page that gives an array of objects; gives their handles. */
  async handles(declaration: string): Promise<string[]> {
    const { objectId } = await this.#run(declaration, [], false);
    if (objectId === undefined) return [];
    const { result } = await this.session.send("Runtime.getProperties", { objectId, ownProperties: true });
    await this.session.send("Runtime.releaseObject", { objectId });
    return result.flatMap(({ name, value }) => (/^\d+$/.test(name) && value?.objectId ? [value.objectId] : []));
  }

  async #loadMainContent(): Promise<void> {
    const [, script] = await pageScripts();
    await this.session.send("Runtime.evaluate", { expression: script, contextId: this.contextId });
  }

  async #run(
    declaration: string,
    args: readonly Argument[],
    returnByValue: boolean,
  ): Promise<{ value?: unknown; objectId?: string }> {
    const { result, exceptionDetails } = await this.session.send("Runtime.callFunctionOn", {
      functionDeclaration: `function (...given) { return (${declaration})(this, ...given); }`,
      objectId: this.#page,
      arguments: args.map((one) => ({ ...one })),
      awaitPromise: true,
      returnByValue,
    });
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description?.split("\n")[0] ?? exceptionDetails.text);
    }
    return result;
  }
}
