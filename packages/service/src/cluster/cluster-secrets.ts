import { hkdfSync } from "node:crypto";

/** Secrets that the nodes of a cluster share. */
export interface ClusterSecrets {
  /** Signs addresses and tokens, so that each node can verify those of the others. */
  readonly signing: Uint8Array;
  /** Authenticates a node to the others. */
  readonly credential: string;
}

/** Derives the secrets of a cluster from its API key (HKDF, RFC 5869): neither reveals the other, or the key. */
export function deriveClusterSecrets(apiKey: string): ClusterSecrets {
  const derive = (use: string): Buffer => Buffer.from(hkdfSync("sha256", apiKey, "", `cloud-browser ${use}`, 32));
  return { signing: derive("signing"), credential: derive("between nodes").toString("base64url") };
}
