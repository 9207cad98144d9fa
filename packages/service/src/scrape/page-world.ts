import type { CDPSession } from "playwright-core";
import pageScript from "#page-script";

const worldName = "cloud-browser";

/** What a call in a page is given: a value that JSON knows, or an object of the page by its handle. Source: ours. */
export type Argument = { readonly value: unknown } | { readonly objectId: string };

/** The last worlds of sessions. */
const worlds = new WeakMap<CDPSession, PageWorld>();

/**
 * A world of JavaScript of our own in the document of a frame: the same nodes, but none of the objects that scripts of the
 * page have changed, and nothing that they can see.
 *
 * Source: ours.
 */
export class PageWorld {
  /** What it is driven over. */
  readonly session: CDPSession;
  /** Its id in the DevTools protocol. */
  readonly contextId: number;

  private constructor(session: CDPSession, contextId: number) {
    this.session = session;
    this.contextId = contextId;
  }

  /** The world of the outermost frame of a session: the one of the last time, as long as its document is there. */
  static async of(session: CDPSession): Promise<PageWorld> {
    const known = worlds.get(session);
    if (known !== undefined && (await known.#isReady().catch(() => false))) return known;
    const opened = await PageWorld.open(session);
    worlds.set(session, opened);
    return opened;
  }

  /**
   * Opens the world of a frame, or finds it again.
   *
   * @param frameId - The frame. Default: the outermost one of the session.
   */
  static async open(session: CDPSession, frameId?: string): Promise<PageWorld> {
    const id = frameId ?? (await session.send("Page.getFrameTree")).frameTree.frame.id;
    const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId: id, worldName });
    const world = new PageWorld(session, executionContextId);
    if (!(await world.#isReady())) {
      await session.send("Runtime.evaluate", { expression: await pageScript(), contextId: executionContextId });
    }
    return world;
  }

  /** Calls a function in the page with `cloudBrowserPage` as its first parameter; gives its result as JSON does. */
  async call(declaration: string, ...given: readonly Argument[]): Promise<unknown> {
    return (await this.#run(declaration, given, true)).value;
  }

  /** Calls a function in the page that gives an array of objects; gives their handles. */
  async handles(declaration: string): Promise<string[]> {
    const { objectId } = await this.#run(declaration, [], false);
    if (objectId === undefined) return [];
    const { result } = await this.session.send("Runtime.getProperties", { objectId, ownProperties: true });
    await this.session.send("Runtime.releaseObject", { objectId });
    return result.flatMap(({ name, value }) => (/^\d+$/.test(name) && value?.objectId ? [value.objectId] : []));
  }

  async #isReady(): Promise<boolean> {
    const { result } = await this.session.send("Runtime.evaluate", {
      expression: 'typeof cloudBrowserPage === "object"',
      contextId: this.contextId,
      returnByValue: true,
    });
    return result.value === true;
  }

  async #run(
    declaration: string,
    given: readonly Argument[],
    returnByValue: boolean,
  ): Promise<{ value?: unknown; objectId?: string }> {
    const { result, exceptionDetails } = await this.session.send("Runtime.callFunctionOn", {
      functionDeclaration: `(...given) => (${declaration})(cloudBrowserPage, ...given)`,
      executionContextId: this.contextId,
      arguments: given.map((one) => ({ ...one })),
      awaitPromise: true,
      returnByValue,
    });
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description?.split("\n")[0] ?? exceptionDetails.text);
    }
    return result;
  }
}
