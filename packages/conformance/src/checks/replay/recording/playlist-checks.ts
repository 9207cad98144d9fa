import { readReplay } from "../replay-status.ts";
import { combine, nothingSeen, verdict, type Check, type Judgement } from "../../check.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Target } from "../../../target/target.ts";
import { judgeDuration, type Precision } from "./duration.ts";
import { playlistDurationMs, readPlaylist, type Playlist } from "./media/playlist.ts";
import { makeReplayCheck } from "./recording-probe.ts";

/** Returns the reason why a replay need not cover a whole recording, such as a session that is still open. */
export function notWhole(
  { id, plan }: Exchange,
  { kind, lacks, sessionId, endedSessionId }: Target,
): string | undefined {
  if (id.startsWith("recording/")) return undefined; // the suite has ended the session itself
  const isOpen = sessionId !== endedSessionId && plan.path.startsWith(`/sessions/${encodeURIComponent(sessionId)}/`);
  if (isOpen) return "The session is still open.";
  return kind === "mock" ? "The example of a mock is not a recording." : lacks.get("ended-session");
}

function onPlaylist(exchange: Exchange, target: Target, judge: (playlist: Playlist) => Judgement): Judgement {
  const reason = notWhole(exchange, target);
  if (reason !== undefined) return nothingSeen(reason);
  const { playlist_content: text } = readReplay(exchange);
  if (typeof text !== "string") return nothingSeen("No `playlist_content` came.");
  const playlist = readPlaylist(text);
  return playlist.isPlaylist ? judge(playlist) : nothingSeen("The text is not an HLS playlist.");
}

/**
 * Returns whether an address is one of the web: addresses of the scheme `data:` can't be presigned, and those of files and blobs are of one
 * machine. A key may have any scheme.
 */
const isWeb = (address: string): boolean => /^https?:$/.test(URL.parse(address)?.protocol ?? "");

function judgeAddresses({ segments, maps, keys, variants, problem }: Playlist, exchange: Exchange): Judgement {
  const addresses = [...segments.map(({ address }) => address), ...maps, ...keys, ...variants];
  if (addresses.length === 0 && readReplay(exchange)["video_duration_ms"] === 0)
    return nothingSeen("The recording is empty, as its duration says.");
  const where = "body /playlist_content";
  if (addresses.length === 0) {
    const received = problem === undefined ? "an empty list" : `a text that can't be read (${problem})`;
    return verdict(false, { where, expected: "a list of segments, or of playlists of them", received });
  }
  const ofKeys = new Set(keys);
  return combine(
    addresses.map((address, index) => {
      const isAbsolute = URL.canParse(address);
      return verdict(isAbsolute && (ofKeys.has(address) || isWeb(address)), {
        where: `${where} (address ${index + 1})`,
        expected: "an absolute http(s) address: the text itself has none that others could be relative to",
        received: isAbsolute ? `an address with the scheme ${URL.parse(address)?.protocol}` : "a relative address",
      });
    }),
    "",
  );
}

function judgeKind({ segments, isMaster }: Playlist): Judgement {
  if (segments.length === 0 && !isMaster) return nothingSeen("The playlist lists nothing.");
  return verdict(!isMaster, {
    where: "body /playlist_content",
    expected: "a list of segments",
    received: "a list of other playlists",
  });
}

function judgeRequired({ missing, segments, isMaster }: Playlist): Judgement {
  if (segments.length === 0 && !isMaster) return nothingSeen("The playlist lists nothing that can be read.");
  return verdict(missing === undefined, {
    where: "body /playlist_content",
    expected: "an HLS playlist, with every tag that its standard requires",
    received: `one without ${missing}`,
  });
}

function judgeRules({ problem, missing, segments, isMaster }: Playlist): Judgement {
  if (segments.length === 0 && !isMaster) return nothingSeen("The playlist lists nothing.");
  if (missing !== undefined) return nothingSeen("It lacks what every playlist needs; another check reports that.");
  return verdict(problem === undefined, {
    where: "body /playlist_content",
    expected: "a playlist as RFC 8216 has it",
    received: `one that breaks a rule of it: ${problem}`,
  });
}

function judgeEnd({ segments, isMaster, hasEnd }: Playlist): Judgement {
  if (segments.length === 0 || isMaster) return nothingSeen("The playlist lists no segments.");
  return verdict(hasEnd, {
    where: "body /playlist_content",
    expected: "#EXT-X-ENDLIST: the session has ended, and a text can't be loaded again",
    received: "a playlist to which players wait for more",
  });
}

/** Returns the largest rounding error of one segment, in milliseconds: old HLS versions have whole seconds only, others as many decimals as are written. */
function segmentRoundingMs(text: unknown): number {
  const decimals = [...String(text).matchAll(/^#EXTINF:\d+(?:\.(\d+))?/gm)].map(([, digits = ""]) => digits.length);
  return 500 / 10 ** Math.max(0, ...decimals);
}

function judgePlaylistDuration(precision: Precision, playlist: Playlist, exchange: Exchange): Judgement {
  const durationMs = playlistDurationMs(playlist);
  if (durationMs === undefined) return nothingSeen("The playlist lists no segments.");
  if (precision === "frames" && playlist.missing !== undefined)
    return nothingSeen("The playlist lacks what another check asks for, so its segments have no length.");
  const replay = readReplay(exchange);
  const slackMs = playlist.segments.length * segmentRoundingMs(replay["playlist_content"]);
  return judgeDuration(replay, durationMs, "the playlist", slackMs, precision);
}

/** Makes a check of the playlist of every replay answer, whatever its probe. */
const makePlaylistCheck = (name: string, judge: (playlist: Playlist, exchange: Exchange) => Judgement): Check =>
  makeReplayCheck(`playlist-${name}`, (exchange, target) =>
    onPlaylist(exchange, target, (playlist) => judge(playlist, exchange)),
  );

/** Checks of the playlist that a replay holds. Source: interface § ReplayResponse. */
export const playlistChecks: readonly Check[] = [
  makePlaylistCheck("lists-segments", judgeAddresses),
  makePlaylistCheck("is-media", judgeKind),
  makePlaylistCheck("has-required-tags", judgeRequired),
  makePlaylistCheck("follows-rfc-8216", judgeRules),
  makePlaylistCheck("has-end", judgeEnd),
  makePlaylistCheck("duration", (...about) => judgePlaylistDuration("near", ...about)),
  makePlaylistCheck("duration-exact", (...about) => judgePlaylistDuration("second", ...about)),
  makePlaylistCheck("duration-to-the-frame", (...about) => judgePlaylistDuration("frames", ...about)),
];
