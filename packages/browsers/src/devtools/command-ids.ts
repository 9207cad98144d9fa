import { firstOwnId } from "./message.ts";

/**
 * Numbers of commands on the one connection to a browser, by who sends them: an answer is told to whoever has its number. The
 * driver counts from 1, and no client of the relay may use one from `firstOwnId` on.
 */
export const commandIds = {
  securityKeys: { after: firstOwnId, before: 1_200_000_000 },
  passwordFields: { after: 1_200_000_000, before: 1_400_000_000 },
  locales: { after: 1_400_000_000, before: 1_500_000_000 },
  /** All channels of relays together. */
  channels: { after: 1_500_000_000, before: 2_100_000_000 },
} as const;
