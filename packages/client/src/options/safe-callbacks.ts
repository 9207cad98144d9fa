import type { AutomationStreamOptions, Broken, Outcome } from "@cloud-browser/stream";
import type { Redact } from "../errors/redaction.ts";

/** Callbacks of the reading of a stream. */
type Callbacks = Pick<AutomationStreamOptions, "onReport" | "onOutcome">;

/**
 * Wraps the callbacks of a caller: what these fail with, and the reason of an abort, are causes of the stream's errors, and made safe
 * to log before the caller gets them.
 *
 * @param redact - makes a cause safe to log
 * @param settle - called with the outcome, too; the caller's callback is called even if this fails
 */
export function safeCallbacks(
  { onReport, onOutcome }: Callbacks,
  redact: Redact,
  settle?: (outcome: Outcome) => unknown,
): Callbacks {
  return {
    onReport: onReport && ((report) => callBack(redact, () => onReport(report))),
    onOutcome(outcome) {
      const { error }: Partial<Broken> = outcome.type === "broken" ? outcome : {};
      // The reason of the caller's signal. The error comes here before the iteration throws it.
      if (error?.code === "aborted") error.cause = redact(error.cause);
      return callBack(
        redact,
        () => settle?.(outcome),
        () => onOutcome?.(outcome),
      );
    },
  };
}

/** Calls functions of the caller's, all of them even if one fails; rejects with the first error. */
export async function callBack(redact: Redact, ...acts: (() => unknown)[]): Promise<void> {
  await Promise.all(acts.map(async (act) => act())).catch((thrown: unknown) => {
    throw redact(thrown);
  });
}
