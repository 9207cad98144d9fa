import type { Page } from "playwright-core";
import { sleep, awaitWithin } from "../async.ts";
import { formatUrl } from "../quote.ts";
import { askDocuments } from "./ask-documents.ts";
import { listBusyParts } from "./busy-parts.ts";
import { identifyDocument } from "./document-of.ts";
import type { Activity } from "./document-watch.ts";
import { watchSession, type WatchedRequest, type SessionWatch } from "./session-watch.ts";
import type { StepContext } from "./step-context.ts";

/** Time without activity after which a page counts as settled, in milliseconds. */
const quietMs = 120;
/** Time without activity after which a page counts as settled for good, so that it can be closed, in milliseconds. */
const closingQuietMs = 1200;
/** Longest waits, in milliseconds. */
const bounds = {
  /** For what a step began. */
  ownMs: 10_000,
  /** For requests of a page that has been opened. */
  loadMs: 2500,
  /** For a page that is being opened. */
  navigationMs: 8000,
  /** For timers and animations. */
  timersMs: 5000,
  /** For a page that says that it is busy, before it is read. */
  busyMs: 10_000,
  /** For changes that go on. */
  changesMs: 2000,
} as const;
/** Polling interval, in milliseconds. */
const pollMs = 25;

/** Purpose for which a page has to be settled. */
export type SettledFor = "next" | "reading" | "closing";

/** Activity that still went on when the bound was reached. */
export interface Unsettled {
  /** Requests that a step began and that were not answered. */
  readonly own: readonly WatchedRequest[];
  /** Requests of the page itself that were not answered. */
  readonly others: readonly WatchedRequest[];
  /** Texts that show that the page is busy with something that a step began; read only before it is closed. */
  readonly ownBusy: readonly string[];
  /** Texts that show that the page is busy; read only before it is read. */
  readonly busy: readonly string[];
}

/**
 * Runs an action on a page, and waits until the page has settled, within bounds: navigation, new pages, pending requests, timers and
 * changes that the action began.
 *
 * @param phase - `load` for an action that only opens a page: what the page itself loads is not waited for as long.
 */
export async function settleAfter<Result>(
  page: Page,
  context: StepContext,
  act: () => Promise<Result>,
  phase: "load" | "act" = "act",
): Promise<Result> {
  const watch = await watchSession(page);
  if (phase === "act") {
    const [document, parts] = await Promise.all([
      identifyDocument(page),
      listBusyParts(page),
      askDocuments(page, "begin"),
    ]);
    watch.busyBefore = { document, parts: new Set(parts) };
  }
  context.onAction();
  watch.begin(phase);
  try {
    const result = await act();
    watch.actedMs = performance.now();
    watch.changedMs = Math.max(watch.changedMs, watch.actedMs);
    await settle(page, context, phase === "load" ? "loading" : "next");
    return result;
  } finally {
    watch.idle();
    const current = context.activePage.current;
    // Not waited for: a page may be busy with itself.
    if (current) void askDocuments(current, "idle");
  }
}

/** Waits until nothing that steps began goes on any more, within bounds; returns what still does. */
export async function settle(page: Page, context: StepContext, until: SettledFor | "loading"): Promise<Unsettled> {
  const watch = await watchSession(page);
  const beganMs = performance.now();
  for (;;) {
    const tookMs = performance.now() - beganMs;
    const isPending = isWaitedFor(watch, until, tookMs);
    const quietFor = until === "closing" ? closingQuietMs : quietMs;
    const leftMs = watch.changedMs + quietFor - performance.now();
    if (!isPending && leftMs <= 0) {
      const current = context.activePage.current;
      if (!current || until === "loading" || !(await isActive(watch, current, until, tookMs))) break;
    }
    await sleep(isPending || leftMs <= 0 ? pollMs : Math.min(leftMs, 100), context.signal);
  }
  await closeDownloadPage(watch, context.activePage.current);
  const current = context.activePage.current;
  await awaitWithin(
    bounds.navigationMs,
    current?.waitForLoadState("domcontentloaded", { timeout: bounds.navigationMs }) ?? Promise.resolve(),
  );
  const own = watch.pending.filter(({ isOwn }) => isOwn);
  const busy = until === "reading" && current ? await listBusyParts(current) : [];
  const ownBusy = until === "closing" && current ? await newBusyParts(watch, current) : [];
  return { own, ownBusy, others: watch.pending.filter(({ isOwn }) => !isOwn), busy };
}

/** Closes an empty page that was opened for a download, as browsers do. */
async function closeDownloadPage({ dialogs, pending }: SessionWatch, page: Page | undefined): Promise<void> {
  if (!page || page.url() !== "" || !dialogs.hasDownload) return;
  if (!pending.some(({ kind }) => kind === "document")) await awaitWithin(bounds.changesMs, page.close());
}

/** Returns whether a request is pending whose timeout has not passed. */
function isWaitedFor({ pending }: SessionWatch, until: SettledFor | "loading", tookMs: number): boolean {
  return pending.some(({ kind, isOwn }) => {
    if (kind === "document")
      return tookMs <= (until === "loading" || until === "next" ? bounds.navigationMs : bounds.ownMs);
    if (isOwn && kind === "data") return tookMs <= bounds.ownMs;
    return tookMs <= (until === "reading" ? bounds.ownMs : bounds.loadMs);
  });
}

/** Returns whether a page is active within the bounds. */
async function isActive(watch: SessionWatch, page: Page, until: SettledFor, tookMs: number): Promise<boolean> {
  const documents = await askDocuments(page, "look");
  if (documents.some((one) => isAtWork(one, until, tookMs))) return true;
  if (tookMs > bounds.busyMs) return false;
  return (until === "reading" ? await listBusyParts(page) : await newBusyParts(watch, page)).length > 0;
}

/** Returns the texts that show that a document is busy since the last step began; none of a document that was opened since. */
async function newBusyParts({ busyBefore }: SessionWatch, page: Page): Promise<readonly string[]> {
  if (!busyBefore || busyBefore.document !== (await identifyDocument(page))) return [];
  return (await listBusyParts(page)).filter((part) => !busyBefore.parts.has(part));
}

function isAtWork(
  { timers, quietMs: restedMs, changesByItself }: Activity,
  until: SettledFor,
  tookMs: number,
): boolean {
  if (timers > 0 && tookMs <= bounds.timersMs) return true;
  if (changesByItself || tookMs > bounds.changesMs) return false;
  return restedMs < (until === "closing" ? closingQuietMs : quietMs);
}

/** Describes requests that are pending. */
export function describePending(pending: readonly WatchedRequest[]): string {
  const [first, ...others] = pending;
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  const tookMs = performance.now() - (first?.beganMs ?? performance.now());
  return `${first?.request.method()} ${formatUrl(first?.request.url() ?? "")}${more} had not been answered after ${Math.round(tookMs / 1000)} s`;
}
