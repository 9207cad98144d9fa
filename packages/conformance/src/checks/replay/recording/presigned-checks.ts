import { combine, nothingSeen, verdict, type Check, type Judgement } from "../../check.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { timestampNotation } from "../../../contract/timestamp.ts";
import { readPlaylist } from "./media/playlist.ts";
import { areComparable, findExpiry, findUnsigned, type PresignedAddress } from "./presigned.ts";
import { readReplay, makeReplayCheck } from "./replay-fields.ts";

/** The absolute addresses of a replay. */
interface Addresses {
  readonly mp4: PresignedAddress | undefined;
  /** Those of segments and initialization sections. */
  readonly playlist: readonly PresignedAddress[];
}

function findAddress(where: string, text: unknown): PresignedAddress | undefined {
  const url = typeof text === "string" ? URL.parse(text) : null;
  return url && /^https?:$/.test(url.protocol) ? { where, url } : undefined;
}

function collectAddresses(exchange: Exchange): Addresses {
  const { mp4_url: mp4, playlist_content: text } = readReplay(exchange);
  const { segments, maps } = readPlaylist(typeof text === "string" ? text : "");
  const playlist = [...segments.map(({ address }) => address), ...maps];
  return {
    mp4: findAddress("body /mp4_url", mp4),
    playlist: playlist.flatMap((one, at) => findAddress(`body /playlist_content (address ${at + 1})`, one) ?? []),
  };
}

function judgeAlike(exchange: Exchange): Judgement {
  const { mp4, playlist } = collectAddresses(exchange);
  if (!areComparable([...(mp4 ? [mp4] : []), ...playlist]))
    return nothingSeen("No two addresses are at the same host.");
  const findings = findUnsigned(mp4, playlist).map(({ where }) => ({
    where,
    expected: "an address with the query parameters of the others at the same host",
    received: "one that has none of them",
  }));
  return { seen: 1, findings };
}

/**
 * Largest time, in milliseconds, by which an address may expire before `expires_at` and after it: signing takes time, and one may round.
 */
const earlierMs = 60_000;
const laterMs = 15 * 60_000;

function judgeExpiry(exchange: Exchange): Judgement {
  const { expires_at: text } = readReplay(exchange);
  const at = typeof text === "string" && timestampNotation(text) !== "day" ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return nothingSeen("No `expires_at` came that is a time.");
  const { mp4, playlist } = collectAddresses(exchange);
  return combine(
    [...(mp4 ? [mp4] : []), ...playlist].flatMap((address) => {
      const own = findExpiry(address);
      if (own === undefined) return [];
      const seconds = Math.round((own - at) / 1000);
      return verdict(own >= at - earlierMs && own <= at + laterMs, {
        where: address.where,
        expected: "an address that expires at `expires_at`",
        received: `one that says itself that it expires ${Math.abs(seconds)} s ${seconds < 0 ? "before" : "after"} that`,
      });
    }),
    "No address says itself when it expires.",
  );
}

/** Checks that the addresses of a replay agree with each other, and with `expires_at`. Source: interface § ReplayResponse, § Limits. */
export const presignedChecks: readonly Check[] = [
  makeReplayCheck("addresses-signed-alike", judgeAlike),
  makeReplayCheck("addresses-expire-as-told", judgeExpiry),
];
