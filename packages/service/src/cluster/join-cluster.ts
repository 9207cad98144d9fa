import type { Logger } from "pino";
import type { DataFolder } from "../data-folder.ts";
import { ServiceError } from "../service-error.ts";
import { checkedAddress, type ClusterOptions, requireText } from "../service-options.ts";
import type { Lease } from "../storage/lease-store.ts";
import { ClusterNode } from "./cluster-node.ts";

/**
 * Joins the nodes that share a database, under the name and the address that this one is given or has.
 *
 * @throws {ServiceError} `usage`, `storage-failed`.
 */
export async function joinCluster(
  { database, nodeName, nodeUrl, leaseMs }: ClusterOptions,
  { folder, ownUrl, log, built }: { folder: DataFolder; ownUrl: string; log: Logger; built: AsyncDisposableStack },
): Promise<ClusterNode> {
  requireText({ "cluster.nodeName": nodeName, "cluster.nodeUrl": nodeUrl });
  const url = nodeUrl === undefined ? reachable(ownUrl) : checkedAddress("node URL", nodeUrl);
  const name = nodeName ?? folder.nodeName();
  const { lease } = folder;
  const before = lease?.name === name ? lease : undefined;
  const onLease = (taken: Lease): void => {
    try {
      folder.keepLease(taken);
    } catch (err) {
      log.warn(
        { err },
        "the lease can't be kept in the data folder: after a crash this node has to wait until it is over",
      );
    }
  };
  try {
    return await ClusterNode.join({ database, name, url, leaseMs, before, onLease, log }, built);
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.code !== "storage-failed") throw cause;
    const message = `${cause.message.replace(/; try again$/, "")}: is PostgreSQL running at ${placeOf(database)}, and does the user have rights?`;
    throw new ServiceError(cause.code, message, { cause });
  }
}

/** Returns host, port and database of an address, without user and password. */
export function placeOf(database: string): string {
  const { hostname = "", port = "", pathname = "" } = URL.parse(database) ?? {};
  return `${hostname}:${port === "" ? 5432 : port}${pathname}`;
}

/** An address of one machine: other nodes can't connect to a wildcard address such as 0.0.0.0. */
function reachable(url: string): string {
  if (!/^http:\/\/(?:0\.0\.0\.0|\[::\]):/.test(url)) return url;
  throw new ServiceError("usage", `other nodes can't reach ${url}; give an address of this machine with --node-url`);
}
