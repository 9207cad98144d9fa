import { type Fields, isFields, textOf } from "../devtools/message.ts";

/** Page, frame or worker, as Chromium describes it. */
export interface TargetInfo extends Fields {
  /** Id of it in the DevTools protocol. */
  readonly targetId: string;
  /** `page`, `tab`, `iframe`, `worker`, … */
  readonly type: string;
  /** Its address. */
  readonly url: string;
}

/** Which targets a client wants to hear of: the first entry of the type decides; none: not wanted. */
export type TargetFilter = readonly { readonly type: string | undefined; readonly exclude: boolean }[];

/** Chromium's default filter. */
const usualFilter: TargetFilter = [
  { type: "browser", exclude: true },
  { type: "tab", exclude: true },
  { type: undefined, exclude: false },
];

/** Kinds of targets that belong to pages. What is not among them (the browser's own surfaces, extensions) is nobody's. */
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

/** Kinds that nothing else brings along: a client that attaches to all is attached to these by the browser. */
const independentKinds: ReadonlySet<string> = new Set(["page", "tab", "service_worker", "shared_worker"]);

/** Pages of the browser itself. Its error page is what any page may turn into. */
const ownedByBrowser = /^(?:chrome|chrome-untrusted|chrome-extension|devtools|file|view-source):/i;

/** Reads a target's description; undefined when it is none. */
export function readTargetInfo(value: unknown): TargetInfo | undefined {
  if (!isFields(value)) return undefined;
  const { targetId, type, url = "" } = value;
  if (typeof targetId !== "string" || typeof type !== "string" || typeof url !== "string") return undefined;
  return { ...value, targetId, type, url };
}

/** Tells whether a target is one of web pages, and so may be shown to whom its context belongs. */
export const belongsToPages = ({ type, url }: TargetInfo): boolean => kinds.has(type) && !ownedByBrowser.test(url);

/** Tells whether a target stands for itself, and not below of a page. */
export const isIndependent = ({ type }: TargetInfo): boolean => independentKinds.has(type);

/** Reads the filter of a client; without one, Chromium's usual. */
export function readFilter(value: unknown): TargetFilter {
  if (!Array.isArray(value)) return usualFilter;
  return value.filter(isFields).map((entry) => ({ type: textOf(entry["type"]), exclude: entry["exclude"] === true }));
}

/** Tells whether a client wants to hear of this type of target. */
export function isWanted(filter: TargetFilter, type: string): boolean {
  const entry = filter.find((candidate) => candidate.type === undefined || candidate.type === type);
  return entry !== undefined && !entry.exclude;
}
