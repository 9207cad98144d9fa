/** Bound of an action, as Playwright takes it. */
export interface ActOptions {
  /** Longest time, in milliseconds. */
  readonly timeout: number;
  /** Aborts it. */
  readonly signal: AbortSignal;
}

/**
 * Waits for a click or a key press. If it closes its own page, it succeeded, although Playwright, which waits for the page, usually
 * reports a failure. It fails if the page was closed before it began.
 */
export async function awaitPerformed(act: Promise<void>): Promise<void> {
  await act.catch((error: unknown) => {
    if (!(error instanceof Error && isClosedByIt(error.message))) throw error;
  });
}

/** Returns whether Playwright's message, with its call log, says that the page was closed after the last attempt had begun. */
function isClosedByIt(message: string): boolean {
  const [failure = "", ...log] = message.split("\n");
  if (!failure.includes("has been closed")) return false;
  if (failure.startsWith("keyboard.press:")) return true; // it does not wait before it acts, and has no call log
  const lastTry = log.findLast((line) =>
    /^\S*\s+- (?:performing|retrying) |^\S*\s+- elementHandle\.press\(/.test(line),
  );
  return lastTry !== undefined && !lastTry.includes("- retrying ");
}
