/** Correct servers, each of which makes use of something that the interface leaves open. */
import { isObject, json, type Answer, type Json } from "../../targets/messages.ts";
import type { Setting } from "../../targets/run-suite.ts";
import { correctService, type Service } from "../../targets/service.ts";
import { changeAnswers, inJson, revise, type Operation } from "../../targets/parts.ts";

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

/** Another status, with a body in JSON. */
export const refusal =
  (status: number): (() => Answer) =>
  () =>
    json(status, { detail: "no" });

/** Adds headers to every answer. */
export const headers = (more: Readonly<Record<string, string>>): Partial<Service> =>
  changeAnswers(
    () => true,
    (answer) => ({ ...answer, headers: { ...answer.headers, ...more } }),
  );

/** Changes the JSON of the answers of one operation with one status. */
export const body = (operation: Operation, status: number, change: (value: Json) => Json): Partial<Service> =>
  revise(operation, status, inJson(change));

/** Scrapes, and adds to what it gives. */
export const scraping = (
  more: (options: ReadonlyMap<string, Json>) => Readonly<Record<string, Json>>,
): Partial<Service> => ({
  scrapes: (options, request) => {
    const space = correctService.scrapes(options, request);
    return { ...(isObject(space) ? space : {}), ...more(options) };
  },
});
