import type { Browser, BrowserContext, CDPSession } from "playwright-core";
import { BrowserError } from "../browser-error.ts";
import type { ContextOptions } from "./pooled-context.ts";

/**
 * Creates a context of a browser, and finds its id in the DevTools protocol: the one that did not exist before. So there may be only one
 * such call at a time.
 *
 * @throws {BrowserError} `page-failed` when another client has created one meanwhile.
 */
export async function createContext(
  { browser, devtools }: { readonly browser: Browser; readonly devtools: CDPSession },
  { viewport = { width: 1280, height: 720 }, locale = "en-US", proxyServer }: ContextOptions,
): Promise<{ readonly context: BrowserContext; readonly contextId: string }> {
  const before = new Set(await listContextIds(devtools));
  const context = await browser.newContext({
    viewport,
    locale,
    acceptDownloads: false,
    permissions: [],
    // Without this, Chromium loads what is on loopback by itself.
    ...(proxyServer === undefined ? {} : { proxy: { server: proxyServer, bypass: "<-loopback>" } }),
  });
  const added = (await listContextIds(devtools)).filter((id) => !before.has(id));
  const [contextId] = added;
  if (contextId !== undefined && added.length === 1) return { context, contextId };
  await context.close();
  throw new BrowserError(
    "page-failed",
    "another client creates browser contexts in this browser; the context of a session can't be identified",
  );
}

async function listContextIds(devtools: CDPSession): Promise<string[]> {
  return (await devtools.send("Target.getBrowserContexts")).browserContextIds;
}
