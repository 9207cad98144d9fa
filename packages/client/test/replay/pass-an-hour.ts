import { onTestFinished, vi } from "vitest";
import type { DownloadProgress } from "../../src/replay.ts";

const now = Date.now.bind(Date);

/** Lets the clock pass the expiry of a replay as soon as there are bytes, until the test is over. */
export function passAnHour({ receivedBytes }: DownloadProgress): void {
  if (!receivedBytes || Date.now() > now() + 1_000_000) return;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + 3_600_000);
  onTestFinished(() => clock.mockRestore());
}
