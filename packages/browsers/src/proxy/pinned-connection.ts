import { isIPv6, type LookupFunction, type NetConnectOpts } from "node:net";

/** Pause before the next address of a host is tried, in milliseconds. */
const nextAddressAfterMs = 500;

/**
 * Options for a connection that goes to one of the given addresses, and asks no resolver.
 * Its `host` only names the list, so that an agent reuses a connection for nothing but the same list.
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
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    noDelay: true,
  };
}

/** How a connection failed: `refused`, or `too-late` when its time was up. */
export type ConnectFailure = "refused" | "too-late";

/** Tells whether a connection failed because of time (ours or the network's) or otherwise. */
export function failureOf(error: unknown): ConnectFailure {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const isLate = errors.some((one) => one instanceof Error && "code" in one && one.code === "ETIMEDOUT");
  return isLate ? "too-late" : "refused";
}
