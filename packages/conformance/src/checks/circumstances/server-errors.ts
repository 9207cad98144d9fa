import { nothingSeen, verdict, type Check } from "../check.ts";
import type { Operation } from "../../contract/contract.ts";
import { openProbeIdsOf } from "./open-requests.ts";

const requirement = "answers.no-server-error";

/** The session-scoped operations, and the first part of the ids of their checks. */
const operations: readonly (readonly [operation: Operation, word: string])[] = [
  ["page_scrape", "scrape"],
  ["session_cookies", "cookies"],
  ["session_replay", "replay"],
];

/** Statuses of a server that can't go on, and not of one that asks to wait. */
const isServerError = (status: number): boolean => status >= 500 && status !== 501 && status !== 503;

/**
 * Checks that what the interface leaves open is answered or refused, and breaks nothing. Requests about which something is stated have
 * checks of their own.
 */
export const serverErrorChecks: readonly Check[] = operations.map(([operation, word]) => ({
  id: `${word}/no-server-error`,
  title: "A request whose answer is left open is answered or refused, but not by an error of the server.",
  requirements: [requirement],
  level: "assumed",
  operation,
  probes: openProbeIdsOf(operation),
  needs: [],
  judge: ({ response }) =>
    response === undefined
      ? nothingSeen("No response came.")
      : verdict(!isServerError(response.status), {
          requirement,
          where: "status",
          expected: "an answer, or a refusal",
          received: String(response.status),
        }),
}));
