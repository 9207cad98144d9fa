import { whyNotGlobal, parseAddress, type Address } from "./addresses.ts";
import type { AllowList } from "./allow-list.ts";
import { parseAuthority, type Authority } from "./authority.ts";
import type { NameResolver } from "./name-resolver.ts";
import type { ThisMachine } from "./this-machine.ts";

/**
 * Codes of refusals.
 *
 * - `scheme`: the address of a page is neither http, https nor `about:blank`.
 * - `odd-host`: the host is neither a name nor an address in its usual form.
 * - `not-global`: none of the host's addresses is global, and the operator does not allow them.
 * - `forbidden-port`: the port belongs to the service itself or to one of its browsers.
 * - `unresolvable`: the name has no address, or finding it took too long.
 * - `busy`: too many names are being looked up.
 */
export type RefusalReason = "scheme" | "odd-host" | "not-global" | "forbidden-port" | "unresolvable" | "busy";

/** Refusal of a request. */
export interface Refusal {
  /** Tells it from an {@link Approval}. */
  readonly allowed: false;
  /** Code of the reason, from a closed list. */
  readonly reason: RefusalReason;
  /** Reason as a sentence for people. */
  readonly message: string;
}

/** Where a connection may go. */
export interface Approval {
  /** Tells it from a {@link Refusal}. */
  readonly allowed: true;
  /** The only addresses that may be connected to, in the order to try them; none for `about:blank`. */
  readonly addresses: readonly string[];
}

/** An {@link Approval} of a request. */
export interface Route extends Approval {
  /** Host and port as asked for. */
  readonly authority: Authority;
}

/** Verdict on an address. */
export type Verdict = Approval | Refusal;

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Judges where requests may go, and finds the addresses for it. */
export class Judge {
  readonly #allowList: AllowList;
  readonly #resolver: NameResolver;
  readonly #machine: ThisMachine;
  readonly #isForbiddenPort: (address: string, port: number) => boolean;

  /** @param isForbiddenPort - Whether a port of an address that is not global stays closed to pages even if the operator allows it. */
  constructor(
    allowList: AllowList,
    resolver: NameResolver,
    machine: ThisMachine,
    isForbiddenPort: (address: string, port: number) => boolean,
  ) {
    this.#allowList = allowList;
    this.#resolver = resolver;
    this.#machine = machine;
    this.#isForbiddenPort = isForbiddenPort;
  }

  /** Judges the address of a page: http, https and `about:blank` only. */
  async judgePage(url: URL): Promise<Verdict> {
    if (url.href === "about:blank") return { allowed: true, addresses: [] };
    if (url.protocol !== "http:" && url.protocol !== "https:") {
      return refusal("scheme", `Pages with ${url.protocol} are not opened, only http:, https: and about:blank.`);
    }
    return this.judge(url.host, defaultPorts[url.protocol]);
  }

  /**
   * Judges host and port as a request writes them.
   *
   * @param defaultPort - What no port stands for; undefined where there has to be one.
   */
  async judge(written: string, defaultPort: number | undefined): Promise<Route | Refusal> {
    const authority = parseAuthority(written, defaultPort);
    if (authority === undefined) {
      return refusal("odd-host", "Malformed host: give a host name, or an IP address in its usual form.");
    }
    if (authority.address !== undefined) return this.#judgeAll(authority, [authority.address]);
    const found = await this.#resolver.addressesOf(authority.host);
    if (found === "busy") return refusal("busy", "Too many DNS lookups are pending; try again in a moment.");
    if (found === "unresolvable")
      return refusal("unresolvable", `DNS lookup failed: no address for ${authority.host}.`);
    return this.#judgeAll(authority, found.map(parseAddress));
  }

  #judgeAll(authority: Authority, found: readonly (Address | undefined)[]): Route | Refusal {
    const addresses: string[] = [];
    let against: Refusal | undefined;
    for (const address of found) {
      const refused = this.#refusalOf(authority, address);
      if (refused === undefined && address !== undefined) addresses.push(address.toString());
      else against ??= refused;
    }
    if (addresses.length > 0) return { allowed: true, addresses, authority };
    return against ?? refusal("unresolvable", `DNS lookup failed: no address for ${authority.host}.`);
  }

  #refusalOf({ host, port }: Authority, address: Address | undefined): Refusal | undefined {
    if (address === undefined) return refusal("not-global", `DNS answer for ${host} has a malformed address.`);
    const why =
      whyNotGlobal(address) ?? (this.#machine.isNear(address) ? "an address of this machine's own network" : undefined);
    const isListed = this.#allowList.allowsName(host, port) || this.#allowList.allowsAddress(address, port);
    if (why !== undefined && !isListed) {
      return refusal("not-global", `${host} is ${why}; only global addresses are allowed.`);
    }
    return why !== undefined && this.#isForbiddenPort(address.toString(), port)
      ? refusal("forbidden-port", `Port ${port} of this machine is blocked for pages.`)
      : undefined;
  }
}

function refusal(reason: RefusalReason, message: string): Refusal {
  return { allowed: false, reason, message };
}
