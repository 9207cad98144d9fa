import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A parsed IP address. IPv4-mapped IPv6 (`::ffff:192.0.2.1`) becomes IPv4. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Parses an IP address: an IPv4 literal in dotted decimal without leading zeros, or an IPv6 literal without a zone.
 *
 * @returns undefined for everything else, even where an operating system would read an address (`127.1`, `0x7f000001`, `fe80::1%eth0`).
 */
export function parseAddress(text: string): IpAddress | undefined {
  const version = isIP(text);
  if (version === 0 || text.includes("%")) return undefined;
  if (version === 4) return ipaddr.IPv4.parse(text);
  // ipaddr.js takes ::192.0.2.1 for ::ffff:192.0.2.1, so it never sees the dotted form.
  const address = ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1));
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** The IPv6 range that global unicast addresses are allocated from. */
const globalUnicast = { first: ipaddr.IPv6.parse("2000::"), bits: 3 };

/** Global addresses of cloud metadata services: Azure's. */
const metadataAddresses: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** Descriptions of the ranges of ipaddr.js. */
const rangeNames: Readonly<Record<string, string>> = {
  unspecified: "the unspecified address",
  broadcast: "a broadcast address",
  multicast: "a multicast address",
  linkLocal: "a link-local address",
  loopback: "a loopback address",
  carrierGradeNat: "a carrier-grade NAT address",
  private: "a private address",
  uniqueLocal: "a unique local address",
  deprecatedSiteLocal: "a site-local address",
  benchmarking: "a benchmarking address",
};

/**
 * Returns why an address is not global unicast, such as "a private address"; undefined if it is.
 * 6to4, Teredo and the NAT64 prefix of a local network are never global; the well-known NAT64 prefix and ISATAP count as the address that
 * they embed.
 */
export function nonGlobalReason(address: IpAddress): string | undefined {
  if (metadataAddresses.has(address.toString())) return "a cloud metadata address";
  const range = address.range();
  if (address instanceof ipaddr.IPv4) return range === "unicast" ? undefined : formatName(range);
  const wrapped = wrappedIPv4(address);
  if (wrapped !== undefined) {
    const reason = nonGlobalReason(wrapped);
    if (reason !== undefined) return `${reason} embedded in IPv6`;
    if (isWellKnownNat64(address)) return undefined;
  }
  if (range !== "unicast") return formatName(range);
  return address.match(globalUnicast.first, globalUnicast.bits) ? undefined : "not a routable address";
}

function formatName(range: string): string {
  return rangeNames[range] ?? "a reserved address";
}

function isWellKnownNat64(address: ipaddr.IPv6): boolean {
  return address.match(ipaddr.IPv6.parse("64:ff9b::"), 96);
}

/** Returns the IPv4 address in the last 32 bits of NAT64, ISATAP and IPv4-compatible addresses. */
function wrappedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const { parts } = address;
  const isIsatap = parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);
  const isCompatible = address.match(ipaddr.IPv6.parse("::"), 96) && address.range() === "unicast";
  return isWellKnownNat64(address) || isIsatap || isCompatible
    ? new ipaddr.IPv4(address.toByteArray().slice(12))
    : undefined;
}
