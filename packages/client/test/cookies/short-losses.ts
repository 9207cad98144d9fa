import type { CookieLoss } from "../../src/cookies.ts";

/** Losses in short. */
export function shorten(losses: readonly CookieLoss[]): string[] {
  return losses.map(({ reason, field }) => `${reason} ${field}`);
}
