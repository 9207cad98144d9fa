/** Options that decide the command line of Chromium. */
export interface ChromiumFlagOptions {
  /** Folder for its profile, its own. */
  readonly profileFolder: string;
  /** Address of the only way out (`http://127.0.0.1:3128`). Without it pages reach the network directly. */
  readonly proxyServer?: string;
  /** False: started without its sandbox. */
  readonly sandbox: boolean;
  /** True: `/dev/shm` is too small for it (containers have 64 MB), it uses files in its folder. */
  readonly avoidSharedMemoryFolder: boolean;
}

/** Chromium's command line for a browser that programs drive. */
export function chromiumFlags(options: ChromiumFlagOptions): string[] {
  return [
    "--headless",
    `--user-data-dir=${options.profileFolder}`,
    // And no port: that any user of the machine could open.
    "--remote-debugging-pipe",
    ...(options.sandbox ? [] : ["--no-sandbox"]),
    ...(options.avoidSharedMemoryFolder ? ["--disable-dev-shm-usage"] : []),
    ...quiet,
    ...likeADesktop,
    ...network(options.proxyServer),
  ];
}

/** No requests, dialogs, stores or services of the browser itself. */
const quiet = [
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
    "Translate",
  ].join(",")}`,
];

/** Pages behave as in a window that somebody looks at, several at once. */
const likeADesktop = [
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
    // Its middle button opens links, and pastes nothing: what is selected last all sessions of a browser share.
    "middleClickPasteAllowed=false",
  ].join(",")}`,
  "--disable-back-forward-cache",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-hang-monitor",
  "--disable-prompt-on-repost",
  "--disable-renderer-backgrounding",
];

/** Everything through the proxy: loopback too, no QUIC, no UDP of WebRTC, no name resolved by Chromium. */
function network(proxyServer: string | undefined): string[] {
  const always = [
    "--disable-quic",
    // The headless shell knows the first, the whole Chromium the second.
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
