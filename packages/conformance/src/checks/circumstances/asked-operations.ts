import { makeCheck, coverAnswers } from "../make-check.ts";
import type { Check } from "../check.ts";
import type { Operation } from "../../contract/contract.ts";

/** An operation, the first part of the ids of its checks, and its request that every run sends. */
export interface AskedOperation {
  readonly operation: Operation;
  readonly word: string;
  readonly probe: string;
}

/** The operations whose answers are JSON: those of a session. */
export const jsonOperations: readonly AskedOperation[] = [
  { operation: "page_scrape", word: "scrape", probe: "scrape/defaults" },
  { operation: "session_cookies", word: "cookies", probe: "cookies/read" },
  { operation: "session_replay", word: "replay", probe: "replay/read" },
];

/** All operations. */
export const askedOperations: readonly AskedOperation[] = [
  ...jsonOperations,
  { operation: "automation_start", word: "automation", probe: "automation/run" },
];

/** Makes a check of all answers of an operation. */
export const makeAnswersCheck = (
  { operation, word, probe }: AskedOperation,
  name: string,
  judge: Check["judge"],
): Check => makeCheck(`${word}/${name}`, [probe], judge, coverAnswers(operation));
