import type { PageAct } from "@cloud-browser/browsers";
import type { TimelineEntry } from "./timeline-event.ts";

/** Turns a text that a page chose into one that can stand in a line. */
export type Quote = (text: string) => string;

const withheld = {
  password: "a password",
  "one-time-code": "a one-time code",
  card: "a value of a card",
  secret: "a value that may be a secret",
} as const;

/** Says in words what an entry tells, beginning with a verb. */
export function describeTimelineEntry(entry: TimelineEntry, quote: Quote): string {
  switch (entry.kind) {
    case "tab-opened":
      return `opened tab ${entry.tab}`;
    case "tab-closed":
      return `closed tab ${entry.tab}`;
    case "navigation":
      return `${entry.same_document ? "changed the address to" : "went to"} ${quote(entry.url)}`;
    case "click": {
      const how = entry.button === undefined ? "" : ` with the ${entry.button} button`;
      return `${(entry.count ?? 1) > 1 ? "double-clicked" : "clicked"} ${describeTarget(entry, quote)}${how}`;
    }
    case "fill":
      return `filled ${describeTarget(entry, quote)} with ${describeValue(entry, quote)}${entry.unfinished ? " (or more)" : ""}`;
    case "select":
      return `chose ${describeValue(entry, quote)} in ${describeTarget(entry, quote)}`;
    case "check":
      return `${entry.checked ? "checked" : "unchecked"} ${describeTarget(entry, quote)}`;
    case "upload":
      return `gave ${entry.count ?? 0} files to ${describeTarget(entry, quote)}`;
    case "press": {
      const where = entry.target ? ` in ${describeTarget(entry, quote)}` : "";
      return typeof entry.key === "string"
        ? `pressed ${quote(entry.key)}${where}`
        : `typed ${entry.count ?? 0} characters into no field${where}`;
    }
    case "scroll":
      return `scrolled ${entry.target ? describeTarget(entry, quote) : "the page"} to ${entry.to?.x ?? 0}, ${entry.to?.y ?? 0}`;
    case "drag":
      return `dragged from ${describeTarget(entry, quote)}`;
    case "dialog":
      return `showed a dialog (${quote(entry.type)})${entry.message ? `: ${quote(entry.message)}` : ""}`;
    case "dialog-closed":
      return entry.accepted ? "accepted the dialog" : "dismissed the dialog";
    case "download":
      return `began the download of ${quote(entry.file_name)} from ${quote(entry.url)}`;
    case "run-started":
      return `began (${entry.thread_id})`;
    case "step":
      return `${quote(entry.tool)}: ${entry.result === null ? "no result" : quote(entry.result)}`;
    case "run-ended":
      return `ended: ${quote(entry.outcome)}`;
    case "handover":
      return `handed over (${quote(entry.state)})${entry.words === undefined ? "" : `: ${quote(entry.words)}`}`;
    case "dropped":
      return `left ${entry.count} entries out: more happened than is kept`;
    case "end":
      return `ended the session (${quote(entry.reason)})`;
  }
}

/** An element in words: `button "Save"`. */
function describeTarget({ target }: Pick<PageAct, "target">, quote: Quote): string {
  if (!target) return "the page";
  const { role, name } = target;
  if (name === "") return role === null ? "something without a name" : `a ${quote(role)} without a name`;
  return role === null ? quote(name) : `${quote(role)} ${quote(`“${name}”`)}`;
}

function describeValue(entry: Pick<PageAct, "value" | "withheld">, quote: Quote): string {
  if (entry.withheld) return `${withheld[entry.withheld]} (not kept)`;
  return quote(`“${entry.value ?? ""}”`);
}

/** A time from the creation of the session, as `1:02.3`. */
export function formatClock(ms: number): string {
  const tenths = Math.floor(ms / 100);
  const [hours, minutes] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60];
  const seconds = `${String(Math.floor(tenths / 10) % 60).padStart(2, "0")}.${tenths % 10}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}` : `${minutes}:${seconds}`;
}
