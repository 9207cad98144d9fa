import { type Fields, isFields, asText } from "../devtools/message.ts";

/** Page, frame or worker, as Chromium describes it. */
export interface TargetInfo extends Fields {
  /** Target id of CDP. */
  readonly targetId: string;
  /** `page`, `tab`, `iframe`, `worker`, … */
  readonly type: string;
  /** Its address. */
  readonly url: string;
}

/** A target filter of CDP: the first entry that matches the type decides; no match excludes it. */
export type TargetFilter = readonly { readonly type: string | undefined; readonly exclude: boolean }[];

/** Chromium's default filter. */
const defaultFilter: TargetFilter = [
  { type: "browser", exclude: true },
  { type: "tab", exclude: true },
  { type: undefined, exclude: false },
];

/** Target types of web content. Others (the browser's own surfaces, extensions) are not exposed. */
const kinds: ReadonlySet<string> = new Set([
  "page",
  "tab",
  "iframe",
  "worker",
  "service_worker",
  "shared_worker",
  "worklet",
  "shared_storage_worklet",
]);

/** Target types without a parent, which auto-attach on the browser covers. */
const independentKinds: ReadonlySet<string> = new Set(["page", "tab", "service_worker", "shared_worker"]);

/** URLs of the browser's own pages. Not of its error page, which any page may show. */
const ownedByBrowser = /^(?:chrome|chrome-untrusted|chrome-extension|devtools|file|view-source):/i;

/** Validates a target info; undefined if it is malformed. */
export function readTargetInfo(value: unknown): TargetInfo | undefined {
  if (!isFields(value)) return undefined;
  const { targetId, type, url = "" } = value;
  if (typeof targetId !== "string" || typeof type !== "string" || typeof url !== "string") return undefined;
  return { ...value, targetId, type, url };
}

/** Returns whether a target is web content, and so may be exposed to the client. */
export const belongsToPages = ({ type, url }: TargetInfo): boolean => kinds.has(type) && !ownedByBrowser.test(url);

/** Returns whether a target has no parent target. */
export const isIndependent = ({ type }: TargetInfo): boolean => independentKinds.has(type);

/** Parses the filter of a client. Default: that of Chromium. */
export function readFilter(value: unknown): TargetFilter {
  if (!Array.isArray(value)) return defaultFilter;
  return value.filter(isFields).map((entry) => ({ type: asText(entry["type"]), exclude: entry["exclude"] === true }));
}

/** Returns whether a filter includes this type of target. */
export function isWanted(filter: TargetFilter, type: string): boolean {
  const entry = filter.find((candidate) => candidate.type === undefined || candidate.type === type);
  return entry !== undefined && !entry.exclude;
}
