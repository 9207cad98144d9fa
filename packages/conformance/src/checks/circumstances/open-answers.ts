import { header, jsonAnswer, type Exchange } from "../../http/exchange.ts";
import { isObject } from "../../http/json.ts";

/** Describes an answer: its status, the target of a redirect, and the methods in `Allow`. */
export function describeAnswer({ response, failure }: Exchange): string {
  if (!response) return `no answer (${failure?.code ?? "unknown"})`;
  const location = header(response, "location");
  const allow = header(response, "allow");
  const status = location === undefined ? String(response.status) : `${response.status} to ${location}`;
  return allow === undefined ? status : `${status}, allow: ${allow}`;
}

/** Describes what a scrape extracted: `success`, whether there is an error, and the type of the data. */
export function describeExtraction(structured: unknown): string {
  if (structured === undefined) return "structured absent";
  if (!isObject(structured)) return structured === null ? "structured null" : "structured of another type";
  const { success, error, data } = structured;
  const outcome = success === undefined ? "absent" : JSON.stringify(success);
  const kind = data === null || data === undefined ? "none" : Array.isArray(data) ? "a list" : `of type ${typeof data}`;
  return `success ${outcome}, ${typeof error === "string" ? "with" : "without"} an error, data ${kind}`;
}

/** Describes the status of a scrape, and what it extracted. */
export function extractionAnswer(exchange: Exchange): string {
  const body = jsonAnswer(exchange, 200);
  const extracted = "value" in body && isObject(body.value) ? `, ${describeExtraction(body.value["structured"])}` : "";
  return `${describeAnswer(exchange)}${extracted}`;
}

/** Describes the status of a scrape, and whether it brought any Markdown. */
export function markdownAnswer(exchange: Exchange): string {
  const body = jsonAnswer(exchange, 200);
  const markdown = "value" in body && isObject(body.value) ? body.value["markdown"] : undefined;
  if (typeof markdown !== "string") return describeAnswer(exchange);
  return `${describeAnswer(exchange)}, ${markdown.trim() === "" ? "empty Markdown" : "some Markdown"}`;
}
