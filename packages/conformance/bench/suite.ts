/** What the comparison needs of a suite. */

/** One run of a suite on one target. */
export interface Judgement {
  /** What it complained of, as sentences that are the same whenever the same is wrong. */
  readonly complaints: readonly string[];
  /** Why it came to no end; then this is a complaint as well. */
  readonly broke?: string;
}

/** One suite. */
export interface Suite {
  readonly name: string;
  /** What it is given, in a few words. */
  readonly input: string;
  /** Writes what it needs into a folder of its own; throws when it can't be started here. */
  readonly prepare: (folder: string) => Promise<void>;
  /** Judges the server at the address; `own` is an empty folder for this run. */
  readonly judge: (address: string, folder: string, own: string) => Promise<Judgement>;
}

/** How long one run may take. */
export const runLimitMs = 30_000;
/** How long a peer may wait for one answer, where it can be told. */
export const answerLimitMs = 5_000;

/** What every suite is told. */
export { apiKey, endedSession, openSession } from "../test/targets/service.ts";
