import { combine, nothingSeen, verdict, type Check, type Judgement } from "../../check.ts";
import { replayProbeIds } from "../replay.ts";
import { isAnswerOf, type Exchange } from "../../../http/exchange.ts";
import type { Target } from "../../../target/target.ts";
import { judgeDuration, type Precision } from "./duration.ts";
import { playlistDurationMs, readPlaylist, type Playlist } from "./media/playlist.ts";
import { readReplay } from "./replay-fields.ts";
import { recordingReadProbe } from "./recording-probe.ts";

/** Options of checks on a replay answer alone, without a download: they apply to each one, whatever its probe. */
const base = {
  appliesTo: (exchange: Exchange): boolean => isAnswerOf("session_replay", exchange),
  probes: [recordingReadProbe.id, ...replayProbeIds],
} as const;

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
  const about = { requirement: "replay.playlist_content.meaning", where: "body /playlist_content" };
  if (addresses.length === 0) {
    const received = problem === undefined ? "an empty list" : `a text that can't be read (${problem})`;
    return verdict(false, { ...about, expected: "a list of segments, or of playlists of them", received });
  }
  const ofKeys = new Set(keys);
  return combine(
    addresses.map((address, index) => {
      const isAbsolute = URL.canParse(address);
      return verdict(isAbsolute && (ofKeys.has(address) || isWeb(address)), {
        ...about,
        where: `${about.where} (address ${index + 1})`,
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
    requirement: "replay.playlist_content.media-playlist",
    where: "body /playlist_content",
    expected: "a list of segments",
    received: "a list of other playlists",
  });
}

function judgeRequired({ missing, segments, isMaster }: Playlist): Judgement {
  if (segments.length === 0 && !isMaster) return nothingSeen("The playlist lists nothing that can be read.");
  return verdict(missing === undefined, {
    requirement: "replay.playlist_content.required-tags",
    where: "body /playlist_content",
    expected: "an HLS playlist, with every tag that its standard requires",
    received: `one without ${missing}`,
  });
}

function judgeRules({ problem, missing, segments, isMaster }: Playlist): Judgement {
  if (segments.length === 0 && !isMaster) return nothingSeen("The playlist lists nothing.");
  if (missing !== undefined) return nothingSeen("It lacks what every playlist needs; another check reports that.");
  return verdict(problem === undefined, {
    requirement: "replay.playlist_content.rfc-8216",
    where: "body /playlist_content",
    expected: "a playlist as RFC 8216 has it",
    received: `one that breaks a rule of it: ${problem}`,
  });
}

function judgeEnd({ segments, isMaster, hasEnd }: Playlist): Judgement {
  if (segments.length === 0 || isMaster) return nothingSeen("The playlist lists no segments.");
  return verdict(hasEnd, {
    requirement: "replay.playlist_content.ended",
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

function judgePlaylistDuration(exchange: Exchange, target: Target, precision: Precision): Judgement {
  return onPlaylist(exchange, target, (playlist) => {
    const durationMs = playlistDurationMs(playlist);
    if (durationMs === undefined) return nothingSeen("The playlist lists no segments.");
    if (precision === "frames" && playlist.missing !== undefined)
      return nothingSeen("The playlist lacks what another check asks for, so its segments have no length.");
    const replay = readReplay(exchange);
    const slackMs = playlist.segments.length * segmentRoundingMs(replay["playlist_content"]);
    return judgeDuration(replay, durationMs, "the playlist", slackMs, precision);
  });
}

/** Checks of the playlist that a replay holds. Source: interface § ReplayResponse. */
export const playlistChecks: readonly Check[] = [
  {
    ...base,
    id: "recording/playlist-lists-segments",
    title: "The playlist lists segments, or playlists of them, each with an address of its own.",
    requirements: ["replay.playlist_content.meaning"],
    judge: (exchange, target) => onPlaylist(exchange, target, (playlist) => judgeAddresses(playlist, exchange)),
  },
  {
    ...base,
    id: "recording/playlist-is-media",
    title: "The playlist lists segments itself, and no other playlists.",
    requirements: ["replay.playlist_content.media-playlist"],
    judge: (exchange, target) => onPlaylist(exchange, target, judgeKind),
  },
  {
    ...base,
    id: "recording/playlist-has-required-tags",
    title: "The playlist has the tags that no HLS playlist can do without.",
    requirements: ["replay.playlist_content.required-tags"],
    judge: (exchange, target) => onPlaylist(exchange, target, judgeRequired),
  },
  {
    ...base,
    id: "recording/playlist-follows-rfc-8216",
    title: "The playlist breaks no rule of RFC 8216.",
    requirements: ["replay.playlist_content.rfc-8216"],
    judge: (exchange, target) => onPlaylist(exchange, target, judgeRules),
  },
  {
    ...base,
    id: "recording/playlist-has-end",
    title: "The playlist of a session that has ended says that no segment will follow.",
    requirements: ["replay.playlist_content.ended"],
    judge: (exchange, target) => onPlaylist(exchange, target, judgeEnd),
  },
  {
    ...base,
    id: "recording/playlist-duration",
    title: "`video_duration_ms` is how long all segments of the playlist last.",
    requirements: ["replay.video_duration_ms.meaning"],
    judge: (exchange, target) => judgePlaylistDuration(exchange, target, "near"),
  },
  {
    ...base,
    id: "recording/playlist-duration-exact",
    title: "`video_duration_ms` is, to the second, how long all segments of the playlist last.",
    requirements: ["replay.video_duration_ms.exact"],
    judge: (exchange, target) => judgePlaylistDuration(exchange, target, "second"),
  },
  {
    ...base,
    id: "recording/playlist-duration-to-the-frame",
    title: "`video_duration_ms` is, to some frames, how long all segments of the playlist last.",
    requirements: ["replay.video_duration_ms.to-the-frame"],
    judge: (exchange, target) => judgePlaylistDuration(exchange, target, "frames"),
  },
];
