import { expect, test } from "vitest";
import { PageContentError } from "@cloud-browser/page-content";
import { tryAgainWhenBusy } from "../../src/sessions/scrape-session.ts";

const late = new PageContentError("page-failed", "The page did not respond.");
const times = { askEveryMs: 5, busyMs: 50 };

/** A browser that answers when it is told to, and how often it was asked. */
function browser(): {
  readonly context: { cookies: () => Promise<[]> };
  readonly called: Promise<void>;
  free: () => void;
} {
  const [called, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const cookies = async (): Promise<[]> => {
    called.resolve();
    await freed.promise;
    return [];
  };
  return { context: { cookies }, called: called.promise, free: freed.resolve };
}

const longer = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test("what failed while the browser did not answer is tried again, once", async () => {
  for (const isStillBusy of [false, true]) {
    const { context, called, free } = browser();
    let tries = 0;
    const attempt = async (): Promise<string> => {
      tries += 1;
      if (tries > 1) return "done";
      await called;
      await longer(2 * times.busyMs);
      if (!isStillBusy) free();
      throw late;
    };
    expect(await tryAgainWhenBusy(context, attempt, times)).toBe("done");
    expect(tries).toBe(2);
  }
});

test("the second failure is final", async () => {
  const { context, called } = browser();
  let tries = 0;
  const attempt = async (): Promise<never> => {
    tries += 1;
    await called;
    await longer(2 * times.busyMs);
    throw late;
  };
  await expect(tryAgainWhenBusy(context, attempt, times)).rejects.toBe(late);
  expect(tries).toBe(2);
});

test.each<readonly [what: string, error: Error, isFree: boolean]>([
  ["a page that does not respond in a browser that does", late, true],
  ["a malformed selector", new PageContentError("bad-selector", "Malformed."), false],
  ["a fault of the service", new TypeError("no"), false],
])("%s gets no second try", async (_, error, isFree) => {
  const { context, called, free } = browser();
  if (isFree) free();
  let tries = 0;
  const attempt = async (): Promise<never> => {
    tries += 1;
    await called;
    if (!isFree) await longer(2 * times.busyMs);
    throw error;
  };
  await expect(tryAgainWhenBusy(context, attempt, times)).rejects.toBe(error);
  expect(tries).toBe(1);
});
