import type { BrowserContext, CDPSession, Page } from "playwright-core";
import type { Site } from "@cloud-browser/testing/site.ts";

/** What a feature is tried with. */
export interface Trial {
  /** The page of the context. */
  readonly page: Page;
  /** The only context. */
  readonly context: BrowserContext;
  /** A session with the page. */
  readonly cdp: CDPSession;
  /** A site that repeats what it was sent. */
  readonly site: Site;
}

/** Something that a client does; its result is the same in a local Chromium, or a listed difference. */
export type Feature = readonly [name: string, attempt: (trial: Trial) => Promise<unknown>];

/** The error of a command, without what differs from run to run. */
export async function readError(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => "no error",
    (error: unknown) => (/net::ERR_\w+|Protocol error[^\n]*|[^\n]+/.exec(String(error))?.[0] ?? "").slice(0, 200),
  );
}

/** Sends a command that the types of the driver do not know. */
export async function sendUnknown(session: CDPSession, method: string): Promise<unknown> {
  const send: unknown = Reflect.get(session, "send");
  return typeof send === "function" ? Reflect.apply(send, session, [method]) : undefined;
}
