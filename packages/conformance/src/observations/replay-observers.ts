import { isAnswerTo, type Exchange } from "../http/exchange.ts";
import { describeFields } from "./http-observers.ts";
import { listObjects } from "./json-fields.ts";
import { observeEach, observePair, type Observer } from "../checks/observer.ts";

/** Describes the notation of a timestamp. */
function describeTimestamp(text: string): string {
  const [, time = "", fraction = "", offset = ""] = /T([\d:]+)(?:[.,](\d+))?(.*)$/i.exec(text) ?? [];
  const notation = offset.replace(/^[+-]/, "±").replace(/\d\d/, "hh").replace(/\d\d/, "mm");
  const seconds = /^\d\d:?\d\d$/.test(time) ? "no seconds" : `${fraction.length} digits after the second`;
  return `offset written as ${notation || "nothing"}, ${seconds}`;
}

/** Describes a playlist by its tags, without an address. */
function describePlaylist(exchange: Exchange): string[] {
  if (!isAnswerTo("session_replay", exchange)) return [];
  return listObjects(exchange, 200, []).flatMap(({ playlist_content: text }) => {
    if (typeof text !== "string") return [];
    const findValue = (tag: string): string => new RegExp(`^#EXT-X-${tag}:\\s*(\\d+)`, "m").exec(text)?.[1] ?? "none";
    const names = text.split(/[\r\n]+/).filter((line) => line !== "" && !line.startsWith("#"));
    const endings = names.map((line) => /\.(\w{1,5})(?:[?#]|$)/.exec(line)?.[1]?.toLowerCase() ?? "no extension");
    const section = `${text.includes("#EXT-X-MAP") ? "with" : "without"} an initialization section`;
    return [
      `version ${findValue("VERSION")}, target duration ${findValue("TARGETDURATION")}`,
      `segments: ${[...new Set(endings)].sort().join(", ") || "none"}, ${section}`,
      `segments: ${text.includes("#EXT-X-KEY") ? "encrypted" : "not encrypted"}`,
    ];
  });
}

/** Names the fields that differ between two reads. */
function describeDifferences(one: Exchange, other: Exchange): string[] {
  const [before] = listObjects(one, 200, []);
  const [after] = listObjects(other, 200, []);
  if (!before || !after) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return [changed.length === 0 ? "two reads in a row: the same" : `two reads in a row differ in ${changed.join(", ")}`];
}

/** Observers of what the interface leaves open about the replay. */
export const replayObservers: readonly Observer[] = [
  observeEach("open.replay.error-responses", (exchange) =>
    isAnswerTo("session_replay", exchange) && exchange.response?.status !== 200 ? describeFields(exchange) : [],
  ),
  observeEach("open.replay.expires_at-offset", (exchange) => {
    if (!isAnswerTo("session_replay", exchange)) return [];
    const [replay] = listObjects(exchange, 200, []);
    const expires = replay?.["expires_at"];
    return typeof expires === "string" ? [describeTimestamp(expires)] : [];
  }),
  observeEach("open.replay.playlist-form", describePlaylist),
  observePair("open.replay.repeated-reads", ["replay/read", "replay/read-again-2"], describeDifferences),
];
