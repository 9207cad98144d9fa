import type { Film, Frames } from "./recorded-frames.ts";

/** The pages of the fixture site on which sessions are opened. */
export const pageNames = ["article", "product", "almanac", "recording"] as const;

/** Name of such a page. */
export type PageName = (typeof pageNames)[number];

/** Placeholder for the id of a session that the suite has not opened yet. */
export const notYetOpened = "not-opened-yet";

/** A cookie that a page sets in the browser that opens it. */
export interface PageCookie {
  /** Its name. */
  readonly name: string;
  /** Its value: partly random, and a secret like every value of a cookie. */
  readonly value: string;
  /** Value of its `Path` attribute. */
  readonly path: string;
  /** True when scripts can't read it. */
  readonly httpOnly: boolean;
  /** True when it is for secure connections alone: browsers take such a cookie from a loopback address, or they do not. */
  readonly secure: boolean;
  /** Unix time in seconds at which it expires; undefined for a cookie that ends with the browser's session. */
  readonly expires: number | undefined;
  /** True when the page has removed it again. */
  readonly removed: boolean;
}

/** Facts about the fixture site and the sessions opened on it, for judges. */
export interface OpenedPages {
  /** Returns the id of the session that was opened on a page; a placeholder before that. */
  readonly findSession: (page: PageName) => string;
  /** Returns the address of a page, as the browser sees it once all scripts have run. */
  readonly findAddress: (page: PageName) => string;
  /** Returns all words of a page: its source with those of its frames, and what its scripts write. */
  readonly readSource: (page: PageName) => string;
  /** Returns the cookies that a page sets. */
  readonly listCookies: (page: PageName) => readonly PageCookie[];
  /** Returns whether the browsers of two sessions share their cookies: the second one sent the site those of the first one. */
  readonly sharesCookies: () => boolean;
  /** Host of the pages, as the browser sees it, without a port. */
  readonly host: string;
  /** Returns whether the page that changes itself has reported that it did. */
  readonly hasChanged: () => boolean;
  /** Number that identifies the recorded page among those of other runs, 0 to 255. */
  readonly recordingMark: number;
  /** Returns the time for which the recorded session was open, in milliseconds; undefined before it has ended. */
  readonly recordedMs: () => number | undefined;
  /** Returns the frames of a recording; when they could not be decoded, a sentence that says why. Default: the recording of the page that moves. */
  readonly frames: (film?: Film) => Frames;
}

/** A session that the suite has opened. */
export interface OpenedSession {
  /** The page that it is on. */
  readonly page: PageName;
  /** Its id. */
  readonly sessionId: string;
  /** True when the suite ended it as well; without a way to do that it is left open. */
  readonly ended: boolean;
}

/** Time limits of sessions on the suite's own pages, in milliseconds. */
export interface PageTimeouts {
  /** Time from the id of a session until its browser asks for the page. Default: 15,000. */
  readonly request: number;
  /** Time from then until the page reports that it has loaded; it is not an error when it never does. Default: 5,000. */
  readonly load: number;
  /** Time from loading until the page that changes itself does so; it has as long again to report it. Default: 1,000. */
  readonly change: number;
  /** Minimum time for which the page that moves is recorded; other pages are opened meanwhile. Default: 6,000. */
  readonly recording: number;
  /** Time from the first read of an ended session's replay until its recording can be fetched. Default: 60,000. */
  readonly recordingReady: number;
  /** Longest time that the suite waits until the addresses of a recording expire. Default: 15,000. */
  readonly expiry: number;
}

/** Default time limits of sessions and recordings. */
export const defaultPageTimeouts: PageTimeouts = {
  request: 15_000,
  load: 5_000,
  change: 1_000,
  recording: 6_000,
  recordingReady: 60_000,
  expiry: 15_000,
};
