import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { type Address, parseAddress } from "./addresses.ts";

/** A network that this machine is part of. */
export interface OwnNetwork {
  /** Address of this machine in it. */
  readonly address: string;
  /** Bits of an address that are the network's; null when the system does not say. */
  readonly bits: number | null;
}

/**
 * Returns the networks of this machine's interfaces.
 */
export function ownNetworks(): readonly OwnNetwork[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address, cidr }) => ({ address, bits: cidr === null ? null : Number(cidr.split("/")[1]) })),
  );
}

/** How long the list of interfaces is believed, in milliseconds. */
const believedMs = 2000;
/** IPv6 networks this long or longer are one site's, and its neighbours are as private as if they had private addresses. */
const shortestSite = 64;

/**
 * Knows the addresses by which this machine reaches itself and its site, global ones included:
 * a firewall in front of the machine does not see what the machine asks of itself.
 */
export class ThisMachine {
  readonly #networks: () => readonly OwnNetwork[];
  #own: readonly { readonly address: Address; readonly bits: number }[] = [];
  #readAt = -Infinity;

  constructor(networks: () => readonly OwnNetwork[]) {
    this.#networks = networks;
  }

  /** Tells whether a connection to the address ends on this machine. */
  has(address: Address): boolean {
    const range = address.range();
    if (range === "loopback" || range === "unspecified") return true;
    return this.#read().some((own) => own.address.toString() === address.toString());
  }

  /** Tells whether the address is one of this machine, or of its neighbours on an IPv6 network of one site. */
  isNear(address: Address): boolean {
    return (
      this.has(address) ||
      this.#read().some(
        (own) =>
          own.address instanceof ipaddr.IPv6 &&
          own.bits >= shortestSite &&
          address instanceof ipaddr.IPv6 &&
          address.match(own.address, own.bits),
      )
    );
  }

  #read(): readonly { readonly address: Address; readonly bits: number }[] {
    if (performance.now() - this.#readAt < believedMs) return this.#own;
    this.#readAt = performance.now();
    this.#own = this.#networks().flatMap((own) => {
      const address = parseAddress(own.address);
      return address === undefined ? [] : [{ address, bits: own.bits ?? (address.kind() === "ipv4" ? 32 : 128) }];
    });
    return this.#own;
  }
}
