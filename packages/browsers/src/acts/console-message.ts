import { asText, type Fields, isFields } from "../devtools/message.ts";
import type { PageEvent } from "./page-event.ts";

const maxCharacters = 2_000;
const maxArguments = 20;

/** Marker that Playwright writes to the console when it has set the content of a page. */
const ofDriver = "--playwright--";

/** Reads a message that a page wrote to its console; undefined for one of a driver. */
export function consoleMessage({ type, args, stackTrace }: Fields, tab: number): PageEvent | undefined {
  const values: readonly unknown[] = Array.isArray(args) ? args.slice(0, maxArguments) : [];
  const frames = isFields(stackTrace) ? stackTrace["callFrames"] : undefined;
  const top: unknown = Array.isArray(frames) ? frames[0] : undefined;
  const { url, lineNumber } = isFields(top) ? top : {};
  const text = values.map(formatText).join(" ").slice(0, maxCharacters);
  if (text.startsWith(ofDriver)) return undefined;
  return {
    kind: "console",
    tab,
    level: asText(type) ?? "log",
    text,
    url: asText(url) ?? "",
    line: typeof lineNumber === "number" ? lineNumber + 1 : 0,
  };
}

function formatText(argument: unknown): string {
  if (!isFields(argument)) return "";
  const { value, description, unserializableValue, type } = argument;
  if (typeof value === "string") return value.slice(0, maxCharacters);
  if (value !== undefined) return (JSON.stringify(value) ?? "").slice(0, maxCharacters);
  return (asText(unserializableValue) ?? asText(description) ?? asText(type) ?? "").slice(0, maxCharacters);
}
