import { firstOwnId } from "./message.ts";

/**
 * Ranges of command ids on the one connection to a browser, by sender: a response goes to the sender of its id. The
 * driver counts from 1, and no client of the relay may use an id from `firstOwnId` on.
 */
export const commandIds = {
  /** All who watch the messages of the driver, together. */
  watchers: { after: firstOwnId, before: 1_500_000_000 },
  /** All channels of relays together. */
  channels: { after: 1_500_000_000, before: 2_100_000_000 },
} as const;
