import type { ClusterNode } from "../cluster/cluster-node.ts";
import { joinCluster } from "../cluster/join-cluster.ts";
import type { DataFolder } from "../data-folder.ts";
import { listen, type Listening } from "../http/listening.ts";
import { makeHostGuard, type HostGuard } from "../http/own-hosts.ts";
import type { ServiceSettings } from "./read-settings.ts";

/** A server that has its port, and what follows from that. */
export interface OpenedServer {
  /** The server, which answers with 503 until it is told how to answer. */
  readonly http: Listening;
  /** Refuses requests to other names than the service's own. */
  readonly hosts: HostGuard;
  /** This process as a node of a cluster, with a lease; undefined outside of one. */
  readonly node: ClusterNode | undefined;
}

/**
 * Listens, and joins the cluster, which is told the address. `closing` closes the server first and lets the node leave then: while it
 * answers requests, the server finds the owners of sessions by the lease of the node.
 *
 * @throws {ServiceError} `usage`, `storage-failed`; the server is closed then.
 */
export async function openServer(
  settings: ServiceSettings,
  folder: DataFolder,
  closing: AsyncDisposableStack,
): Promise<OpenedServer> {
  const { host, port, publicUrl, allowedHosts: allowed = [], cluster, log } = settings;
  await using server = new AsyncDisposableStack();
  const http = await listen(host, port, settings.listening);
  server.defer(http.close);
  const hosts = makeHostGuard({ host, port: http.port, publicUrl, allowed });
  const node = cluster && (await joinCluster(cluster, { folder, ownUrl: http.url, log, built: closing }));
  closing.use(server.move());
  return { http, hosts, node };
}
