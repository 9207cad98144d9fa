import { hkdfSync } from "node:crypto";

/** What the nodes of a cluster share. Secrets. */
export interface ClusterSecrets {
  /** Signs addresses and tokens: each node knows those that another has made. */
  readonly signing: Uint8Array;
  /** By this a node is known to another. */
  readonly credential: string;
}

/** Derives what the nodes of a cluster share from the key that they share (HKDF, RFC 5869): neither can be told from the other, nor the key from them. */
export function clusterSecrets(apiKey: string): ClusterSecrets {
  const derived = (use: string): Buffer => Buffer.from(hkdfSync("sha256", apiKey, "", `cloud-browser ${use}`, 32));
  return { signing: derived("signing"), credential: derived("between nodes").toString("base64url") };
}
