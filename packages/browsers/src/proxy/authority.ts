import { isIPv6 } from "node:net";
import { type IpAddress, parseAddress } from "./addresses.ts";

/** Host and port that a request is for. */
export interface Authority {
  /** The host: a name in lower case without trailing dot, IPv4, or IPv6 in brackets. */
  readonly host: string;
  /** 1 to 65535. */
  readonly port: number;
  /** The host as an IP address; undefined for a name. */
  readonly address: IpAddress | undefined;
}

const maxNameLength = 253;
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** A numeric last label, for which the WHATWG URL standard requires an IPv4 address. */
const numericLabel = /^(?:\d+|0x[0-9a-f]*)$/;

/**
 * Parses `host`, `host:port` or `[v6]:port`.
 *
 * @param defaultPort - Port if none is given; undefined if a port is required.
 * @returns undefined if it is malformed, and for a host that resolvers accept as a non-canonical IPv4 address (`0x7f.1`, `2130706433`,
 * `127.0.0.1.`).
 */
export function parseAuthority(text: string, defaultPort: number | undefined): Authority | undefined {
  const [, host = "", digits] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = digits === undefined ? defaultPort : Number(digits);
  if (port === undefined || port < 1 || port > 65_535) return undefined;
  if (host.startsWith("[")) {
    const inner = host.slice(1, -1);
    const address = isIPv6(inner) ? parseAddress(inner) : undefined;
    return address === undefined ? undefined : { host: host.toLowerCase(), port, address };
  }
  const address = parseAddress(host);
  if (address !== undefined) return { host, port, address };
  const name = host.toLowerCase().replace(/\.$/, "");
  return isHostName(name) ? { host: name, port, address: undefined } : undefined;
}

/** Returns whether it is a host name in lower case that no resolver accepts as an IP address. */
export function isHostName(name: string): boolean {
  const labels = name.split(".");
  const last = labels.at(-1) ?? "";
  return name.length <= maxNameLength && labels.every((part) => label.test(part)) && !numericLabel.test(last);
}
