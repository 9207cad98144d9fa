import { BrowserError } from "@cloud-browser/browsers";
import type { Page } from "playwright-core";
import { ServiceError } from "../../service-error.ts";
import type { SessionStore } from "../../storage/session-store.ts";
import type { CreationParts } from "./creation-parts.ts";
import { openFirstPage } from "../documents/first-page.ts";
import { LostBrowser } from "./lost-browser.ts";
import { storeLocation } from "../page-info.ts";
import { chooseRetentionMs } from "../session-limits.ts";
import { blankPage, defaultViewport, type SessionOptions } from "../session-options.ts";
import type { Session } from "../session.ts";
import { setCookies } from "./start-cookies.ts";
import { makeStoppingError } from "../../session-refusals.ts";

/**
 * Gives a new session what it begins with: its profile, its recorder, its cookies and its first page. A session that can't be started ends.
 *
 * @throws {LostBrowser} When its browser fails before it could show a page.
 * @throws {ServiceError} `page-failed` when its first page can't be loaded, `usage` when an option can't be followed, `session-ended` when
 * it ended meanwhile.
 */
export async function startSession(
  session: Session,
  options: SessionOptions,
  { records, profiles, record, limits }: Pick<CreationParts, "records" | "profiles" | "record" | "limits">,
): Promise<void> {
  const { viewport = defaultViewport, cookies = [], url = blankPage, profile } = options;
  const { id, createdMs, activePage, pooledContext } = session;
  const run = <Result>(work: () => Promise<Result>): Promise<Result> => runUnlessEnded(session, records, work, true);
  if (profile) await run(() => openProfile(session, profile, profiles));
  if (options.record === false) session.history.timeline.keepNowhere();
  else {
    const retentionMs = chooseRetentionMs(options, limits);
    const { context } = pooledContext;
    await run(async () =>
      session.recordWith(await record({ id, startedAtMs: createdMs, context, activePage, viewport, retentionMs })),
    );
  }
  const page = await run(() => openBlankPage(session, cookies));
  await runUnlessEnded(session, records, async () => {
    const first = new URL(url);
    const isBlank = first.href === blankPage;
    if (!isBlank) session.history.noteAsked("service", { kind: "address", url: first.href });
    if (!isBlank) await openFirstPage(page, first, session.failedDocuments);
    session.noteOpened();
    // To ask a new page for its title takes as long as it takes to draw it first.
    if (isBlank) await records.locate(id, blankPage, null);
    else await storeLocation(session, records);
  });
}

/** Restores the profile before there is a page, so that the first script finds what the profile has. */
async function openProfile(
  session: Session,
  profile: NonNullable<SessionOptions["profile"]>,
  profiles: Pick<CreationParts["profiles"], "begin">,
): Promise<void> {
  const { id, key, pooledContext, seenOrigins } = session;
  const sessionProfile = await profiles.begin(profile, key, id);
  await session.beforeClose((reason) => sessionProfile.end(reason, pooledContext, seenOrigins));
  if (!session.hasEnded) await sessionProfile.restore(pooledContext);
}

async function openBlankPage(session: Session, cookies: NonNullable<SessionOptions["cookies"]>): Promise<Page> {
  const { files, history, pooledContext } = session;
  const prepare = async (): Promise<void> => {
    await Promise.all([setCookies(pooledContext.context, cookies), files?.accept(pooledContext)]);
    history.actors.noteAct("service");
  };
  return pooledContext.newPage(prepare).catch((cause: unknown) => {
    throw cause instanceof BrowserError ? new LostBrowser(cause, session.end("browser-crashed")) : cause;
  });
}

/**
 * Runs a part of the creation of a session. Ends the session when that fails, and throws when the session has ended meanwhile.
 *
 * @param isBlank - True while no page has loaded anything: what crashes then is its browser's fault. Default: false.
 */
async function runUnlessEnded<Result>(
  session: Session,
  records: SessionStore,
  work: () => Promise<Result>,
  isBlank = false,
): Promise<Result> {
  const outcome = work().then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  // A browser may never respond to what it is asked while a context closes.
  const first = await Promise.race([outcome, session.whenEnded.then(() => undefined)]);
  if (first && "result" in first && !session.hasEnded) return first.result;
  if (first && "error" in first && first.error instanceof LostBrowser) throw first.error;
  const endedBefore = session.hasEnded;
  const ended = session.end("not-created");
  await ended;
  if (!endedBefore && first && "error" in first) throw first.error;
  const record = await records.get(session.id);
  const reason = record?.end_reason ?? "not-created";
  if (reason === "shutdown") throw makeStoppingError();
  const why = reason === "memory" ? ": its page is too large, and needs more memory than a session may have" : "";
  const cause = new ServiceError("session-ended", `the session ended while it was created (${reason})${why}`);
  if (!isBlank || (reason !== "browser-crashed" && reason !== "page-crashed")) throw cause;
  session.pooledContext.suspectBrowser();
  throw new LostBrowser(cause, ended);
}
