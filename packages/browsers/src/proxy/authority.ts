import { isIPv6 } from "node:net";
import { type Address, parseAddress } from "./addresses.ts";

/** Host and port that a request is for. */
export interface Authority {
  /** The host as people write it: a name in lower case without a dot at the end, IPv4, or IPv6 in brackets. */
  readonly host: string;
  /** 1 to 65535. */
  readonly port: number;
  /** The host, when it is an address. */
  readonly address: Address | undefined;
}

const longestName = 253;
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Last label of a host that the WHATWG URL standard reads as a number: then the host has to be an IPv4 address. */
const numberLabel = /^(?:\d+|0x[0-9a-f]*)$/;

/**
 * Reads `host`, `host:port` or `[v6]:port`.
 *
 * @param defaultPort - What no port stands for; undefined where there has to be one.
 * @returns undefined when it is none, and for a host that resolvers read as an address although it is not written as one (`0x7f.1`, `2130706433`, `127.0.0.1.`).
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

/** Tells whether it is a host's name in lower case that no resolver takes for an address. */
export function isHostName(name: string): boolean {
  const labels = name.split(".");
  const last = labels.at(-1) ?? "";
  return name.length <= longestName && labels.every((part) => label.test(part)) && !numberLabel.test(last);
}
