import type { ProfileMode } from "../storage/profile-store.ts";

/** A cookie that a session starts with. The fields are those of the cookies read. */
export interface StartCookie {
  /** Its name. */
  readonly name: string;
  /** Its value; a secret. */
  readonly value: string;
  /** Host that gets it; with a dot in front, its subdomains too. */
  readonly domain: string;
  /** Default: `/`. */
  readonly path?: string;
  /** When it expires, in seconds since 1970; without it the cookie lasts as long as the session. */
  readonly expires?: number;
  /** True when scripts can't read it. Default: false. */
  readonly httpOnly?: boolean;
  /** True when only secure connections carry it. Default: false. */
  readonly secure?: boolean;
  /** Which requests of other sites carry it. Default: the browser's. */
  readonly sameSite?: "Strict" | "Lax" | "None";
}

/** A proxy for all traffic of a session. */
export interface SessionProxy {
  /** `http://host:port`, `https://host:port` or `socks5://host:port`. */
  readonly server: string;
  /** Name that the proxy knows its user by. Default: none is sent. */
  readonly username?: string;
  /** Its password. A secret. */
  readonly password?: string;
  /** Who resolves names: the service, which checks their addresses, or the proxy, where the operator allows that. Default: `service`. */
  readonly dns?: "service" | "proxy";
}

/** Options of a session. */
export interface SessionOptions {
  /** Page that it starts on: an http or https address, or `about:blank`, which is the default. */
  readonly url?: string;
  /** Size of its pages and of its recording, in CSS pixels. Default: 1280 x 720. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Cookies that it has from the beginning. */
  readonly cookies?: readonly StartCookie[];
  /** Profile that it begins with, and writes back at its end unless the mode is `read`. `cookies` go before those of the profile. */
  readonly profile?: { readonly name: string; readonly mode?: ProfileMode };
  /** Language of its pages, as BCP 47 (`en-GB`). Default: `en-US`. */
  readonly locale?: string;
  /** Proxy for all traffic of its pages. Default: none. */
  readonly proxy?: SessionProxy;
  /** Idle limit, in seconds. Default: the service's. */
  readonly idle_limit_s?: number;
  /** Total limit, in seconds. Default: the service's. */
  readonly total_limit_s?: number;
  /** False for a session of which nothing is recorded: it has no replay, and its viewer page shows no pictures (the live socket does). Default: true. */
  readonly record?: boolean;
  /** How long its recording is kept after its end, in seconds. Default and maximum: that of the service. */
  readonly keep_recording_s?: number;
  /** Longest wait for a free slot, in seconds. Default: 0, it is refused at once. */
  readonly wait_s?: number;
}

/** The size of the pages of a session that names none, in CSS pixels. */
export const defaultViewport = { width: 1280, height: 720 } as const;

/** Address of an empty page, the first one of a session that names none. */
export const blankPage = "about:blank";
