/** Correct servers, each of which makes use of something that the interface leaves open. */
import { isObject, json, operationOf, valueOf, type Answer, type Asked, type Json } from "../../targets/asked.ts";
import type { Setting } from "../../targets/run-suite.ts";
import { correctService, type Service } from "../../targets/service.ts";

/** One correct server. */
export interface OpenServer extends Setting {
  /** The row of what is left open that it makes use of. */
  readonly row: string;
  /** Behaviour, as the end of a sentence. */
  readonly does: string;
  readonly parts: Partial<Service>;
}

/** A row, and what servers do with it. */
export const leftOpen = (row: string, ways: Readonly<Record<string, Partial<Service>>>): OpenServer[] =>
  Object.entries(ways).map(([does, parts]) => ({ row, does, parts }));

/** The same, with more runs than one: what a run shows that its owner may not want to pay twice. */
export const inRuns = (row: string, ways: Readonly<Record<string, Partial<Service>>>): OpenServer[] =>
  leftOpen(row, ways).map((server) => Object.assign({ maxRuns: 8 }, server));

type Operation = ReturnType<typeof operationOf>;
type When = (asked: Asked, answer: Answer) => boolean;

/** Gives another answer where something is true of the request and of the answer to it. */
export const answering = (when: When, to: (answer: Answer, asked: Asked) => Answer): Partial<Service> => ({
  revises: (answer, asked) => (when(asked, answer) ? to(answer, asked) : answer),
});

/** Tells whether a response belongs to an operation and has a status. */
export const of =
  (operation: Operation, status: number): When =>
  (asked, answer) =>
    operationOf(asked) === operation && answer.status === status;

/** Another status, with a body in JSON. */
export const refusal =
  (status: number): (() => Answer) =>
  () =>
    json(status, { detail: "no" });

/** Adds headers to every answer. */
export const headers = (more: Readonly<Record<string, string>>): Partial<Service> =>
  answering(
    () => true,
    (answer) => ({ ...answer, headers: { ...answer.headers, ...more } }),
  );

/** Changes the JSON of the answers of one operation with one status. */
export const body = (operation: Operation, status: number, change: (value: Json) => Json): Partial<Service> =>
  answering(of(operation, status), (answer) => ({ ...answer, pieces: [JSON.stringify(change(valueOf(answer)))] }));

/** The cookies of a session. */
export const jar = (...cookies: Json[]): Partial<Service> => ({ cookies: () => ({ cookies }) });

/** Scrapes, and adds to what it gives. */
export const scraping = (
  more: (options: ReadonlyMap<string, Json>) => Readonly<Record<string, Json>>,
): Partial<Service> => ({
  scrapes: (options, asked) => {
    const given = correctService.scrapes(options, asked);
    return { ...(isObject(given) ? given : {}), ...more(options) };
  },
});

/** Adds members to every object, however deep it lies. */
export function extended(value: Json, more: Readonly<Record<string, Json>>): Json {
  if (Array.isArray(value)) return value.map((inner) => extended(inner, more));
  if (!isObject(value)) return value;
  return {
    ...Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, extended(inner, more)])),
    ...more,
  };
}

/** Tells whether a body is JSON. */
export function isJson({ body: text }: Asked): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
