import type { components } from "@cloud-browser/spec/control-types";

/** One entry of a timeline. */
export type TimelineEntry = components["schemas"]["TimelineEntry"];

/** Descriptions of the states of a hand-over. */
const handoverWords: Readonly<Record<string, string>> = {
  taken: "took the control",
  given_back: "gave the control back",
  disconnected: "lost the connection",
  resumed: "is there again",
  asked: "asked for a person",
  done: "answered that it is done",
  declined: "declined",
  expired: "got no answer in time",
  ended: "got no answer before the end",
};

/** Describes an entry in words, without its actor. */
export function sayEntry(entry: TimelineEntry): string {
  const { kind, url, key, count, tool, words, state, type, message, file_name } = entry;
  switch (kind) {
    case "tab-opened":
      return `opened tab ${entry.tab ?? ""}`;
    case "tab-closed":
      return `closed tab ${entry.tab ?? ""}`;
    case "navigation":
      return `went to ${url ?? ""}`;
    case "click":
      return `${count === 2 ? "double-clicked" : "clicked"} ${describeTarget(entry)}`;
    case "fill":
      return `filled ${describeTarget(entry)} with ${describeValue(entry)}`;
    case "select":
      return `chose ${describeValue(entry)} in ${describeTarget(entry)}`;
    case "check":
      return `${entry.checked === false ? "unchecked" : "checked"} ${describeTarget(entry)}`;
    case "upload":
      return `gave ${count === 1 || count === undefined || count === null ? "a file" : `${count} files`} to ${describeTarget(entry)}`;
    case "press":
      return key === null || key === undefined ? `typed ${count ?? 1} characters` : `pressed ${key}`;
    case "scroll":
      return "scrolled";
    case "drag":
      return `dragged from ${describeTarget(entry)}`;
    case "dialog":
      return `${type ?? "dialog"}: ${message ?? "(not kept)"}`;
    case "dialog-closed":
      return entry.accepted === true ? "accepted the dialog" : "dismissed the dialog";
    case "download":
      return `downloaded ${file_name ?? url ?? "a file"}`;
    case "run-started":
      return "an automation began";
    case "step":
      return `${tool ?? "step"}${entry.result ? `: ${entry.result}` : ""}`;
    case "run-ended":
      return `the automation ended: ${entry.outcome ?? ""}`;
    case "handover":
      return `${handoverWords[state ?? ""] ?? (state ?? "").replace("_", " ")}${words ? `: ${words}` : ""}`;
    case "dropped":
      return `${count ?? 0} entries were left out`;
    case "end":
      return `the session ended: ${entry.reason ?? ""}`;
  }
}

function describeTarget({ target }: TimelineEntry): string {
  if (!target) return "the page";
  const { role, name } = target;
  if (role === null) return name === "" ? "an element" : `“${name}”`;
  return name === "" ? role : `${role} “${name}”`;
}

function describeValue({ value, withheld }: TimelineEntry): string {
  return withheld === undefined ? `“${value ?? ""}”` : `a ${withheld} (not kept)`;
}
