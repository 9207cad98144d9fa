/** Correct servers, each of which makes use of something that the interface leaves open. */
import { inJson } from "../../targets/changes.ts";
import type { CorrectTarget } from "../../targets/correct/correct-target.ts";
import { listRows, type Table } from "../../targets/fault.ts";
import { isObject, type Json, type Subject } from "../../targets/messages.ts";
import { revise } from "../../targets/parts.ts";
import type { Parts } from "../../targets/service.ts";

/** One correct server. */
export interface OpenServer extends CorrectTarget {
  /** The row of what is left open that it makes use of. */
  readonly row: string;
}

/**
 * Lists servers, by the row and by what they do.
 *
 * @param maxRuns - Runs that may be started: what several show, their owner may not want to pay. Default: 1.
 */
export const leaveOpen = (table: Table<Parts>, maxRuns?: number): OpenServer[] =>
  listRows(table, (row, does, parts) => ({ row, does, parts, ...(maxRuns === undefined ? {} : { maxRuns }) }));

/** Changes the JSON of the answers to one subject. */
export const reviseJson = (subject: Subject, change: (value: Json) => Json): Parts => revise(subject, inJson(change));

/** Changes what is wrong with a page scrape. */
export const reviseProblems = (change: (problems: Json[]) => Json[]): Parts =>
  reviseJson("scrape-invalid", (value) => ({
    detail: change(isObject(value) && Array.isArray(value["detail"]) ? value["detail"] : []),
  }));
