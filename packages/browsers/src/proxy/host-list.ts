import { domainToASCII } from "node:url";
import ipaddr from "ipaddr.js";
import { BrowserError } from "../browser-error.ts";
import { type IpAddress, parseAddress } from "./addresses.ts";
import { isHostName } from "./authority.ts";

interface Entry {
  /** Undefined matches every port. */
  readonly port: number | undefined;
  readonly covers: { readonly name: (name: string) => boolean } | { readonly address: (address: IpAddress) => boolean };
}

/**
 * Hosts that an operator names: an allow list of non-global addresses, or a deny list.
 *
 * - `intranet.example`, `intranet.example:8080`: this name, whatever it resolves to.
 * - `*.intranet.example`: every name below it, but not itself.
 * - `127.0.0.1`, `127.0.0.1:8123`, `::1`, `[::1]:8123`: this address, whatever name resolves to it.
 * - `10.0.0.0/8`, `10.0.0.0/8:443`, `fd00::/8`, `[fd00::/8]:443`: every address in the network.
 *
 * Without a port: every port.
 */
export class HostList {
  readonly #entries: readonly Entry[];

  /** @throws {BrowserError} `usage` for a malformed entry; the message names it. */
  constructor(entries: readonly string[]) {
    this.#entries = entries.map(parseEntry);
  }

  /** Returns whether a name is listed for a port. */
  hasName(name: string, port: number): boolean {
    return this.#entries.some(
      (entry) => "name" in entry.covers && entry.covers.name(name) && (entry.port ?? port) === port,
    );
  }

  /** Returns whether an address is listed for a port. */
  hasAddress(address: IpAddress, port: number): boolean {
    return this.#entries.some(
      (entry) => "address" in entry.covers && entry.covers.address(address) && (entry.port ?? port) === port,
    );
  }
}

function parseEntry(entry: string): Entry {
  const [what, port] = splitPort(entry);
  if (what.includes("/")) return { port, covers: { address: networkMatcher(what, entry) } };
  const address = parseAddress(what);
  if (address !== undefined) {
    return { port, covers: { address: (other) => other.toString() === address.toString() } };
  }
  const isSuffix = what.startsWith("*.");
  const name = domainToASCII(isSuffix ? what.slice(2) : what);
  if (!isHostName(name)) throw malformedEntry(entry, hintFor(what));
  return { port, covers: { name: isSuffix ? (other) => other.endsWith(`.${name}`) : (other) => other === name } };
}

/** Splits `what:port`, `[what]:port` and `[what]`; an IPv6 address or network without brackets has no port. */
function splitPort(entry: string): [what: string, port: number | undefined] {
  const bracketed = /^\[([^[\]]*:[^[\]]*)\](?::(\d{1,5}))?$/.exec(entry);
  const plain = /^([^[\]:]+)(?::(\d{1,5}))?$/.exec(entry);
  const isBareIPv6 = /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*(?:\/\d+)?$/i.test(entry);
  const [, what, digits] = isBareIPv6 ? [entry, entry] : (bracketed ?? plain ?? []);
  if (what === undefined) throw malformedEntry(entry, hintFor(entry));
  if (digits === undefined) return [what, undefined];
  const port = Number(digits);
  if (port < 1 || port > 65_535) throw malformedEntry(entry, "a port is 1 to 65535");
  return [what, port];
}

function networkMatcher(network: string, entry: string): (address: IpAddress) => boolean {
  const [, text = "", bits = ""] = /^([^/]*)\/(\d{1,3})$/.exec(network) ?? [];
  const first = parseAddress(text);
  if (first === undefined || first.kind() !== (text.includes(":") ? "ipv6" : "ipv4") || !ipaddr.isValidCIDR(network)) {
    throw malformedEntry(entry, hintFor(network));
  }
  const length = Number(bits);
  const begins = (
    first instanceof ipaddr.IPv4
      ? ipaddr.IPv4.networkAddressFromCIDR(network)
      : ipaddr.IPv6.networkAddressFromCIDR(network)
  ).toString();
  if (begins !== first.toString()) throw malformedEntry(entry, `that network begins with ${begins}/${length}`);
  return (address) => address.kind() === first.kind() && address.match(first, length);
}

function hintFor(text: string): string {
  if (text.includes("://")) return "leave out the scheme and the path";
  if (text === "*") return "to allow every address, give 0.0.0.0/0 and ::/0";
  if (text !== text.trim()) return "leave out the spaces";
  return "give a host name, *.suffix, an IP address or a network such as 10.0.0.0/8, each with or without :port";
}

function malformedEntry(entry: string, hint: string): BrowserError {
  return new BrowserError("usage", `malformed entry in a list of hosts (\`allow\`, \`deny\`): "${entry}"; ${hint}`);
}
