import { titleOf } from "@cloud-browser/browsers";
import pTimeout from "p-timeout";
import type { Page } from "playwright-core";
import type { SessionStore } from "../storage/session-store.ts";

/** Where a page is. */
export interface PageInfo {
  /** Its address, without the secrets in it; null when there is no page. */
  readonly url: string | null;
  /** Its title; null if it has none, or the page does not respond. */
  readonly title: string | null;
}

/** Place of a session that has no page, or one that can't be asked. */
export const noPage: PageInfo = { url: null, title: null };

/** Longest wait for the title of a page that may not answer, in milliseconds. */
const titleTimeoutMs = 1_000;

/** Longest title that is kept, in characters. */
const maxTitleCharacters = 1_000;

/** Reads the title of a page, within a second; null if it has none, or the page does not respond. */
export async function readTitleInTime(page: Page): Promise<string | null> {
  const title = await pTimeout(titleOf(page), { milliseconds: titleTimeoutMs, fallback: () => null });
  return title?.slice(0, maxTitleCharacters) ?? null;
}

/** A session whose page is asked where it is. */
interface LocatedSession {
  readonly id: string;
  readonly hasEnded: boolean;
  readonly readPageInfo: () => Promise<PageInfo>;
}

/** Stores where the page of a session is; where that of one is that has ended was stored with its end. */
export async function storeLocation(session: LocatedSession, records: Pick<SessionStore, "locate">): Promise<void> {
  const { url, title } = await session.readPageInfo();
  if (!session.hasEnded) await records.locate(session.id, url, title);
}
