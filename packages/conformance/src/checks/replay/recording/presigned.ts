import { readReplay } from "../replay-status.ts";
import { combine, nothingSeen, verdict, type Check, type Judgement } from "../../check.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { timestampNotation } from "../../../contract/timestamp.ts";
import { readPlaylist } from "./media/playlist.ts";
import { makeReplayCheck } from "./recording-probe.ts";

/** An address of a recording, and its place in the answer. */
export interface PresignedAddress {
  /** Place in the answer, for findings. */
  readonly where: string;
  /** The address. */
  readonly url: URL;
}

const listNames = ({ url }: PresignedAddress): Set<string> => new Set(url.searchParams.keys());

const atHosts = (addresses: readonly PresignedAddress[]): PresignedAddress[][] => [
  ...Map.groupBy(addresses, ({ url }) => url.origin).values(),
];

/** Query parameters that half of the addresses have, or more. */
function usualNames(addresses: readonly PresignedAddress[]): ReadonlySet<string> {
  const counts = Map.groupBy(
    addresses.flatMap((address) => [...listNames(address)]),
    (name) => name,
  );
  return new Set([...counts].flatMap(([name, { length }]) => (length * 2 >= addresses.length ? [name] : [])));
}

const lacksAll = (names: ReadonlySet<string>, address: PresignedAddress): boolean =>
  names.size > 0 && ![...listNames(address)].some((name) => names.has(name));

/** Shortest part of a path that may be a signature, in characters. */
const tokenLength = 20;

/** Returns whether the path of an address has a part that may sign it, and that another address does not have. */
function isSignedByPath({ url }: PresignedAddress, other: PresignedAddress): boolean {
  const parts = new Set(other.url.pathname.split("/"));
  return url.pathname.split("/").some((part) => part.length >= tokenLength && !parts.has(part));
}

/**
 * Returns the addresses that lack what signs the others at the same host: how an address is signed is not shown, but a host signs its
 * own alike. Those of a playlist are compared with each other; that of the MP4 may have other parameters, but not none, and so may they.
 *
 * @param playlist - Addresses of the playlist.
 */
function findUnsigned(mp4: PresignedAddress | undefined, playlist: readonly PresignedAddress[]): PresignedAddress[] {
  return atHosts(playlist).flatMap((group) => {
    const names = usualNames(group);
    const bare = group.filter((address) => lacksAll(names, address));
    if (mp4 === undefined || mp4.url.origin !== group[0]?.url.origin) return bare;
    const isMp4Bare = listNames(mp4).size === 0 && !isSignedByPath(mp4, group[0]);
    if (names.size > 0 && isMp4Bare) return bare.concat(mp4);
    const isBare = group.every((address) => listNames(address).size === 0 && !isSignedByPath(address, mp4));
    return isBare && listNames(mp4).size > 0 ? group.slice(0, 1) : bare;
  });
}

/** Returns whether two addresses are at the same host, so that they can be compared. */
const areComparable = (addresses: readonly PresignedAddress[]): boolean =>
  atHosts(addresses).some(({ length }) => length > 1);

/** Time of a query parameter such as `20361121T093000Z`, in milliseconds since 1970. */
const basicTime = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));

/**
 * Returns the time at which an address expires by its own parameters, in milliseconds since 1970; undefined when it has none of the kind,
 * or in another form than stores have: the signatures of S3 and Google Cloud Storage (both versions), CloudFront and Azure.
 */
function findExpiry({ url: { searchParams: parameters } }: PresignedAddress): number | undefined {
  const byName = new Map([...parameters].map(([name, value]) => [name.toLowerCase(), value]));
  const from = (vendor: string): number =>
    basicTime(byName.get(`x-${vendor}-date`) ?? "") + Number(byName.get(`x-${vendor}-expires`) ?? Number.NaN) * 1000;
  const isKeyed =
    byName.has("signature") &&
    (byName.has("awsaccesskeyid") || byName.has("googleaccessid") || byName.has("key-pair-id"));
  const isAzure = byName.has("sig") && byName.has("sv");
  const times = [
    from("amz"),
    from("goog"),
    isKeyed ? Number(byName.get("expires") ?? Number.NaN) * 1000 : Number.NaN,
    isAzure ? Date.parse(byName.get("se") ?? "") : Number.NaN,
  ];
  return times.find((time) => Number.isFinite(time));
}

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
  return { assertions: 1, findings };
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
