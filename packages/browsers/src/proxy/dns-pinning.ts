import { isIPv6, type LookupFunction, type NetConnectOpts } from "node:net";

/** Delay before the next address of a host is tried, in milliseconds. */
const attemptDelayMs = 500;

/**
 * Returns options for a connection to one of the given addresses, without another DNS lookup (prevents DNS rebinding).
 * `host` is only a key, so that an agent reuses a connection for the same addresses only.
 *
 * @param addresses - At least one, in the order to try them.
 */
export function pinnedTo(addresses: readonly string[], port: number): NetConnectOpts & { readonly host: string } {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const lookup: LookupFunction = (_name, options, answer) => {
    const [first] = found;
    if (options.all === true) answer(null, found);
    else answer(null, first?.address ?? "", first?.family ?? 4);
  };
  return {
    host: `pinned:${addresses.toSorted().join(",")}`,
    port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptDelayMs,
    noDelay: true,
  };
}
