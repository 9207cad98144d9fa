import type { AddressInfo } from "node:net";

/** The port of a server that listens. */
export function computePort(server: { readonly address: () => AddressInfo | string | null }): number {
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the server has no port");
  return address.port;
}
