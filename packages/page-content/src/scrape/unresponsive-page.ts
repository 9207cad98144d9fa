import pTimeout from "p-timeout";
import type { PageCache } from "./scraped-page.ts";

/** Longest wait for an answer, and for the other one after it, in milliseconds. */
const waitMs = { first: 1_000, second: 200 } as const;

/**
 * Explains why a page has not responded in time, by two probes: one interrupts scripts, the other waits for them, and both wait for the
 * browser itself.
 */
export async function explainUnresponsive(scraped: PageCache): Promise<string> {
  // Where the page has never answered, the questions wait, too, whatever it does.
  if (!scraped.hasAnswered) return "a script keeps running, it is too large to be scraped, or a dialog is open";
  const ask = async (method: "Performance.getMetrics" | "Runtime.getIsolateId"): Promise<void> => {
    await (await scraped.session()).send(method);
  };
  const [interrupting, waiting] = [ask("Performance.getMetrics"), ask("Runtime.getIsolateId")];
  waiting.catch(() => undefined);
  if (!(await within(interrupting, waitMs.first)))
    return "it is too large to be scraped, or a dialog or a synchronous request is open";
  return (await within(waiting, waitMs.second))
    ? "it is too large to be scraped in that time"
    : "a script keeps running";
}

/** Returns whether there is an answer, of whatever kind, within a time. */
async function within(answer: Promise<void>, milliseconds: number): Promise<boolean> {
  const answered = answer.then(
    () => true,
    () => true,
  );
  return pTimeout(answered, { milliseconds, fallback: () => false });
}
