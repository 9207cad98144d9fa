import { bodyBytes, findRedirect, type Exchange } from "../http/exchange.ts";
import type { Probe } from "../http/probe.ts";
import type { Operation } from "../contract/contract.ts";

/** Maximum number of redirects that are followed for one file. */
const hopLimit = 3;

/** Returns the ids of the exchanges in which a file is downloaded, in the order of redirects. */
export const listHops = (id: string): string[] => [
  id,
  ...Array.from({ length: hopLimit }, (_, hop) => `${id}-redirect-${hop + 1}`),
];

/** Returns an absolute http(s) address; undefined for anything else. */
export function parseWebAddress(text: string): string | undefined {
  const url = URL.parse(text);
  return url?.protocol === "https:" || url?.protocol === "http:" ? text : undefined;
}

/** Makes the probe of a download. It carries no credentials and none of the target's headers: the address is enough. */
function downloadProbe(id: string, operation: Operation, address: string): Probe {
  return {
    id,
    operation,
    expects: "open",
    request: () => ({ method: "GET", path: "", url: address, credentials: "none" }),
  };
}

/** Download of one file. */
export interface Download {
  /** Id of the first exchange; redirects have ids of their own. */
  readonly id: string;
  /** Operation whose answer had the address. */
  readonly operation: Operation;
  /** The address. */
  readonly address: string;
  /** Sends one more request; undefined when it was not sent. */
  readonly send: (probe: Probe) => Promise<Exchange | undefined>;
}

/** Downloads a file through its redirects, and returns the number of bytes received; undefined when its host did not answer. */
export async function followDownload({ id, operation, address: first, send }: Download): Promise<number | undefined> {
  let address: string | undefined = first;
  for (const hop of listHops(id)) {
    if (address === undefined) return 0;
    const exchange = await send(downloadProbe(hop, operation, address));
    if (!exchange?.response) return address === first ? undefined : 0;
    const next = findRedirect(exchange);
    if (next === undefined) return bodyBytes(exchange.response).length;
    address = parseWebAddress(URL.parse(next, address)?.href ?? "");
  }
  return 0;
}

/** Names and addresses that are reserved for documentation: nothing can be at one. Source: RFC 2606 and 6761; RFC 5737 and 3849. */
const reservedNames = [
  /(?:^|\.)(?:example|invalid)\.?$/,
  /(?:^|\.)example\.(?:com|net|org)\.?$/,
  /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/,
  /^\[2001:db8:/,
];

/** Returns whether an address is one for documentation, which leads nowhere: a test server may well give such an address. */
export function isForDocumentation(address: string): boolean {
  const host = URL.parse(address)?.hostname.toLowerCase() ?? "";
  return reservedNames.some((pattern) => pattern.test(host));
}
