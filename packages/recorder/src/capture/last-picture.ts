import type { WakeableSleep } from "../async.ts";
import type { ScreencastFrame, Screencast } from "./screencast.ts";

/** Timeout of the last picture at the end of a capture, in milliseconds. */
const lastPictureMs = 200;

/**
 * Timeout of the last picture when it is the only one, in milliseconds: a session that showed a page has a replay, however busy the
 * machine is.
 */
export const onlyPictureMs = 10_000;

/**
 * Takes a last picture of a page: the first frame of a screencast that is started again. For the only picture of a session, requests a
 * screenshot as well, which a busy browser answers while it draws no frames. Resolves with undefined when none comes in time.
 *
 * @param sleep - Ends when a frame comes.
 * @param onlyUntilMs - Until when the only picture is waited for, by `performance.now()`; undefined when there is another one.
 */
export async function takeLast(
  screencast: Screencast,
  sleep: WakeableSleep,
  onlyUntilMs: number | undefined,
): Promise<ScreencastFrame | undefined> {
  const { page } = screencast;
  const isOnly = onlyUntilMs !== undefined;
  const deadlineMs = onlyUntilMs ?? performance.now() + lastPictureMs;
  const mostMs = Math.max(0, deadlineMs - performance.now());
  const restart = async (): Promise<void> => {
    if (screencast.isStarted) await screencast.stop();
    await screencast.start();
  };
  void restart().catch(() => undefined);
  let screenshot: ScreencastFrame | undefined;
  if (isOnly) {
    void screencast.screenshot(mostMs, true).then((picture) => {
      screenshot = picture;
      sleep.wake();
    });
  }
  const wake = (): void => sleep.wake();
  page.once("close", wake);
  try {
    for (let leftMs = mostMs; leftMs > 0 && !page.isClosed(); leftMs = deadlineMs - performance.now()) {
      const frame = screencast.take() ?? screenshot;
      if (frame) return frame;
      await sleep.sleep(leftMs);
    }
    return undefined;
  } finally {
    page.off("close", wake);
  }
}
