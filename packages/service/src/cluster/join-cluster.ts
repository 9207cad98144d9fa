import type { Logger } from "pino";
import type { DataFolder } from "../data-folder.ts";
import { ServiceError } from "../service-error.ts";
import { checkAddress, type ClusterOptions, requireText } from "../service-options.ts";
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
  const url = nodeUrl === undefined ? requireReachable(ownUrl) : checkAddress("node URL", nodeUrl);
  const name = nodeName ?? folder.readNodeName();
  const { lease } = folder;
  const before = lease?.name === name ? lease : undefined;
  const onLease = (current: Lease): void => {
    try {
      folder.keepLease(current);
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
    const message = `${describePlace(database)}: ${cause.message.replace(/; try again$/, "")}; ${adviseOnDatabase(cause)}`;
    throw new ServiceError(cause.code, message, { cause });
  }
}

/** Returns user, host, port and database of an address, without the password. */
export function describePlace(database: string): string {
  const { hostname = "", port = "", pathname = "", username = "" } = URL.parse(database) ?? {};
  const user = username === "" ? "" : `, as user ${username}`;
  return `PostgreSQL at ${hostname}:${port === "" ? 5432 : port}${pathname}${user}`;
}

/** Says what to do about a database that refuses, by its SQLSTATE, or can't be reached. */
export function adviseOnDatabase({ cause }: ServiceError): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code.startsWith("28")) return "check user and password in CLOUD_BROWSER_CLUSTER, and pg_hba.conf";
  if (code === "3D000") return "create the database, or name another one in CLOUD_BROWSER_CLUSTER";
  if (code === "42501") return "give the user rights to create tables";
  if (/^(?:ENOTFOUND|EAI_)/u.test(code)) return "check the host in CLOUD_BROWSER_CLUSTER";
  return "check that PostgreSQL runs and can be reached there, and CLOUD_BROWSER_CLUSTER";
}

/** Refuses a wildcard address such as 0.0.0.0, which other nodes can't connect to; returns any other. */
function requireReachable(url: string): string {
  if (!/^http:\/\/(?:0\.0\.0\.0|\[::\]):/.test(url)) return url;
  throw new ServiceError(
    "usage",
    `other nodes can't reach ${url}; give an address of this machine with \`cluster.nodeUrl\``,
  );
}
