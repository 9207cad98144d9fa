import type { WakeableSleep } from "../async.ts";
import type { ScreencastFrame, Screencast } from "./screencast.ts";

/** How long the end of a capture waits for a last picture, in milliseconds. */
const lastPictureMs = 200;

/** The same while there is no picture at all: a session that showed a page has a replay, however busy the machine is. In milliseconds. */
export const onlyPictureMs = 10_000;

/**
 * Takes a last picture of a page: the first frame of a screencast that is started again. When it is the only picture of its session, a
 * screenshot is asked for as well, for a busy browser answers that while it draws no frames. Undefined when none comes in time.
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
