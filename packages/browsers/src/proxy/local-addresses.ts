import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { type IpAddress, parseAddress } from "./addresses.ts";

/** A network of this machine. */
export interface LocalNetwork {
  /** Address of this machine in it. */
  readonly address: string;
  /** Prefix length of the network, in bits; null if the system does not report it. */
  readonly bits: number | null;
}

/**
 * Returns the networks of this machine's interfaces.
 */
export function localNetworks(): readonly LocalNetwork[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address, cidr }) => ({ address, bits: cidr === null ? null : Number(cidr.split("/")[1]) })),
  );
}

/** Lifetime of the cached list of interfaces, in milliseconds. */
const ttlMs = 2000;
/** IPv6 networks with this prefix length or a longer one are one site; its addresses count as private. */
const minSitePrefixBits = 64;

/**
 * Recognizes addresses of this machine and of its site, global ones included:
 * a firewall in front of the machine does not see requests from the machine to itself.
 */
export class LocalAddresses {
  readonly #networks: () => readonly LocalNetwork[];
  #cached: readonly { readonly address: IpAddress; readonly bits: number }[] = [];
  #readAt = -Infinity;

  constructor(networks: () => readonly LocalNetwork[]) {
    this.#networks = networks;
  }

  /** Returns whether an address belongs to this machine. */
  has(address: IpAddress): boolean {
    const range = address.range();
    if (range === "loopback" || range === "unspecified") return true;
    return this.#read().some((own) => own.address.toString() === address.toString());
  }

  /** Returns whether an address belongs to this machine, or to a neighbor on an IPv6 network of one site. */
  isLocalOrNeighbor(address: IpAddress): boolean {
    return (
      this.has(address) ||
      this.#read().some(
        (own) =>
          own.address instanceof ipaddr.IPv6 &&
          own.bits >= minSitePrefixBits &&
          address instanceof ipaddr.IPv6 &&
          address.match(own.address, own.bits),
      )
    );
  }

  #read(): readonly { readonly address: IpAddress; readonly bits: number }[] {
    if (performance.now() - this.#readAt < ttlMs) return this.#cached;
    this.#readAt = performance.now();
    this.#cached = this.#networks().flatMap((own) => {
      const address = parseAddress(own.address);
      return address === undefined ? [] : [{ address, bits: own.bits ?? (address.kind() === "ipv4" ? 32 : 128) }];
    });
    return this.#cached;
  }
}
