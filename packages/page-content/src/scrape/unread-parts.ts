import pTimeout from "p-timeout";
import type { CDPSession, Page } from "playwright-core";
import type { InPageRequest, Unread } from "../in-page/page-request.ts";
import { PageWorld } from "./page-world.ts";

/** Maximum number of frames of a page that are read, and depth of nested cross-origin frames. */
const most = { frames: 20, depth: 3, rounds: 3 } as const;
/** Longest time for one frame, in milliseconds: one that hangs keeps the page from nothing else. */
const frameMs = 1_500;

/** Adds parts to a page that its own world can't reach: cross-origin frames, and closed shadow roots. */
export class UnreadParts {
  readonly #page: Page;
  readonly #request: InPageRequest;
  readonly #opened: CDPSession[] = [];
  #sessions: Promise<ReadonlyMap<string, CDPSession>> | undefined;
  #frames = 0;

  constructor(page: Page, request: InPageRequest) {
    this.#page = page;
    this.#request = request;
  }

  /** Adds missing parts to a world; leaves out those that can't be read. */
  async bring(world: PageWorld, unread: Unread, depth = 0): Promise<void> {
    let missing = unread;
    for (let round = 0; round < most.rounds && missing.hosts > 0; round += 1) {
      if (!(await this.#bringRoots(world))) break;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `flattenAgain` gives
      missing = (await world.call("(page, request) => page.reader.flattenAgain(request)", {
        value: this.#request,
      })) as Unread;
    }
    if (missing.frames === 0 || depth >= most.depth) return;
    const frames = await world.handles("(page) => page.reader.frames()");
    await Promise.all(frames.map(async (frame) => this.#bringFrame(world, frame, depth).catch(() => undefined)));
  }

  /** Closes all sessions that it opened. */
  async close(): Promise<void> {
    await Promise.all(this.#opened.map(async (session) => session.detach().catch(() => undefined)));
  }

  async #bringRoots(world: PageWorld): Promise<boolean> {
    const { session, contextId } = world;
    const hosts = await world.handles("(page) => page.reader.hosts()");
    const roots = await Promise.all(
      hosts.map(async (objectId) => {
        const { node } = await session.send("DOM.describeNode", { objectId });
        const closed = node.shadowRoots?.find((root) => root.shadowRootType === "closed");
        if (closed === undefined) return undefined;
        const { object } = await session.send("DOM.resolveNode", {
          backendNodeId: closed.backendNodeId,
          executionContextId: contextId,
        });
        return object.objectId;
      }),
    );
    const found = roots.filter((root) => root !== undefined).map((objectId) => ({ objectId }));
    if (found.length > 0) await world.call("(page, ...roots) => page.reader.bringRoots(...roots)", ...found);
    return found.length > 0;
  }

  async #bringFrame(world: PageWorld, objectId: string, depth: number): Promise<void> {
    this.#frames += 1;
    if (this.#frames > most.frames) return;
    const { node } = await world.session.send("DOM.describeNode", { objectId });
    if (node.frameId === undefined) return;
    const html = await withTimeout(this.#readHtml(world.session, node.frameId, depth), frameMs);
    if (typeof html !== "string") return;
    await world.call("(page, frame, html) => page.reader.bringFrame(frame, html)", { objectId }, { value: html });
  }

  async #readHtml(parent: CDPSession, frameId: string, depth: number): Promise<unknown> {
    const own = (await this.#sessionsOfFrames()).get(frameId);
    const inner = await PageWorld.open(own ?? parent, frameId);
    const request = { value: { ...this.#request, selection: false } };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the result of `unreadParts`
    const missing = (await inner.call("(page, request) => page.reader.unreadParts(request)", request)) as Unread;
    if (missing.frames + missing.hosts > 0) await this.bring(inner, missing, depth + 1);
    return inner.call("(page, request) => page.reader.flatHtml(request)", request);
  }

  /** Sessions of the frames that run in a process of their own, by the id of the frame. */
  async #sessionsOfFrames(): Promise<ReadonlyMap<string, CDPSession>> {
    this.#sessions ??= this.#openSessions();
    return this.#sessions;
  }

  async #openSessions(): Promise<ReadonlyMap<string, CDPSession>> {
    const sessions = new Map<string, CDPSession>();
    const inner = this.#page.frames().filter((frame) => frame.parentFrame() !== null);
    await Promise.all(
      inner.slice(0, 2 * most.frames).map(async (frame) => {
        // A frame in the process of its parent has no session of its own: Playwright refuses.
        const session = await this.#page
          .context()
          .newCDPSession(frame)
          .catch(() => undefined);
        if (session === undefined) return;
        this.#opened.push(session);
        const tree = await withTimeout(session.send("Page.getFrameTree"), frameMs).catch(() => undefined);
        if (tree !== undefined) sessions.set(tree.frameTree.frame.id, session);
      }),
    );
    return sessions;
  }
}

async function withTimeout<Value>(work: Promise<Value>, milliseconds: number): Promise<Value | undefined> {
  return pTimeout(work, { milliseconds, fallback: () => undefined });
}
