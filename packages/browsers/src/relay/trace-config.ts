import { type Fields, isFields, readPositiveNumber, asText } from "../devtools/message.ts";

/** Allowed trace categories: those about pages. Others expose the browser and the machine, or take much memory. */
const allowedCategories =
  /^(?:devtools\.timeline|disabled-by-default-devtools\.[\w.-]+|(?:disabled-by-default-)?(?:v8|v8\.[\w.-]+|lighthouse|loading|rail|latencyInfo|toplevel|navigation|benchmark|cc|blink|blink\.[\w.-]+|blink_gc|interactions|input|input\.[\w.-]+|animations|content))$/;

/** Default categories, those of Chromium's own tools. */
const defaultCategories = [
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "disabled-by-default-devtools.timeline.frame",
  "blink.console",
  "blink.user_timing",
  "latencyInfo",
  "loading",
  "toplevel",
  "v8.execute",
];

/** Limit of Chromium's trace buffer, in KiB. */
const maxBufferKb = 64 * 1024;

/** Returns why trace parameters are refused; undefined if they are allowed. */
export function refusedTrace({
  transferMode,
  streamFormat,
  streamCompression,
  perfettoConfig,
}: Fields): string | undefined {
  if (perfettoConfig !== undefined) return "perfettoConfig traces the whole browser; use traceConfig.";
  if (streamFormat === "proto") return "Unsupported streamFormat; only json can be filtered by session.";
  if (streamCompression === "gzip") return "Unsupported streamCompression; traces are not compressed.";
  const modes: readonly unknown[] = [undefined, "ReportEvents", "ReturnAsStream"];
  return modes.includes(transferMode) ? undefined : "Unsupported transferMode; give ReportEvents or ReturnAsStream.";
}

/** Returns the trace parameters for Chromium. Always in events: a stream of Chromium can't be filtered. */
export function traceParams({ categories, traceConfig }: Fields): Fields {
  const config = isFields(traceConfig) ? traceConfig : {};
  const requested = asText(categories)?.split(",") ?? readList(config["includedCategories"]);
  const allowed = requested.map((category) => category.trim()).filter((category) => allowedCategories.test(category));
  const without = new Set(readList(config["excludedCategories"]));
  const includedCategories = (allowed.length > 0 ? allowed : defaultCategories).filter(
    (category) => !without.has(category),
  );
  const traceBufferSizeInKb = Math.min(readPositiveNumber(config["traceBufferSizeInKb"]) ?? maxBufferKb, maxBufferKb);
  return {
    transferMode: "ReportEvents",
    // Without "*" Chromium adds its default categories, most of which are about the browser.
    traceConfig: { includedCategories, excludedCategories: ["*"], traceBufferSizeInKb },
  };
}

const readList = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
