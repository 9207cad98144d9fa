import { nonGlobalReason, parseAddress, type IpAddress } from "./addresses.ts";
import { parseAuthority, type Authority } from "./authority.ts";
import type { DnsResolver } from "./dns-resolver.ts";
import type { HostList } from "./host-list.ts";
import type { LocalAddresses } from "./local-addresses.ts";

/**
 * Codes of refusals.
 *
 * - `scheme`: the URL of a page is neither http, https nor `about:blank`.
 * - `odd-host`: the host is neither a name nor an IP address in canonical form.
 * - `not-global`: none of the host's addresses is global, and the operator does not allow them.
 * - `denied`: the operator has put the host on the deny list.
 * - `forbidden-port`: the port belongs to the service itself or to one of its browsers.
 * - `unresolvable`: the name has no address, or the DNS lookup timed out.
 * - `busy`: too many DNS lookups are pending.
 */
export type RefusalReason =
  | "scheme"
  | "odd-host"
  | "not-global"
  | "denied"
  | "forbidden-port"
  | "unresolvable"
  | "busy";

/** Refusal of a request. */
export interface EgressRefusal {
  /** Distinguishes it from an {@link Approval}. */
  readonly allowed: false;
  /** Code of the reason, from a closed list. */
  readonly reason: RefusalReason;
  /** Message for people. */
  readonly message: string;
}

/** Approval of a request, with pinned addresses. */
export interface Approval {
  /** Distinguishes it from a {@link EgressRefusal}. */
  readonly allowed: true;
  /** The only addresses that may be connected to, in the order to try them; none for `about:blank`. */
  readonly addresses: readonly string[];
}

/** An {@link Approval} of a request. */
export interface Route extends Approval {
  /** Host and port of the request. */
  readonly authority: Authority;
}

/** Decision on a request. */
export type Decision = Approval | EgressRefusal;

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** SSRF protection: decides where requests may go, and resolves their hosts to pinned addresses. */
export class EgressPolicy {
  readonly #allowList: HostList;
  readonly #denyList: HostList;
  readonly #resolver: DnsResolver;
  readonly #localAddresses: LocalAddresses;
  readonly #isForbiddenPort: (address: string, port: number) => boolean;

  /** @param isForbiddenPort - Returns whether a port of a non-global address is blocked even if the operator allows the address. */
  constructor(
    { allow, deny }: { readonly allow: HostList; readonly deny: HostList },
    resolver: DnsResolver,
    machine: LocalAddresses,
    isForbiddenPort: (address: string, port: number) => boolean,
  ) {
    this.#allowList = allow;
    this.#denyList = deny;
    this.#resolver = resolver;
    this.#localAddresses = machine;
    this.#isForbiddenPort = isForbiddenPort;
  }

  /** Checks the URL of a page: http, https and `about:blank` only. */
  async checkPage(url: URL, isResolvedElsewhere = false): Promise<Decision> {
    if (url.href === "about:blank") return { allowed: true, addresses: [] };
    if (url.protocol !== "http:" && url.protocol !== "https:") {
      return refusal("scheme", `pages with ${url.protocol} are not opened, only http:, https: and about:blank`);
    }
    return this.checkHost(url.host, defaultPorts[url.protocol], isResolvedElsewhere);
  }

  /**
   * Checks the host and port of a request.
   *
   * @param defaultPort - Port if none is given; undefined if a port is required.
   * @param isResolvedElsewhere - True to leave the lookup of names, and so the check of their addresses, to a proxy. Default: false.
   */
  async checkHost(
    written: string,
    defaultPort: number | undefined,
    isResolvedElsewhere = false,
  ): Promise<Route | EgressRefusal> {
    const authority = parseAuthority(written, defaultPort);
    if (authority === undefined) {
      return refusal("odd-host", "malformed host: give a host name, or an IP address in canonical form");
    }
    if (this.#denyList.hasName(authority.host, authority.port)) return denied(authority.host);
    if (authority.address !== undefined) return this.#checkAddresses(authority, [authority.address]);
    if (isResolvedElsewhere) return this.#checkName(authority);
    const found = await this.#resolver.resolveAddresses(authority.host);
    if (found === "busy") return refusal("busy", "too many DNS lookups are pending; try again in a moment");
    if (found === "unresolvable") return refuseUnresolvable(authority.host);
    return this.#checkAddresses(authority, found.map(parseAddress));
  }

  /** Checks a name that is not resolved here: one of this machine is refused all the same. */
  #checkName(authority: Authority): Route | EgressRefusal {
    const { host, port } = authority;
    const isLocal = host === "localhost" || host.endsWith(".localhost");
    if (!isLocal || this.#allowList.hasName(host, port)) return { allowed: true, addresses: [], authority };
    return refusal("not-global", `${host} is a loopback address; it is not asked of the proxy of a session`);
  }

  #checkAddresses(authority: Authority, found: readonly (IpAddress | undefined)[]): Route | EgressRefusal {
    const addresses: string[] = [];
    let firstRefusal: EgressRefusal | undefined;
    for (const address of found) {
      const refused = this.#findRefusal(authority, address);
      if (refused === undefined && address !== undefined) addresses.push(address.toString());
      else firstRefusal ??= refused;
    }
    if (addresses.length > 0) return { allowed: true, addresses, authority };
    return firstRefusal ?? refuseUnresolvable(authority.host);
  }

  #findRefusal({ host, port }: Authority, address: IpAddress | undefined): EgressRefusal | undefined {
    if (address === undefined) return refusal("not-global", `DNS response for ${host} has a malformed address`);
    if (this.#denyList.hasAddress(address, port)) return denied(host);
    const why =
      nonGlobalReason(address) ??
      (this.#localAddresses.isLocalOrNeighbor(address) ? "an address of this machine's own network" : undefined);
    const isListed = this.#allowList.hasName(host, port) || this.#allowList.hasAddress(address, port);
    if (why !== undefined && !isListed) {
      return refusal(
        "not-global",
        `${host} is ${why}; only global addresses are allowed, and those that the operator of the service puts on the allow list`,
      );
    }
    return why !== undefined && this.#isForbiddenPort(address.toString(), port)
      ? refusal("forbidden-port", `port ${port} of this machine is blocked for pages`)
      : undefined;
  }
}

function denied(host: string): EgressRefusal {
  return refusal("denied", `${host} is on the list of hosts that the operator of the service has blocked`);
}

function refuseUnresolvable(host: string): EgressRefusal {
  return refusal("unresolvable", `DNS lookup failed: no address for ${host}`);
}

function refusal(reason: RefusalReason, message: string): EgressRefusal {
  return { allowed: false, reason, message };
}
