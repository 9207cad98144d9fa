/**
 * Waits for a click or a key. One that closes its own page has been done, though Playwright, which waits for an answer of the page, mostly
 * calls that a failure. An act whose page is closed before it began fails as ever.
 */
export async function untilDone(act: Promise<void>): Promise<void> {
  await act.catch((error: unknown) => {
    if (!(error instanceof Error && isClosedByIt(error.message))) throw error;
  });
}

/** Tells whether a message of Playwright, with its log, says that a page was closed after the last try to act had begun. */
function isClosedByIt(message: string): boolean {
  const [failure = "", ...log] = message.split("\n");
  if (!failure.includes("has been closed")) return false;
  if (failure.startsWith("keyboard.press:")) return true; // which waits for nothing before it acts, and has no log
  const lastTry = log.findLast((line) =>
    /^\S*\s+- (?:performing|retrying) |^\S*\s+- elementHandle\.press\(/.test(line),
  );
  return lastTry !== undefined && !lastTry.includes("- retrying ");
}
