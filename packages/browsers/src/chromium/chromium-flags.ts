/** Options for the command line of Chromium. */
export interface ChromiumFlagOptions {
  /** Folder for its profile, its own. */
  readonly profileFolder: string;
  /** URL of the egress proxy (`http://127.0.0.1:3128`). Default: none, pages reach the network directly. */
  readonly proxyServer?: string;
  /** False starts it without its sandbox. */
  readonly sandbox: boolean;
  /** True when `/dev/shm` is too small (containers have 64 MB): it then uses files in its folder. */
  readonly disableSharedMemory: boolean;
}

/** Returns the command line of a headless Chromium. */
export function chromiumFlags(options: ChromiumFlagOptions): string[] {
  return [
    "--headless",
    `--user-data-dir=${options.profileFolder}`,
    // Not a port: any user of the machine could connect to it.
    "--remote-debugging-pipe",
    ...(options.sandbox ? [] : ["--no-sandbox"]),
    ...(options.disableSharedMemory ? ["--disable-dev-shm-usage"] : []),
    ...disabledServices,
    ...desktopFlags,
    ...networkFlags(options.proxyServer),
  ];
}

/** Disables requests, dialogs, stores and services of the browser itself. */
const disabledServices = [
  "--no-first-run",
  "--no-default-browser-check",
  "--no-startup-window",
  "--no-service-autorun",
  "--no-pings",
  "--disable-background-networking",
  "--disable-breakpad",
  "--disable-client-side-phishing-detection",
  "--disable-component-extensions-with-background-pages",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-field-trial-config",
  "--disable-search-engine-choice-screen",
  "--disable-sync",
  "--metrics-recording-only",
  "--password-store=basic",
  "--use-mock-keychain",
  "--deny-permission-prompts",
  `--disable-features=${[
    "AutofillServerCommunication",
    "CertificateTransparencyComponentUpdater",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PreconnectToSearch",
    // With it the browser does not tell what frames of other sites store, so that a page could fill the memory of all. Playwright disables it, too.
    "ThirdPartyStoragePartitioning",
    "Translate",
  ].join(",")}`,
];

/** Flags with which several pages at once behave as in a visible desktop window. */
const desktopFlags = [
  "--mute-audio",
  "--hide-scrollbars",
  "--font-render-hinting=none",
  "--force-color-profile=srgb",
  `--blink-settings=${[
    // A mouse that can hover.
    "primaryHoverType=2",
    "availableHoverTypes=2",
    "primaryPointerType=4",
    "availablePointerTypes=4",
    // A middle click does not paste: the primary selection is shared by all sessions of a browser.
    "middleClickPasteAllowed=false",
  ].join(",")}`,
  // The GPU process is started again however often it crashes. By default the sixth crash ends the browser, with all sessions in it.
  "--disable-gpu-process-crash-limit",
  "--disable-back-forward-cache",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-hang-monitor",
  "--disable-prompt-on-repost",
  "--disable-renderer-backgrounding",
];

/** Sends everything through the proxy: also loopback; no QUIC, no WebRTC over UDP, no DNS lookups by Chromium. */
function networkFlags(proxyServer: string | undefined): string[] {
  const always = [
    "--disable-quic",
    // The headless shell reads the first, Chromium the second.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  ];
  if (proxyServer === undefined) return always;
  return [
    ...always,
    `--proxy-server=${proxyServer}`,
    "--proxy-bypass-list=<-loopback>",
    `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${new URL(proxyServer).hostname}`,
  ];
}
