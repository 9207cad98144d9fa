import { jsonAnswer, type Exchange } from "../http/exchange.ts";

/** Returns the last name of each `loc` of a 422 response. Empty for other responses, and for bodies that can't be read. */
export function rejectedFields(exchange: Exchange): string[] {
  const body = jsonAnswer(exchange, 422);
  if (!("value" in body)) return [];
  const detail = member(body.value, "detail");
  if (!Array.isArray(detail)) return [];
  return detail.flatMap((problem: unknown) => {
    const loc = member(problem, "loc");
    const names = Array.isArray(loc) ? loc.filter((part) => typeof part === "string") : [];
    return names.slice(-1);
  });
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
