import { createCloudBrowser, type CloudBrowser } from "@cloud-browser/client";
import { createControl, type CloudBrowserControl } from "@cloud-browser/client/control";
import { createSnapshotStore, type SnapshotStore } from "../page/snapshot-store.ts";
import { createRunBook, type RunBook } from "../runs/run-book.ts";
import { toolSettings, type AgentToolsOptions, type ToolSettings } from "./tool-settings.ts";

/** All that tools work with. One is shared by all connections of a process. */
export interface ToolEnvironment {
  readonly client: CloudBrowser;
  readonly control: CloudBrowserControl;
  readonly settings: ToolSettings;
  /** Markdown that was read, to be read on. */
  readonly snapshots: SnapshotStore;
  /** Runs that were started here. */
  readonly runs: RunBook;
  /** Redacts the API key in a text. */
  readonly hide: (text: string) => string;
  /** Address of the service, for sentences: without credentials and query. */
  readonly address: string;
  /** Resolves with whether the service has `/control`; true when that can't be known now. */
  readonly hasControl: () => Promise<boolean>;
}

/** Timeout of the probe for `/control`, in milliseconds. */
const probeMs = 3_000;

/** Time before the next probe after one without an answer, in milliseconds. */
const unknownForMs = 10_000;

/**
 * Creates what tools work with. Sends nothing.
 *
 * @throws {TypeError} when an option can't be used.
 * @throws {ClientError} `misuse` when the key or the base URL is missing or can't be used.
 */
export function createToolEnvironment(options: AgentToolsOptions): ToolEnvironment {
  const settings = toolSettings(options);
  const { apiKey = process.env["CLOUD_BROWSER_API_KEY"] } = options;
  const keys = new Set<string>();
  const note = (key: string): string => {
    const trimmed = key.trim();
    if (trimmed.length >= 8) keys.add(trimmed);
    if (keys.size > 99) keys.delete([...keys][0] ?? "");
    return key;
  };
  if (typeof apiKey === "string") note(apiKey);
  const { profile: _profile, allow: _allow, maxPageChars: _maxPageChars, ...connection } = options;
  const own = {
    ...connection,
    ...(typeof apiKey === "function" && { apiKey: async () => note(await apiKey()) }),
    // Standard output may be the protocol's.
    logLevel: "off",
  } as const;
  const client = createCloudBrowser(own);
  const control = createControl(own);
  let known: boolean | undefined;
  let unknownSinceMs = -Infinity;
  return {
    client,
    control,
    settings,
    snapshots: createSnapshotStore(),
    runs: createRunBook(),
    hide(text) {
      let clean = text;
      for (const key of keys) {
        for (const spelled of new Set([key, encodeURIComponent(key)])) clean = clean.replaceAll(spelled, "***");
      }
      return clean;
    },
    address: readBaseUrl(options.baseUrl ?? process.env["CLOUD_BROWSER_BASE_URL"]),
    async hasControl() {
      if (known === undefined && Date.now() - unknownSinceMs > unknownForMs) {
        known = await probeControl(control);
        unknownSinceMs = Date.now();
      }
      return known ?? true;
    },
  };
}

/** Resolves with whether the service has `/control`; undefined when its answer does not show that. */
async function probeControl(control: CloudBrowserControl): Promise<boolean | undefined> {
  try {
    await control.sessions.list({ limit: 1 }, { timeouts: { totalMs: probeMs }, retries: 0 });
    return true;
  } catch (error) {
    const { code }: { code?: unknown } = Object(error);
    if (code === "no-control") return false;
    return code === "authentication" || code === "validation" ? true : undefined;
  }
}

function readBaseUrl(baseUrl: string | undefined): string {
  const { origin = "", pathname = "" } = URL.parse?.(baseUrl ?? "") ?? {};
  return `${origin}${pathname.replace(/\/$/u, "")}`;
}
