export { PageTargets } from "./pages/page-targets.ts";
export { refusePageCommand } from "./relay/policy/page-command-policy.ts";
export { type ActKind } from "./relay/policy/acting-commands.ts";
export { type ActingCommand } from "./relay/browser-commands.ts";
export { type DownloadEvent, type DownloadFeed } from "./relay/downloads.ts";
export { type RelayedContext, relaySession } from "./relay/relay-session.ts";
export { BrowserError, type BrowserErrorCode } from "./browser-error.ts";
export { type ProxySettings, readProxy } from "./proxy/upstream/upstream-proxy.ts";
export { hopByHopHeaders } from "./proxy/end-to-end-headers.ts";
export { GuardedBrowsers } from "./guarded-browsers.ts";
export { BrowserPool } from "./pool/browser-pool.ts";
export { type BrowserFacts, type BrowserPoolOptions } from "./pool/browser-pool-options.ts";
export { type BegunDownload, type DownloadListener, type PageDownloadState } from "./pool/context-downloads.ts";
export { type PooledContext, type ContextOptions } from "./pool/pooled-context.ts";
export { ActivePage } from "./pages/active-page.ts";
export { collectGarbage } from "./pages/page-garbage.ts";
export { readTitle as titleOf } from "./pages/page-title.ts";
export { onConsoleFlood, onPageCrash } from "./pages/page-failures.ts";
export { installPagePolicy, pageLimit } from "./pages/page-policy.ts";
export { type ChannelCommand } from "./devtools/devtools-channel.ts";
export { type Fields } from "./devtools/message.ts";
export { RelayedSession } from "./relay/session-view.ts";
export { type BrowserMemory } from "./chromium/process-memory.ts";
export { type ProcessType } from "./chromium/browser-processes.ts";
export {
  type ContextCookie,
  isExpired,
  readContextCookies,
  type IdentifiedContext,
} from "./storage/context-cookies.ts";
export {
  type ReadState,
  readStorageState,
  restoreStorageState,
  type StorageLimits,
} from "./storage/context-storage.ts";
export {
  type LeftOut,
  type StateCookie,
  type StateDatabase,
  type StateOrigin,
  type StorageState,
} from "./storage/storage-state.ts";
export { type PageAct, type ActTarget } from "./acts/act.ts";
export { type ActPlace } from "./acts/act-place.ts";
export { type PageEvent } from "./acts/page-event.ts";
