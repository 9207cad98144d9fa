import type { BrowserContext, Page } from "playwright-core";
import pTimeout from "p-timeout";
import { BrowserError } from "../browser-error.ts";
import { collectOrigin, type CollectedOrigin } from "./collect-origin.ts";
import { type IdentifiedContext, readStateCookies, setStateCookies } from "./context-cookies.ts";
import type { LeftOut, StateCookie, StateOrigin, StorageState } from "./storage-state.ts";

/** Limits of reading the storage of a context. */
export interface StorageLimits {
  /** Largest database, in bytes. */
  readonly databaseBytes: number;
  /** Longest time for the databases of one origin, in milliseconds. Default: 5,000. */
  readonly originMs?: number;
  /** Longest time for all, in milliseconds. Default: 15,000. */
  readonly totalMs?: number;
}

/** State of a context, as far as it could be read. */
export interface ReadState {
  /** Its cookies, and the storage of the origins that could be read. */
  readonly state: StorageState;
  /** Origins that could not be read at all; nothing is known of their storage. */
  readonly unread: readonly string[];
  /** Parts that are missing, with the reason. */
  readonly leftOut: readonly LeftOut[];
}

/** Extra time of an origin beyond that for its databases, in milliseconds. */
const marginMs = 2_000;

/** Longest wait for the pages of a context to close, in milliseconds: one that hangs is left. */
const closeMs = 2_000;

/**
 * Reads cookies, local storage and IndexedDB of a context that is about to end. Closes its pages first, so that data written on unload is
 * read, too, and a hanging page blocks nothing. Sends no request: each origin is an empty page.
 *
 * @param origins - Those whose storage is read, the most important first: those at the end go without when time runs out.
 * @throws When the cookies can't be read, as when the browser is gone.
 *
 * @example
 * ```ts from=examples/api/browsers/read-storage-state.ts
 * import { BrowserPool, readStorageState } from "@cloud-browser/browsers";
 *
 * const pool = await BrowserPool.start({ maxBrowsers: 1 });
 * const pooled = await pool.open();
 * await pooled.context.addCookies([{ name: "member", value: "m3", url: "https://ferries.example/" }]);
 * const { state } = await readStorageState(pooled, ["https://ferries.example"], { databaseBytes: 1_000_000 });
 * console.log(state.cookies.map(({ name }) => name)); // [ 'member' ]
 * await pool.close();
 * ```
 */
export async function readStorageState(
  of: IdentifiedContext,
  origins: Iterable<string>,
  limits: StorageLimits,
): Promise<ReadState> {
  const { originMs = 5_000, totalMs = 15_000 } = limits;
  const endMs = performance.now() + totalMs;
  const { context } = of;
  await Promise.all(context.pages().map((page) => pTimeout(page.close(), { milliseconds: closeMs }).catch(ignore)));
  const cookies = await readStateCookies(of);
  const read: StateOrigin[] = [];
  const unread: string[] = [];
  const leftOut: LeftOut[] = [];
  let page: Page | undefined;
  for (const origin of origins) {
    const leftMs = endMs - performance.now();
    try {
      if (leftMs <= 0) throw new Error("no time was left");
      page ??= await openEmptyPage(context);
      const maxMs = Math.min(originMs, leftMs);
      const found = await pTimeout(collectFrom(page, origin, { maxBytes: limits.databaseBytes, maxMs }), {
        milliseconds: maxMs + marginMs,
        message: "it did not answer in time",
      });
      leftOut.push(...found.leftOut.map((one) => ({ origin, ...one })));
      if (found.localStorage.length + found.indexedDB.length > 0) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `collectOrigin`
        const indexedDB = found.indexedDB as NonNullable<StateOrigin["indexedDB"]>;
        read.push({ origin, localStorage: found.localStorage, ...(indexedDB.length === 0 ? {} : { indexedDB }) });
      }
    } catch (error) {
      unread.push(origin);
      leftOut.push({ origin, why: `its storage could not be read (${describePhrase(error)})` });
      void page?.close().catch(ignore);
      page = undefined;
    }
  }
  await page?.close().catch(ignore);
  return { state: { cookies, origins: read }, unread, leftOut };
}

/**
 * Restores cookies and storage of a state in a context without pages. Sends no request.
 *
 * @returns The cookies that the browser did not take; those that have expired are left out.
 * @throws {BrowserError} `page-failed` when the storage of an origin can't be restored.
 *
 * @example
 * ```ts from=examples/api/browsers/restore-storage-state.ts
 * import { BrowserPool, restoreStorageState } from "@cloud-browser/browsers";
 *
 * const pool = await BrowserPool.start({ maxBrowsers: 1 });
 * const pooled = await pool.open();
 * const cookie = { name: "member", value: "m3", domain: "ferries.example", path: "/" };
 * const state = { cookies: [{ ...cookie, expires: -1, httpOnly: true, secure: true }], origins: [] };
 * await restoreStorageState(pooled, state, Date.now());
 * console.log((await pooled.context.cookies("https://ferries.example/")).length); // 1
 * await pool.close();
 * ```
 */
export async function restoreStorageState(
  of: IdentifiedContext,
  { cookies, origins }: StorageState,
  nowMs: number,
): Promise<readonly StateCookie[]> {
  if (origins.length > 0) {
    try {
      // Playwright's own type lacks the databases, which it takes all the same.
      await of.context.setStorageState({ cookies: [], origins: origins.map(mutable) });
    } catch (cause) {
      // What the driver says may hold values.
      const why =
        cause instanceof Error && /IndexedDB/.test(cause.message)
          ? "a database is not as it should be"
          : "its pages failed";
      throw new BrowserError("page-failed", `the storage of ${origins.length} origins could not be restored: ${why}`);
    }
  }
  return setStateCookies(of, cookies, nowMs);
}

function mutable(origin: StateOrigin): { origin: string; localStorage: { name: string; value: string }[] } {
  return { ...origin, localStorage: [...origin.localStorage] };
}

/** Opens a page on which every address is an empty document, and no service worker of a site answers. */
async function openEmptyPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.route(
    () => true,
    (route) => route.fulfill({ contentType: "text/html", body: "<html></html>" }),
  );
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setBypassServiceWorker", { bypass: true });
  return page;
}

async function collectFrom(
  page: Page,
  origin: string,
  limits: Parameters<typeof collectOrigin>[0],
): Promise<CollectedOrigin> {
  await page.goto(origin);
  if (new URL(page.url()).origin !== origin) throw new Error("the browser opens another origin in its place");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `collectOrigin` says
  return JSON.parse(await page.evaluate(collectOrigin, limits)) as CollectedOrigin;
}

/** Returns the first line of an error; messages of the driver contain no value of the storage. */
function describePhrase(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "unknown reason";
}

function ignore(): void {}
