import type { RecordedEntry } from "@cloud-browser/automation";
import type { TimelineEntry } from "./timeline-event.ts";
import type { ToldAddress } from "./told-address.ts";

type RecordedAddress = Extract<RecordedEntry, { kind: "navigation" }>["address"];

/** Returns what functions of acts are made of: the entries of a timeline. */
export function toRecordedEntries(entries: readonly TimelineEntry[]): readonly RecordedEntry[] {
  return entries.map((entry) => {
    const { seq, at_ms: atMs, by, tab = 0 } = entry;
    return { seq, atMs, by, tab, ...toRecordedKind(entry) };
  });
}

type RecordedKind = RecordedEntry extends infer Entry
  ? Entry extends RecordedEntry
    ? Omit<Entry, "seq" | "atMs" | "by" | "tab">
    : never
  : never;

function toRecordedKind(entry: TimelineEntry): RecordedKind {
  switch (entry.kind) {
    case "click":
    case "fill":
    case "select":
    case "check":
    case "upload":
    case "press":
    case "scroll":
    case "drag": {
      const {
        kind,
        target,
        value,
        withheld,
        is_partial,
        unfinished,
        checked,
        key,
        count,
        button,
        modifiers,
        to,
        dropped,
      } = entry;
      return {
        kind: "act",
        act: kind,
        target,
        ...(value !== undefined && { value: withheld === undefined ? value : null }),
        ...(is_partial && { isPartial: true }),
        ...(unfinished && { isUnfinished: true }),
        ...(checked !== undefined && { checked }),
        ...(key !== undefined && { key }),
        ...(count !== undefined && { count }),
        ...(button !== undefined && { button }),
        ...(modifiers !== undefined && { modifiers }),
        ...(to && { to }),
        ...(dropped !== undefined && { dropped }),
      };
    }
    case "navigation": {
      const { same_document: sameDocument, asked: kindOfChange, requested } = entry;
      return {
        kind: "navigation",
        address: toRecordedAddress(entry),
        sameDocument,
        via: kindOfChange,
        requested: requested && toRecordedAddress(requested),
      };
    }
    case "tab-opened":
      return { kind: "tab-opened", opener: entry.opener };
    case "tab-closed":
      return { kind: "tab-closed", isAsked: entry.is_asked === true };
    case "dialog":
      return { kind: "dialog", type: entry.type, message: entry.is_partial ? null : entry.message };
    case "dialog-closed":
      return { kind: "dialog-closed", accepted: entry.accepted };
    case "step":
      return { kind: "run-step", isOpening: entry.tool === "open_page" };
    case "dropped":
      return { kind: "gap", count: entry.count };
    case "end":
      return { kind: "end", isLost: entry.reason === "service-died" || entry.reason === "host-lost" };
    case "download":
    case "run-started":
    case "run-ended":
    case "handover":
      return { kind: "other" };
  }
}

function toRecordedAddress({ url, parameters, is_partial }: ToldAddress): RecordedAddress {
  return { url, ...(parameters && { parameters }), ...(is_partial && { isPartial: true }) };
}
